/// The source and storage of the tokens of a ``TokenAuthentication``, usually a custom actor.
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
/// Requests that these methods send are not authenticated by any ``TokenAuthentication``, whatever interceptors they
/// list, so that a refresh never waits for itself. A task-local value marks these requests. Send them from the calling
/// task, from a child task, from a task that it started, or by `schedule()`, but not from a detached task. Conversely,
/// work that is not part of the refresh and needs a token must be a detached task.
public protocol CredentialProvider: Sendable {
    /// Returns the token for requests; `nil` if the provider has none, so that ``refresh(_:)`` must request one.
    ///
    /// It is called before each request, so it should return immediately. The provider is the only storage of the
    /// token. A change of its token, such as signing in as another user, applies to the next request.
    ///
    /// - Throws: An error with which the request fails, as for ``refresh(_:)``.
    func credential() async throws -> AccessToken?

    /// Requests a new token to replace one that has expired or was rejected, and stores it. After that,
    /// ``credential()`` returns it.
    ///
    /// Cancelling requests does not cancel this call. It is cancelled only if it takes longer than the `refreshTimeout`
    /// of the ``TokenAuthentication``. If the cancelled call returns later, another call may have stored a newer token,
    /// which the cancelled call must not replace. In the example above, the cancelled request fails before its token is
    /// stored. Otherwise, calls do not overlap.
    ///
    /// - Parameter old: The last result of ``credential()``; `nil` if there was no token.
    /// - Throws: An error, with which all waiting requests fail. Their ``ErrandError`` has this code:
    ///
    ///   | thrown | code of the requests' error |
    ///   |---|---|
    ///   | the status 400, 401 or 403 of the token server | ``ErrandError/Code-swift.struct/authenticationFailed`` |
    ///   | an `OAuthError` | the same |
    ///   | an `OAuthError` that says that the server failed or is overloaded | ``ErrandError/Code-swift.struct/unacceptableStatusCode`` |
    ///   | another ``ErrandError`` | its own |
    ///   | a `URLError` | ``ErrandError/Code-swift.struct/transportFailed`` or ``ErrandError/Code-swift.struct/timedOut`` |
    ///   | a cancellation | ``ErrandError/Code-swift.struct/tokenUnavailable``: the requests themselves were not cancelled |
    ///   | an error of another type | ``ErrandError/Code-swift.struct/tokenUnavailable`` |
    ///
    ///   A provider that itself refuses to return a token throws an ``ErrandError`` with `authenticationFailed`.
    func refresh(_ old: AccessToken?) async throws -> AccessToken

    /// Requests a new token as ``refresh(_:)`` does, with access to the response that rejected the old one. By default,
    /// it calls ``refresh(_:)``, which is still required.
    ///
    /// The challenges of the response may name the source of a token and the required scope; see
    /// ``HeaderFields/authenticationChallenges``.
    ///
    /// - Parameters:
    ///   - old: The last result of ``credential()``; `nil` if there was no token.
    ///   - refusal: The response without a streamed body. `nil` if the request that started this refresh was not
    ///     rejected itself: the token expires, is missing, or was rejected before.
    func refresh(_ old: AccessToken?, after refusal: DataResponse?) async throws -> AccessToken
}

extension CredentialProvider {
    /// Calls ``refresh(_:)``.
    public func refresh(_ old: AccessToken?, after refusal: DataResponse?) async throws -> AccessToken {
        try await refresh(old)
    }
}

/// The mark of a ``CredentialProvider``'s calls and of requests to a token server, which all tasks that these start
/// inherit, except detached ones. A request with this mark must not wait for a token: the refresh of that token may be
/// waiting for the request.
package enum ProviderCall {
    @TaskLocal package static var isActive = false
}

/// A provider that stores its token in memory, and requests a new one with a closure.
package struct StoredCredential: CredentialProvider {
    /// The token, the number of refreshes that have begun, and the number of the one that returned the token.
    private let state: Locked<(token: AccessToken?, begun: Int, source: Int)>
    private let getNew: @Sendable (AccessToken?, _ refusal: DataResponse?) async throws -> AccessToken

    package init(
        _ token: AccessToken?, getNew: @escaping @Sendable (AccessToken?, DataResponse?) async throws -> AccessToken
    ) {
        state = Locked((token, 0, 0))
        self.getNew = getNew
    }

    package func credential() async throws -> AccessToken? { state.withLock { $0.token } }

    package func refresh(_ old: AccessToken?) async throws -> AccessToken { try await refresh(old, after: nil) }

    package func refresh(_ old: AccessToken?, after refusal: DataResponse?) async throws -> AccessToken {
        let number = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        let new = try await getNew(old, refusal)
        // A refresh that took too long may end after the next one.
        state.withLock { if number > $0.source { ($0.token, $0.source) = (new, number) } }
        return new
    }
}
