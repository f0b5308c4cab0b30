public import Errand

/// The tokens of a signed-in user. The session refreshes them when they expire, and stores new tokens before it uses
/// them.
///
/// ```swift
/// let session = OAuthSession(client, store: Vault())
/// let authentication = TokenAuthentication(session)
///
/// try await session.signIn(client.tokens(from: redirect, for: authorization))
/// ```
///
/// List one ``/Errand/TokenAuthentication`` with this session for all requests of the user. All requests that wait for
/// a token share one refresh.
///
/// - If the server replaces the refresh token, it accepts each one only once. So the session stores the new tokens
///   first and then uses them. If the program ends in between, its next run loads them.
/// - If the store fails, the new tokens stay in memory. The requests that wait fail with the store's error. The next
///   refresh stores the same tokens without another request to the server.
/// - If the server issues no new refresh token, the session keeps the old one.
/// - After `invalid_grant`, the session does not send the refresh token again. Each refresh fails with this
///   ``OAuthError`` until the next sign-in.
/// - ``signIn(_:)`` and ``signOut()`` cancel a running refresh and discard its result.
/// - A refresh that exceeds the `refreshTimeout` of ``/Errand/TokenAuthentication`` is cancelled. If the server has
///   issued tokens and the response has not arrived, they are lost; tokens that have arrived are stored.
public actor OAuthSession: CredentialProvider {
    private let client: OAuthClient
    private let store: any OAuthTokenStore
    private var state = OAuthSessionState()
    /// The running request for new tokens. Its refresh, a sign-in and a sign-out can cancel it.
    private var request: Task<OAuthTokens, any Error>?
    /// Whether a refresh, a sign-in or a sign-out is running. The others wait in the order of their calls.
    private var isTurnTaken = false
    /// The calls that wait for their turn, the next one first.
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Creates a session, which loads its tokens when a request needs one.
    ///
    /// - Parameters:
    ///   - client: The client to which the tokens were issued.
    ///   - store: The store for the tokens.
    public init(_ client: OAuthClient, store: any OAuthTokenStore) {
        self.client = client
        self.store = store
    }

    /// Creates a session that keeps its tokens in memory.
    ///
    /// - Parameters:
    ///   - client: The client to which the tokens were issued.
    ///   - tokens: The first tokens; by default `nil`, for a session without tokens until ``signIn(_:)``.
    public init(_ client: OAuthClient, tokens: OAuthTokens? = nil) {
        self.client = client
        store = ForgetfulTokenStore()
        state.loaded(tokens)
    }

    /// Returns the current tokens; `nil` if the session is not signed in.
    ///
    /// - Throws: The errors of the store's ``OAuthTokenStore/load()``.
    public func tokens() async throws -> OAuthTokens? {
        try await load()
        return state.tokens
    }

    /// Stores the tokens of a user who has signed in, and then uses them.
    ///
    /// If calls overlap, the tokens of the last call are used. If that call fails, those of the others are not used
    /// either, although these calls have returned. Cancelling the task has no effect.
    ///
    /// - Parameter tokens: The result of ``OAuthClient/tokens(from:for:)`` or ``OAuthClient/tokens(for:)``.
    /// - Throws: The errors of the store's ``OAuthTokenStore/save(_:)``. The session then keeps its previous tokens.
    public func signIn(_ tokens: OAuthTokens) async throws {
        let revision = state.beginSignIn()
        request?.cancel()
        await takeTurn()
        defer { endTurn() }
        guard revision == state.revision else { return }
        try await save(tokens)
        // A sign-in or sign-out that began meanwhile decides the tokens, so the result does not matter.
        _ = state.saved(tokens, in: revision)
    }

    /// Discards the tokens immediately, and then removes them from the store. The server is not notified.
    ///
    /// Later requests fail with ``/Errand/ErrandError/Code-swift.struct/authenticationFailed``. Cancelling the task has
    /// no effect.
    ///
    /// - Throws: The errors of the store's ``OAuthTokenStore/save(_:)``. The session is signed out nevertheless.
    public func signOut() async throws {
        state.signOut()
        request?.cancel()
        await takeTurn()
        defer { endTurn() }
        try await save(nil)
    }

    /// Returns the access token; `nil` if the session is not signed in.
    ///
    /// - Throws: The errors of the store's ``OAuthTokenStore/load()``.
    public func credential() async throws -> AccessToken? { try await tokens()?.accessToken }

    /// Requests new tokens, stores them, and returns the access token.
    ///
    /// If `old` has been replaced already, returns the newer token without a refresh. Simultaneous calls wait for each
    /// other. Cancelling the task cancels the request; tokens that have arrived are stored nevertheless.
    ///
    /// - Parameter old: The token to replace.
    /// - Throws: ``OAuthError``; ``/Errand/ErrandError`` with `authenticationFailed` if the session is not signed in or
    ///   has no refresh token, or with `cancelled`; the errors of ``OAuthClient/refreshedTokens(_:)`` and of the store.
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
    /// Performs a refresh after it has waited for its turn.
    ///
    /// - Returns: `nil` if a sign-in or sign-out began meanwhile. The caller waits for it and tries again.
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

    /// Requests new tokens in a task, which a sign-in and a sign-out can cancel.
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

    /// Calls the store in its own task, so that cancelling the caller does not interrupt it.
    private func save(_ tokens: OAuthTokens?) async throws {
        try await Task { [store] in try await store.save(tokens) }.value
    }

    /// Waits until no other operation is running. A refresh token must not be sent twice, and the store must be called
    /// in the order of the changes.
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
        // The turn stays taken: it passes to the first call that waits.
        waiting.removeFirst().resume()
    }
}

extension OAuthSession: Confidential {
    /// The name of the type, without the client, the store or a token.
    public nonisolated var description: String { "OAuthSession" }
}

/// The state machine of ``OAuthSession``: the current tokens, the tokens that are not stored yet, and the results that
/// arrive too late.
struct OAuthSessionState: Sendable {
    /// The next step of a refresh.
    enum Step: Sendable {
        /// Return this token, because it is not the one to replace.
        case use(AccessToken)
        /// Store tokens that an earlier refresh has received.
        case save(OAuthTokens)
        /// Request new tokens in place of these.
        case request(replacing: OAuthTokens)
        /// Fail the refresh, because no request can succeed.
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
    /// The error with which the server rejected the refresh token, which is then not sent again.
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

    /// Discards all tokens, and the result of a running refresh or sign-in.
    mutating func signOut() {
        revision += 1
        isLoaded = true
        tokens = nil
        unsaved = nil
        rejection = nil
    }
}
