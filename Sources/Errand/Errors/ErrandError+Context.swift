extension ErrandError {
    /// Adds the request to which the error belongs, unless the error already has one.
    package func with(request: URLRequest, attempts: Int = 0) -> ErrandError {
        var error = self
        // A method that is not a token may contain a line break, which does not belong in a log.
        error.method = error.method ?? request.httpMethod.flatMap { $0.isHTTPToken ? RequestMethod(rawValue: $0) : nil }
        error.url = error.url ?? request.url?.redacted
        error.attempts = max(error.attempts, attempts)
        return error
    }

    /// Adds the name of a property before the reason, unless the reason already names one.
    func about(_ property: String) -> ErrandError {
        guard code != .invalidSetting, reason?.hasPrefix("`") != true else { return self }
        var error = self
        error.reason = "`\(property)`" + (reason.map { ": \($0)" } ?? " cannot be encoded")
        return error
    }

    /// Adds the limit to the error of a body that is too long.
    func naming(maximumBodySize limit: Int) -> ErrandError {
        guard code == .transportFailed, let reason, reason == URLError.Code.dataLengthExceedsMaximum.meaning else {
            return self
        }
        var error = self
        error.add("maximumBodySize is \(limit) bytes")
        return error
    }

    /// Appends a sentence to the reason.
    mutating func add(_ sentence: String) {
        reason = [reason, sentence].compactMap(\.self).joined(separator: "; ")
    }

    /// Converts the failure of a transport or a stub to an error with the code `cancelled`, `timedOut` or
    /// `transportFailed`.
    package init(transportFailure error: any Error) {
        switch error {
        case let error as ErrandError:
            self = error
        case let error as TransportFailure:
            self.init(transportFailure: error.error)
            reason = error.reason ?? reason
            metrics = error.metrics
        case is CancellationError:
            self.init(.cancelled)
        default:
            let cause = URLError(bridging: error)
            switch cause?.code {
            // The texts of these two codes would only repeat the name of the error's own code.
            case .cancelled: self.init(.cancelled, underlyingError: error)
            case .timedOut: self.init(.timedOut, underlyingError: error)
            default: self.init(.transportFailed, reason: cause?.code.meaning, underlyingError: error)
            }
        }
    }
}

extension Error {
    /// Whether the error says that a task or request was cancelled.
    ///
    /// It is `true` for an ``ErrandError`` with the code `cancelled`, for `CancellationError`, for `URLError` with the
    /// code `cancelled`, and for a ``TransportFailure`` of that. It is `false` for every other error. A custom error
    /// type that wraps one of these is not inspected: check before you map the error to your own type.
    ///
    /// ```swift
    /// } catch where error.isCancellation {
    ///     return
    /// }
    /// ```
    public var isCancellation: Bool {
        switch self {
        case is CancellationError: true
        case let error as ErrandError: error.code == .cancelled
        case let error as TransportFailure: error.error.code == .cancelled
        default: URLError(bridging: self)?.code == .cancelled
        }
    }
}
