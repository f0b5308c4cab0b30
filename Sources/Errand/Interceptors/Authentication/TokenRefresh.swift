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
    /// The failure of the last refresh; `nil` if it returned a token, and before the first one.
    private var failure: ErrandError?

    /// Returns the provider's token if the server has not rejected it, and it does not expire within the leeway.
    ///
    /// - Parameter leeway: The leeway in seconds. If the token's lifetime is known, at most half of it counts, so that
    ///   a token that lives no longer than the leeway can be used.
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
        if starts.count < Self.limit { return starts.append(now) }
        var error =
            failure ?? ErrandError(.authenticationFailed, reason: "the last new token was rejected or has expired")
        let wait = (starts[0] + Self.window - now).waitText
        error.add("at most \(Self.limit) refreshes start within \(Self.window.secondsText), the next one in \(wait)")
        throw error
    }

    /// Records the outcome of a refresh.
    mutating func end(_ outcome: Result<AccessToken, any Error>, at date: Date) {
        switch outcome {
        case .success(let new):
            (token, lifetime, failure) = (new, new.expiresAt?.timeIntervalSince(date), nil)
            // A token that a refresh returns is used, even if the server rejected it before.
            if new.isSame(as: rejected) { rejected = nil }
        case .failure(let error): failure = error as? ErrandError
        }
    }
}

extension ErrandError {
    /// Creates the error of the requests that wait for a token, after an error of their provider.
    init(tokenFailure cause: any Error) {
        let failure: any Error = cause.isNetworkFailure ? ErrandError(transportFailure: cause) : cause
        // The description of an error of another type may contain a secret.
        let detail = (failure as? ErrandError)?.description ?? (failure as? any TokenServerError)?.description
        let reason = "the token refresh failed" + (detail.map { ": \($0)" } ?? "")
        switch failure {
        case let error as ErrandError where error.isTokenRefusal:
            self.init(.authenticationFailed, reason: reason, underlyingError: error)
        case let error as ErrandError where error.isNetworkFailure:
            self.init(error.code, reason: reason, underlyingError: error.underlyingError)
        case let error as ErrandError where !error.isCancellation:
            // A failure without a cause is itself the cause, because it contains the token server's response.
            self.init(error.code, reason: reason, underlyingError: error.underlyingError ?? error)
        case let error as any TokenServerError:
            // With `unacceptableStatusCode`, a pipeline's `retry(_:)` repeats the run if the status is transient.
            let code = error.isTransient ? Code.unacceptableStatusCode : .authenticationFailed
            self.init(code, reason: reason, underlyingError: error)
        default:
            // Also for a cancellation: the request was not cancelled, so its error must not say so.
            self.init(.tokenUnavailable, reason: reason, underlyingError: cause)
        }
        isTokenFailure = true
    }

    /// Whether the token server or the provider refuses a token. Status codes other than 400, 401 and 403 do not say
    /// whether the request for a token is valid.
    private var isTokenRefusal: Bool {
        code == .authenticationFailed || (code == .unacceptableStatusCode && [400, 401, 403].contains(statusCode))
    }
}
