/// The state machine of the device code flow: when the tokens are requested again (RFC 8628, section 3.5).
struct DevicePolling: Sendable {
    /// The time between two requests.
    private(set) var interval: Duration
    /// When the code expires.
    let end: Duration

    private static let shortestInterval = Duration.seconds(1)
    /// How much longer the interval is after each `slow_down`.
    private static let slowDown = Duration.seconds(5)

    init(interval: Duration, end: Duration) {
        self.interval = max(interval, Self.shortestInterval)
        self.end = end
    }

    /// A request has failed.
    ///
    /// - Parameter now: The time since the code was issued.
    /// - Returns: What the flow fails with; `nil` if it goes on.
    mutating func failed(_ error: any Error, now: Duration) -> (any Error)? {
        switch (error as? OAuthError)?.code {
        case .authorizationPending?: break
        case .slowDown?: interval += Self.slowDown
        case nil where error.isNetworkFailure: interval = min(interval * 2, max(end, interval))
        default: return error
        }
        // The last request may be after the end: whether the user was in time is for the server to say.
        guard now < end else { return OAuthError(.expiredToken, message: "the device code has expired") }
        return nil
    }
}
