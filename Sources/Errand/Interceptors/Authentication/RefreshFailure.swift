/// The failure of a request during the pause that follows a refusal.
struct RefreshPause: Error {
    /// The failure that began the pause.
    let cause: any Error
    let remaining: Duration
}

/// The failure that begins a pause when the server refuses a token that it has just issued.
struct NewTokenRefused: SafelyDescribedError {
    var description: String { "the server refused the new token" }
}

/// An error whose description has no secret, and can be part of the reason of another error.
protocol SafelyDescribedError: Error, CustomStringConvertible {}

extension Error {
    /// Whether the network, or a timeout, is the reason.
    var isNetworkFailure: Bool {
        switch self {
        case let error as ErrandError: error.code == .transportFailed || error.code == .timedOut
        case is TransportFailure: true
        default: URLError(bridging: self).map { $0.code != .cancelled } ?? false
        }
    }
}

extension ErrandError {
    /// The error of a request for which the provider has no token.
    ///
    /// - Parameter failure: What the provider threw, or a ``RefreshPause``.
    init(tokenFailure failure: any Error) {
        let pause = failure as? RefreshPause
        let cause = pause?.cause ?? failure
        if cause.isNetworkFailure {
            let error = ErrandError(transportFailure: cause)
            self.init(
                error.code, reason: "the token refresh failed: \(error)", underlyingError: error.underlyingError)
        } else {
            let line = (cause as? ErrandError)?.description ?? (cause as? any SafelyDescribedError)?.description
            self.init(
                .authenticationFailed, reason: "the token refresh failed" + (line.map { ": \($0)" } ?? ""),
                underlyingError: cause)
        }
        if let pause { add("no other refresh starts for \(pause.remaining.secondsText)") }
    }
}
