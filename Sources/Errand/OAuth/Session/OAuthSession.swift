/// The tokens of a user who has signed in: refreshed when they expire, and handed to a store before they are used.
///
/// ```swift
/// let session = OAuthSession(client, store: Vault())
/// let authentication = TokenAuthentication(session)
///
/// try await session.signIn(client.tokens(from: redirect, for: authorization))
/// ```
///
/// List one ``TokenAuthentication`` with this session for all requests of the user; it makes one refresh for all requests that wait.
///
/// - A server that replaces the refresh token with each refresh accepts each one once. The new tokens are stored first, and used after
///   that: if the program ends in between, the next run loads them.
/// - If the store fails, the new tokens stay in memory. The requests that wait fail with the error of the store, as a failed refresh, and
///   the next refresh stores the same tokens without another request to the server.
/// - A server that issues no new refresh token leaves the old one in use.
/// - After `invalid_grant` the refresh token is not sent again. Each refresh fails with this ``OAuthError`` until the next sign-in.
/// - ``signIn(_:)`` and ``signOut()`` cancel a refresh that is under way and drop its result.
/// - A refresh that `refreshTimeout` of ``TokenAuthentication`` ends is cancelled. Its tokens are lost if the server has issued them and the
///   response has not arrived; tokens that have arrived are stored.
public actor OAuthSession: CredentialProvider {
    private let client: OAuthClient
    private let store: any OAuthTokenStore
    private var state = OAuthSessionState()
    /// The request for new tokens. The refresh that made it cancels it, and so do sign-in and sign-out.
    private var request: Task<OAuthTokens, any Error>?
    /// Whether a refresh, a sign-in or a sign-out is under way, and the others in the order in which they came.
    private var isTurnTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Creates a session, which loads its tokens when a request needs one.
    ///
    /// - Parameters:
    ///   - client: The client that the tokens were issued to.
    ///   - store: Where the tokens are kept.
    public init(_ client: OAuthClient, store: any OAuthTokenStore) {
        self.client = client
        self.store = store
    }

    /// Creates a session that keeps its tokens in memory.
    ///
    /// - Parameters:
    ///   - client: The client that the tokens were issued to.
    ///   - tokens: The first tokens; `nil`, the default, for none until ``signIn(_:)``.
    public init(_ client: OAuthClient, tokens: OAuthTokens? = nil) {
        self.client = client
        store = ForgetfulTokenStore()
        state.loaded(tokens)
    }

    /// Returns the tokens in use; `nil` if the session is not signed in.
    ///
    /// - Throws: What the store throws when it loads them.
    public func tokens() async throws -> OAuthTokens? {
        try await load()
        return state.tokens
    }

    /// Stores the tokens of a user who has signed in, and uses them after that.
    ///
    /// If calls overlap, the last one counts. Cancelling the task does not cancel it.
    ///
    /// - Parameter tokens: What ``OAuthClient/tokens(from:for:)`` or ``OAuthClient/tokens(for:)`` returned.
    /// - Throws: What the store throws when it saves them. The tokens before stay in use then.
    public func signIn(_ tokens: OAuthTokens) async throws {
        let revision = state.beginSignIn()
        request?.cancel()
        await takeTurn()
        defer { endTurn() }
        guard revision == state.revision else { return }
        try await save(tokens)
        _ = state.saved(tokens, in: revision)
    }

    /// Forgets the tokens at once, and removes them from the store. The server is not told.
    ///
    /// Requests that are sent after that fail with ``ErrandError/Code-swift.struct/authenticationFailed``. Cancelling the task does not
    /// cancel it.
    ///
    /// - Throws: What the store throws when it removes them. The session is signed out nevertheless.
    public func signOut() async throws {
        state.signOut()
        request?.cancel()
        await takeTurn()
        defer { endTurn() }
        try await save(nil)
    }

    /// Returns the access token; `nil` if the session is not signed in.
    ///
    /// - Throws: What the store throws when it loads the tokens.
    public func credential() async throws -> AccessToken? { try await tokens()?.accessToken }

    /// Requests new tokens, stores them, and returns the access token.
    ///
    /// A token that has been replaced already is not refreshed again: the newer one is returned. Calls at the same time wait for each other.
    /// Cancelling the task cancels the request; tokens that have arrived are stored nevertheless.
    ///
    /// - Parameter old: The token that is to be replaced.
    /// - Throws: ``OAuthError``; ``ErrandError`` with `authenticationFailed` if the session is not signed in or has no refresh token, and as
    ///   ``OAuthClient/refreshedTokens(_:)``; what the store throws.
    public func refresh(_ old: AccessToken?) async throws -> AccessToken {
        while true {
            await takeTurn()
            defer { endTurn() }
            if Task.isCancelled { throw ErrandError(.cancelled) }
            if let token = try await refreshed(old) { return token }
        }
    }
}

extension OAuthSession {
    /// Makes a refresh whose turn it is.
    ///
    /// - Returns: `nil` if a sign-in or sign-out came in between, which has to end first.
    private func refreshed(_ old: AccessToken?) async throws -> AccessToken? {
        try await load()
        let revision = state.revision
        let new: OAuthTokens
        switch state.step(replacing: old) {
        case .use(let token): return token
        case .fail(let error): throw error
        case .save(let tokens): new = tokens
        case .request(let tokens):
            do {
                new = try await request(replacing: tokens)
            } catch {
                guard revision == state.revision else { return nil }
                if let error = error as? OAuthError, error.code == .invalidGrant {
                    state.rejected(error, in: revision)
                }
                throw error
            }
            guard state.received(new, in: revision) else { return nil }
        }
        try await save(new)
        return state.saved(new, in: revision) ? new.accessToken : nil
    }

    private func request(replacing tokens: OAuthTokens) async throws -> OAuthTokens {
        let task = Task { [client] in try await client.refreshedTokens(tokens) }
        request = task
        defer { request = nil }
        return try await withCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func load() async throws {
        guard !state.isLoaded else { return }
        state.loaded(try await store.load())
    }

    /// Calls the store in a task that is not cancelled with the caller: what the server has issued is stored to the end.
    private func save(_ tokens: OAuthTokens?) async throws {
        try await Task { [store] in try await store.save(tokens) }.value
    }

    /// Waits until nothing else is under way. A refresh token must not be sent twice, and the store is called in the order of the changes.
    private func takeTurn() async {
        guard isTurnTaken else {
            isTurnTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func endTurn() {
        guard !waiting.isEmpty else {
            isTurnTaken = false
            return
        }
        waiting.removeFirst().resume()
    }
}

extension OAuthSession: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the type; nothing of the client, the store or a token.
    public nonisolated var description: String { "OAuthSession" }
    /// The same as ``description``.
    public nonisolated var debugDescription: String { description }
    /// No children: the store may be a value that holds a secret.
    public nonisolated var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
