/// The state machine of ``TokenAuthentication``: it stores the tokens that the server has rejected, and decides when to
/// refresh.
///
/// Consecutive refusals cause pauses of 1, 2, 4, … seconds, at most 60, in which no refresh starts. A refusal means
/// that the token server or the provider refuses a refresh, or that the server rejects a new token.
struct RefreshState: Sendable {
    /// The next step of a request that needs a token.
    enum Decision: Sendable {
        case use(AccessToken)
        case refresh
        case fail(RefreshPause)
    }

    static let shortestPause = Duration.seconds(1)
    static let longestPause = Duration.seconds(60)
    /// The number of rejected tokens that are remembered.
    private static let memory = 8

    private struct Pause: Sendable {
        let cause: any Error
        /// The provider's token when the pause began.
        let token: AccessToken?
        var end: Duration

        func failure(now: Duration) -> RefreshPause? {
            now < end ? RefreshPause(cause: cause, remaining: end - now) : nil
        }
    }

    /// Tokens that the server has rejected, the latest last.
    private var refused: [AccessToken] = []
    /// The token of the last refresh, until the server accepts it.
    private var unproven: AccessToken?
    /// The token of the last refresh, if the server rejected the token and had not accepted it before.
    private var doubted: AccessToken?
    private var pause: Pause?
    private var refusalsInARow = 0
    /// The token of the last refresh, and the time for which it was valid then; `nil` if that is not known.
    private var latest: (token: AccessToken, lifetime: TimeInterval)?

    /// Returns the time before the expiry of a token at which it is refreshed. It is at most half of a new token's
    /// lifetime, so that requests use a token that lives no longer than the leeway.
    func leeway(_ leeway: TimeInterval, of token: AccessToken) -> TimeInterval {
        guard let latest, latest.token == token else { return leeway }
        return min(leeway, max(latest.lifetime / 2, 0))
    }

    /// Returns `true` if the server has rejected this token, and no later refresh has returned it again.
    func isRefused(_ token: AccessToken) -> Bool {
        refused.contains { token.isSame(as: $0) }
    }

    /// Decides the next step of a request that cannot use the provider's token immediately.
    ///
    /// - Parameters:
    ///   - current: The provider's token.
    ///   - isFresh: Whether that token does not expire soon.
    mutating func decide(on current: AccessToken?, isFresh: Bool, now: Duration) -> Decision {
        if let pause, !Self.isSame(current, pause.token) {
            self.pause = nil
            refusalsInARow = 0
        }
        if let current, isFresh, !isRefused(current) { return .use(current) }
        return pause?.failure(now: now).map(Decision.fail) ?? .refresh
    }

    /// Records that the server has accepted a token. If an earlier rejection of this token began a pause, the pause
    /// ends after at most another ``shortestPause``.
    mutating func accept(_ token: AccessToken, now: Duration) {
        guard token.isSame(as: unproven) else { return }
        unproven = nil
        refusalsInARow = 0
        if token.isSame(as: doubted), let end = pause?.end { pause?.end = min(end, now + Self.shortestPause) }
    }

    /// Records that the server has rejected a token.
    ///
    /// The first rejection of a new token begins a pause. Other requests still use the token: the server may reject
    /// every token for one resource and accept this one for others.
    ///
    /// - Returns: The failure of the request during the pause; `nil` if it needs another token.
    mutating func refuse(_ token: AccessToken, now: Duration) -> RefreshPause? {
        guard !isRefused(token) else { return nil }
        if token.isSame(as: unproven), !token.isSame(as: doubted) {
            doubted = token
            beginPause(NewTokenRefused(), token: token, now: now)
        }
        if token.isSame(as: doubted), let failure = pause?.failure(now: now) { return failure }
        refused.append(token)
        if refused.count > Self.memory { refused.removeFirst() }
        return nil
    }

    /// Records that a refresh has returned a token.
    mutating func refreshed(_ token: AccessToken, at date: Date) {
        latest = token.expiresAt.map { (token, $0.timeIntervalSince(date)) }
        refused.removeAll { token.isSame(as: $0) }
        unproven = token
        doubted = nil
        pause = nil
    }

    /// Records that a refresh has failed. Only a refusal begins a pause.
    ///
    /// - Parameter current: The provider's token before the refresh.
    mutating func failed(_ error: any Error, current: AccessToken?, now: Duration) {
        guard error.isTokenRefusal else { return }
        beginPause(error, token: current, now: now)
    }

    private mutating func beginPause(_ cause: any Error, token: AccessToken?, now: Duration) {
        let length = Self.shortestPause * (1 << min(refusalsInARow, 6))
        refusalsInARow += 1
        pause = Pause(cause: cause, token: token, end: now + min(length, Self.longestPause))
    }

    private static func isSame(_ one: AccessToken?, _ other: AccessToken?) -> Bool {
        one?.isSame(as: other) ?? (other == nil)
    }
}
