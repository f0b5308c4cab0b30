/// An iterator that knows the response whose body it reads, so that errors can describe it.
protocol ResponseReading {
    var response: DataResponse? { get }
}

extension ResponseReading? {
    /// Converts an error to an ``ErrandError`` where possible, and adds the known parts of the response to it.
    func describing(_ error: any Error) -> any Error {
        let error = error is CancellationError ? ErrandError(.cancelled) : error
        guard let ours = error as? ErrandError, ours.url == nil, let response = self?.response else { return error }
        return ours.with(headOf: response)
    }
}
