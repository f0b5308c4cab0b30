/// Where a ``TokenAuthentication`` has its tokens from, and where they are kept: mostly an actor of yours.
///
/// ```swift
/// actor Session: CredentialProvider {
///     private var token: AccessToken?
///
///     func credential() async throws -> AccessToken? { token }
///
///     func refresh(_ old: AccessToken?) async throws -> AccessToken {
///         let grant = try await GrantRequest().start().value
///         let new = AccessToken(grant.accessToken, expiresAt: Date() + grant.lifetime)
///         token = new
///         return new
///     }
/// }
/// ```
///
/// Requests that either method sends are not authenticated by any ``TokenAuthentication``, whatever interceptors they list:
/// a refresh never waits for itself. That is told by the task, so send them from the task that called, from one that it
/// started, or by `schedule()`; not from a detached one.
public protocol CredentialProvider: Sendable {
    /// What requests are to be sent with now; nil when there is nothing yet, and ``refresh(_:)`` has to get it.
    ///
    /// It is asked before each request, so it should have the answer at hand, and it is the only place where the token is
    /// kept: whatever changes here, by signing in as somebody else, holds for the next request.
    ///
    /// - Throws: An error with which the request fails, as for ``refresh(_:)``.
    func credential() async throws -> AccessToken?

    /// Gets a new token in place of one that is out of date or was refused, and keeps it: from then on ``credential()``
    /// gives it.
    ///
    /// Cancelling requests does not cancel it. It is cancelled only when it takes longer than the `refreshTimeout` of the
    /// ``TokenAuthentication``. If it returns after that, another call may have been made: it must not replace a newer token.
    /// Otherwise there is one call at a time.
    ///
    /// - Parameter old: What ``credential()`` gave last; nil when there was nothing.
    /// - Throws: An error with which all waiting requests fail. An ``ErrandError`` keeps its code, a `URLError` has
    ///   ``ErrandError/Code-swift.struct/transportFailed`` or ``ErrandError/Code-swift.struct/timedOut``, and an error of another
    ///   type has ``ErrandError/Code-swift.struct/tokenUnavailable``. A refusal has
    ///   ``ErrandError/Code-swift.struct/authenticationFailed`` and is followed by a pause: an ``OAuthError``, the status 400, 401
    ///   or 403, and an ``ErrandError`` with that code, which the provider throws to refuse a token itself.
    func refresh(_ old: AccessToken?) async throws -> AccessToken

    /// Gets a new token as ``refresh(_:)`` does, and sees the response that refused the old one. By default it calls ``refresh(_:)``, which
    /// is required all the same.
    ///
    /// The challenges of the response may say where a token comes from and what it has to allow; see
    /// ``HeaderFields/authenticationChallenges``.
    ///
    /// - Parameters:
    ///   - old: What ``credential()`` gave last; `nil` when there was nothing.
    ///   - refusal: The response without a streamed body; `nil` if the token expires or is missing, and if this refresh was not begun by a
    ///     refused request, for example after one that the network ended.
    func refresh(_ old: AccessToken?, after refusal: DataResponse?) async throws -> AccessToken
}

extension CredentialProvider {
    /// Calls ``refresh(_:)``.
    public func refresh(_ old: AccessToken?, after refusal: DataResponse?) async throws -> AccessToken {
        try await refresh(old)
    }
}

/// A provider that keeps its token in memory, and gets a new one from a closure.
struct StoredCredential: CredentialProvider {
    private struct State {
        var token: AccessToken?
        /// How many refreshes have begun, and which of them gave the token.
        var begun = 0
        var source = 0
    }

    private let state: Locked<State>
    private let getNew: @Sendable (AccessToken?, _ refusal: DataResponse?) async throws -> AccessToken

    init(
        _ token: AccessToken?, getNew: @escaping @Sendable (AccessToken?, DataResponse?) async throws -> AccessToken
    ) {
        state = Locked(State(token: token))
        self.getNew = getNew
    }

    func credential() async throws -> AccessToken? { state.withLock { $0.token } }

    func refresh(_ old: AccessToken?) async throws -> AccessToken { try await refresh(old, after: nil) }

    func refresh(_ old: AccessToken?, after refusal: DataResponse?) async throws -> AccessToken {
        let number = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        let new = try await getNew(old, refusal)
        state.withLock { state in
            // One that took too long may end after the next.
            guard number > state.source else { return }
            state.token = new
            state.source = number
        }
        return new
    }
}
