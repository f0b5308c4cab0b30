/// The state machine of ``OAuthSession``: which tokens are used, which have still to be stored, and which results come too late.
struct OAuthSessionState: Sendable {
    /// What a refresh does next.
    enum Step: Sendable {
        /// Returns this token: it is newer than the one that is to be replaced.
        case use(AccessToken)
        /// Stores tokens that a refresh has received before.
        case save(OAuthTokens)
        /// Requests new tokens in place of these.
        case request(replacing: OAuthTokens)
        case fail(any Error)
    }

    /// The tokens in use.
    private(set) var tokens: OAuthTokens?
    /// Whether the store has been asked, or what it has does not count any more.
    private(set) var isLoaded = false
    /// The number of sign-ins and sign-outs so far. A result that belongs to an earlier one is dropped.
    private(set) var revision = 0
    /// Tokens that a refresh has received, and that are not stored yet.
    private var unsaved: OAuthTokens?
    /// Why the refresh token cannot be used any more.
    private var rejection: OAuthError?

    /// The store has returned its tokens.
    mutating func loaded(_ stored: OAuthTokens?) {
        guard !isLoaded else { return }
        isLoaded = true
        tokens = stored
    }

    /// Decides what a refresh does.
    ///
    /// - Parameter old: The token that is to be replaced.
    func step(replacing old: AccessToken?) -> Step {
        guard let tokens else {
            return .fail(ErrandError(.authenticationFailed, reason: "the session is not signed in"))
        }
        if let unsaved { return .save(unsaved) }
        if !tokens.accessToken.isSame(as: old) { return .use(tokens.accessToken) }
        if let rejection { return .fail(rejection) }
        return .request(replacing: tokens)
    }

    /// A refresh has received tokens.
    ///
    /// - Returns: `false` if they come too late.
    mutating func received(_ new: OAuthTokens, in revision: Int) -> Bool {
        guard revision == self.revision else { return false }
        unsaved = new
        return true
    }

    /// The server has rejected the refresh token.
    mutating func rejected(_ error: OAuthError, in revision: Int) {
        if revision == self.revision { rejection = error }
    }

    /// Tokens have been stored, and are used from now on.
    ///
    /// - Returns: `false` if they come too late.
    mutating func saved(_ new: OAuthTokens, in revision: Int) -> Bool {
        guard revision == self.revision else { return false }
        tokens = new
        isLoaded = true
        unsaved = nil
        rejection = nil
        return true
    }

    /// A sign-in begins. The old tokens are used until the new ones are stored, and are not refreshed any more.
    ///
    /// - Returns: The revision of the new tokens.
    mutating func beginSignIn() -> Int {
        revision += 1
        return revision
    }

    /// The session has ended.
    mutating func signOut() {
        revision += 1
        isLoaded = true
        tokens = nil
        unsaved = nil
        rejection = nil
    }
}
