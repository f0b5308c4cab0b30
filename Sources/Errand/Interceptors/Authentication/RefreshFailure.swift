extension Error {
    /// Whether the cause is the network or a timeout.
    package var isNetworkFailure: Bool {
        switch self {
        case let error as ErrandError: error.code == .transportFailed || error.code == .timedOut
        case is TransportFailure: true
        default: URLError(bridging: self).map { $0.code != .cancelled } ?? false
        }
    }
}

extension ErrandError {
    /// Creates the error of the requests that wait for a token, after an error of their provider.
    init(tokenFailure cause: any Error) {
        let quoted: any Error = cause.isNetworkFailure ? ErrandError(transportFailure: cause) : cause
        let line = (quoted as? ErrandError)?.description ?? (quoted as? any TokenServerError)?.description
        let reason = "the token refresh failed" + (line.map { ": \($0)" } ?? "")
        switch quoted {
        case let error as ErrandError where error.isTokenRefusal:
            self.init(.authenticationFailed, reason: reason, underlyingError: error)
        case let error as ErrandError where error.isNetworkFailure:
            self.init(error.code, reason: reason, underlyingError: error.underlyingError)
        case let error as ErrandError where !error.isCancellation:
            // A failure without a cause is itself the cause, because it contains the token server's response.
            self.init(error.code, reason: reason, underlyingError: error.underlyingError ?? error)
        case let error as any TokenServerError:
            let code = error.isTransient ? Code.unacceptableStatusCode : .authenticationFailed
            self.init(code, reason: reason, underlyingError: error)
        default:
            // Also for a cancellation: the request was not cancelled, so its error must not say so.
            self.init(.tokenUnavailable, reason: reason, underlyingError: cause)
        }
    }

    /// Whether the token server or the provider refuses a token. Other status codes than 400, 401 and 403 say nothing
    /// about the grant.
    private var isTokenRefusal: Bool {
        code == .authenticationFailed || code == .unacceptableStatusCode && [400, 401, 403].contains(statusCode)
    }
}
