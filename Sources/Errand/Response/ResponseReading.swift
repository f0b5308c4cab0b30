/// An iterator that knows the response whose body it reads, so that errors can describe it.
protocol ResponseReading {
    var response: DataResponse? { get }
    /// Converts errors into the API's own errors; `nil` leaves them unchanged. Errors of the body are already
    /// converted.
    var errorMapping: (@Sendable (any Error) -> any Error)? { get }
}

extension ResponseReading {
    var errorMapping: (@Sendable (any Error) -> any Error)? { nil }
}

extension ResponseReading? {
    /// Converts an error about the content to an ``ErrandError`` where possible, adds the known parts of the response
    /// to it, and converts it into the API's own error.
    func describing(_ error: any Error) -> any Error {
        let error = error is CancellationError ? ErrandError(.cancelled) : error
        guard let ours = error as? ErrandError, ours.url == nil else { return error }
        let described = self?.response.map { ours.with(headOf: $0) } ?? ours
        return self?.errorMapping?(described) ?? described
    }
}
