import Errand

/// The state machine of the device code flow: decides when the client requests the tokens again (RFC 8628, section
/// 3.5).
struct DevicePolling: Sendable {
    /// The time between two requests.
    private(set) var interval: Duration
    /// When the code expires.
    let end: Duration

    private static let shortestInterval = Duration.seconds(1)
    /// The time that each `slow_down` adds to the interval.
    private static let slowDown = Duration.seconds(5)

    init(interval: Duration, end: Duration) {
        self.interval = max(interval, Self.shortestInterval)
        self.end = end
    }

    /// Records that a request has failed.
    ///
    /// - Parameter now: The time since the code was issued.
    /// - Returns: The error that ends the flow; `nil` if the flow continues.
    mutating func failed(_ error: any Error, now: Duration) -> (any Error)? {
        switch (error as? OAuthError)?.code {
        case .authorizationPending?: break
        case .slowDown?: interval += Self.slowDown
        case nil where error.isNetworkFailure: interval = min(interval * 2, max(end, interval))
        default: return error
        }
        // Only checked after a request, so the last request may be sent after the code has expired: the server decides
        // whether the user was in time.
        guard now < end else { return OAuthError(.expiredToken, message: "the device code has expired") }
        return nil
    }
}
