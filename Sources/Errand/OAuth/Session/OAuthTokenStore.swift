/// Where an ``OAuthSession`` keeps its tokens between two runs of the program, such as a keychain or a file; mostly an actor.
///
/// ```swift
/// actor Vault: OAuthTokenStore {
///     func load() async throws -> OAuthTokens? {
///         try await keychain.read().map { try JSONDecoder().decode(OAuthTokens.self, from: $0) }
///     }
///
///     func save(_ tokens: OAuthTokens?) async throws {
///         try await keychain.write(tokens.map { try JSONEncoder().encode($0) })
///     }
/// }
/// ```
///
/// One session calls ``save(_:)`` once at a time, in the order of the changes. A store that does not return keeps the session waiting.
public protocol OAuthTokenStore: Sendable {
    /// Returns the tokens of the last ``save(_:)``; `nil` without any.
    ///
    /// It is called when the session is first used, by each request that needs a token until the first call has returned. If it throws, the
    /// requests fail, and the next request calls it again.
    func load() async throws -> OAuthTokens?

    /// Stores tokens in place of earlier ones, or removes them, after signing out.
    ///
    /// New tokens are not used before it has returned. If it throws, they stay in memory, the waiting requests fail, and the next refresh
    /// calls it again. It is not cancelled.
    ///
    /// - Parameter tokens: What to store; `nil` to remove what is stored.
    func save(_ tokens: OAuthTokens?) async throws
}

/// A store that forgets everything when the program ends.
struct ForgetfulTokenStore: OAuthTokenStore {
    func load() async throws -> OAuthTokens? { nil }
    func save(_ tokens: OAuthTokens?) async throws {}
}
