import Errand

/// The state machine of ``OAuthSession``: the current tokens, the tokens that are not stored yet, and the results that
/// arrive too late.
struct OAuthSessionState: Sendable {
    /// The next step of a refresh.
    enum Step: Sendable {
        /// Return this token: it is newer than the one to replace.
        case use(AccessToken)
        /// Store tokens that an earlier refresh has received.
        case save(OAuthTokens)
        /// Request new tokens in place of these.
        case request(replacing: OAuthTokens)
        case fail(any Error)
    }

    /// The tokens in use.
    private(set) var tokens: OAuthTokens?
    /// Whether ``tokens`` is authoritative, because the store was read, or a sign-in or sign-out came first.
    private(set) var isLoaded = false
    /// The number of sign-ins and sign-outs so far. Results from an earlier revision are discarded.
    private(set) var revision = 0
    /// Tokens that a refresh has received and that are not stored yet.
    private var unsaved: OAuthTokens?
    /// The error with which the server rejected the refresh token; such a token is not sent again.
    private var rejection: OAuthError?

    /// Records the tokens from the store.
    mutating func loaded(_ stored: OAuthTokens?) {
        guard !isLoaded else { return }
        isLoaded = true
        tokens = stored
    }

    /// Returns the next step of a refresh.
    ///
    /// - Parameter old: The token to replace.
    func step(replacing old: AccessToken?) -> Step {
        guard let tokens else {
            return .fail(ErrandError(.authenticationFailed, reason: "the session is not signed in"))
        }
        if let unsaved { return .save(unsaved) }
        if !tokens.accessToken.isSame(as: old) { return .use(tokens.accessToken) }
        if let rejection { return .fail(rejection) }
        return .request(replacing: tokens)
    }

    /// Records tokens that a refresh has received.
    ///
    /// - Returns: `false` if they belong to an earlier revision.
    mutating func received(_ new: OAuthTokens, in revision: Int) -> Bool {
        guard revision == self.revision else { return false }
        unsaved = new
        return true
    }

    /// Records that the server has rejected the refresh token.
    mutating func rejected(_ error: OAuthError, in revision: Int) {
        if revision == self.revision { rejection = error }
    }

    /// Records that tokens have been stored, and uses them from now on.
    ///
    /// - Returns: `false` if they belong to an earlier revision.
    mutating func saved(_ new: OAuthTokens, in revision: Int) -> Bool {
        guard revision == self.revision else { return false }
        tokens = new
        isLoaded = true
        unsaved = nil
        rejection = nil
        return true
    }

    /// Begins a sign-in. The old tokens stay in use until the new ones are stored. The result of a running refresh is
    /// discarded.
    ///
    /// - Returns: The revision of the new tokens.
    mutating func beginSignIn() -> Int {
        revision += 1
        return revision
    }

    /// Ends the session.
    mutating func signOut() {
        revision += 1
        isLoaded = true
        tokens = nil
        unsaved = nil
        rejection = nil
    }
}
