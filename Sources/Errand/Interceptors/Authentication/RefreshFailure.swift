/// The failure of a request during the pause that follows a refusal.
struct RefreshPause: Error {
    /// The failure that began the pause.
    let cause: any Error
    let remaining: Duration
}

/// The failure that begins a pause if the server rejects a token that was just issued.
struct NewTokenRefused: SafelyDescribedError {
    var description: String { "the server refused the new token" }
}

/// The provider's own error after the token server responded with a refusal.
struct RefusedProvider: Error {
    /// The error that the provider threw.
    let cause: any Error
}

/// An error whose description contains no secret, and can be part of the reason of another error.
protocol SafelyDescribedError: Error, CustomStringConvertible {}

extension Error {
    /// Whether the cause is the network or a timeout.
    var isNetworkFailure: Bool {
        switch self {
        case let error as ErrandError: error.code == .transportFailed || error.code == .timedOut
        case is TransportFailure: true
        default: URLError(bridging: self).map { $0.code != .cancelled } ?? false
        }
    }

    /// Whether the token server or the provider refuses a token, so that another refresh would fail in the same way.
    var isTokenRefusal: Bool {
        switch self {
        case let error as ErrandError:
            switch error.code {
            case .authenticationFailed: true
            case .unacceptableStatusCode: error.statusCode.map(Int.refusesTokenRequests) ?? false
            default: false
            }
        case let error as any TokenServerError: !error.isTransient
        case is NewTokenRefused, is RefusedProvider: true
        default: false
        }
    }
}

extension Int {
    /// Returns `true` if a token server refuses a request with this status code: 400, 401 and 403. Other codes say
    /// nothing about the grant.
    static func refusesTokenRequests(_ statusCode: Int) -> Bool { [400, 401, 403].contains(statusCode) }
}

extension ErrandError {
    /// Creates the error of a request for which the provider has no token.
    ///
    /// - Parameter failure: The error of the provider, or a ``RefreshPause``.
    init(tokenFailure failure: any Error) {
        let pause = failure as? RefreshPause
        let cause = pause?.cause ?? failure
        let quoted: any Error = cause.isNetworkFailure ? ErrandError(transportFailure: cause) : cause
        let line = (quoted as? ErrandError)?.description ?? (quoted as? any SafelyDescribedError)?.description
        let reason = "the token refresh failed" + (line.map { ": \($0)" } ?? "")
        let underlying = (cause as? RefusedProvider)?.cause ?? cause
        switch quoted {
        case _ where cause.isTokenRefusal:
            self.init(.authenticationFailed, reason: reason, underlyingError: underlying)
        // The request was not cancelled, so the error must not look like a cancellation.
        case _ where cause.isCancellation:
            self.init(.tokenUnavailable, reason: reason, underlyingError: cause)
        case let error as ErrandError:
            // A failure without a cause is itself the cause, because it contains the token server's response.
            let own = error.isNetworkFailure ? error.underlyingError : error.underlyingError ?? error
            self.init(error.code, reason: reason, underlyingError: own)
        case is any TokenServerError:
            self.init(.unacceptableStatusCode, reason: reason, underlyingError: cause)
        default:
            self.init(.tokenUnavailable, reason: reason, underlyingError: cause)
        }
        if let pause { add("no other refresh starts for \(pause.remaining.secondsText)") }
    }
}
