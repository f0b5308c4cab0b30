extension ErrandError {
    /// This error with the request it belongs to, where none is named yet.
    func with(request: URLRequest, attempts: Int = 0) -> ErrandError {
        var error = self
        // A method that is no token may hold a line break, which has no place in a log.
        error.method = error.method ?? request.httpMethod.flatMap { $0.isHTTPToken ? HTTPMethod(rawValue: $0) : nil }
        error.url = error.url ?? request.url?.redacted
        error.attempts = max(error.attempts, attempts)
        return error
    }

    /// This error with the answer that is no good.
    func with(response: DataResponse) -> ErrandError {
        var error = self
        error.method = response.method
        error.url = response.url?.redacted
        error.attempts = response.attempts
        error.statusCode = response.statusCode
        error.headers = response.headers
        error.metrics = response.metrics
        error.bodyPrefix = response.data.prefix(Self.bodyPrefixLimit)
        return error
    }

    /// What a transport or a stub failed with, as one of the codes.
    init(transportFailure error: any Error) {
        switch error {
        case let error as ErrandError: self = error
        case let error as TransportFailure:
            self.init(transportFailure: error.error)
            metrics = error.metrics
        case let error where error.isCancellation: self.init(.cancelled, underlyingError: error)
        case let error as URLError where error.code == .timedOut: self.init(.timedOut, underlyingError: error)
        default: self.init(.transportFailed, underlyingError: error)
        }
    }
}

extension Error {
    /// Whether this says, in whichever of the three vocabularies, that the caller has left.
    var isCancellation: Bool {
        switch self {
        case is CancellationError: true
        case let error as URLError: error.code == .cancelled
        case let error as ErrandError: error.code == .cancelled
        default: false
        }
    }
}
