extension ErrandError {
    /// This error with the request it belongs to, where none is named yet.
    package func with(request: URLRequest, attempts: Int = 0) -> ErrandError {
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
        if let note = response.note { error.add(note) }
        // A copy: a slice would keep the whole body alive for as long as the error.
        error.bodyPrefix = Data(Array(response.data.prefix(Self.bodyPrefixLimit)))
        return error
    }

    /// Puts one sentence more behind the reason.
    mutating func add(_ sentence: String) {
        reason = [reason, sentence].compactMap(\.self).joined(separator: "; ")
    }

    /// What a transport or a stub failed with, as one of the codes.
    package init(transportFailure error: any Error) {
        switch error {
        case let error as ErrandError:
            self = error
        case let error as TransportFailure:
            self.init(transportFailure: error.error)
            metrics = error.metrics
        case is CancellationError:
            self.init(.cancelled)
        default:
            let cause = URLError(bridging: error)
            let code: Code =
                switch cause?.code {
                case .cancelled: .cancelled
                case .timedOut: .timedOut
                default: .transportFailed
                }
            self.init(code, reason: cause?.code.meaning, underlyingError: error)
        }
    }
}

extension Error {
    /// Whether this says, in whichever of the three vocabularies, that the caller has left.
    var isCancellation: Bool {
        switch self {
        case is CancellationError: true
        case let error as ErrandError: error.code == .cancelled
        default: URLError(bridging: self)?.code == .cancelled
        }
    }
}
