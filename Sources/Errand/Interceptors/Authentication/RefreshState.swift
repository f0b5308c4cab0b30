/// The state machine of ``TokenAuthentication``: decides whether the provider's token can be used, and whether a
/// refresh may start.
///
/// At most ``limit`` refreshes start within ``window``, whether they fail or not. This ends the loop that a server
/// would cause by rejecting every token.
struct RefreshState: Sendable {
    static let limit = 5
    static let window = Duration.seconds(30)

    /// The provider's token when it was last read or refreshed.
    private var token: AccessToken?
    /// The time for which it was valid when a refresh returned it; `nil` if that is not known.
    private var lifetime: TimeInterval?
    /// The last token that the server rejected while it was the provider's token.
    private var rejected: AccessToken?
    /// The times when refreshes started, the latest last; at most ``limit``.
    private var starts: [Duration] = []
    /// The failure of the last refresh; `nil` if it returned a token.
    private var failure: (any Error)?

    /// Returns the provider's token if the server has not rejected it, and it does not expire within the leeway.
    ///
    /// - Parameter leeway: The leeway in seconds. It is at most half of a new token's lifetime, so that requests use a
    ///   token that lives no longer than the leeway.
    mutating func use(_ current: AccessToken?, at date: Date, leeway: TimeInterval) -> AccessToken? {
        guard let current, !current.isSame(as: rejected) else { return nil }
        if !current.isSame(as: token) { (token, lifetime) = (current, nil) }
        guard let expiresAt = current.expiresAt else { return current }
        let leeway = lifetime.map { min(leeway, max($0 / 2, 0)) } ?? leeway
        return date.addingTimeInterval(leeway) < expiresAt ? current : nil
    }

    /// Records that the server has rejected a token. The late rejection of an older token has no effect.
    mutating func reject(_ token: AccessToken) {
        if token.isSame(as: self.token) { rejected = token }
    }

    /// Records that a refresh starts.
    ///
    /// - Throws: The failure of the requests that wait, if no refresh may start.
    mutating func begin(now: Duration) throws(ErrandError) {
        starts.removeAll { now - $0 >= Self.window }
        guard starts.count == Self.limit else { return starts.append(now) }
        var error = ErrandError(.authenticationFailed, reason: "the last new token was rejected or has expired")
        if let failure = failure as? ErrandError { error = failure }
        let seconds = Int(((starts[0] + Self.window - now) / .seconds(1)).rounded(.up))
        error.add(
            "at most \(Self.limit) refreshes start within \(Self.window.secondsText), the next one in \(seconds) s")
        throw error
    }

    /// Records the outcome of a refresh.
    mutating func end(_ outcome: Result<AccessToken, any Error>, at date: Date) {
        switch outcome {
        case .success(let new):
            (token, lifetime, failure) = (new, new.expiresAt?.timeIntervalSince(date), nil)
            if new.isSame(as: rejected) { rejected = nil }
        case .failure(let error): failure = error
        }
    }
}
