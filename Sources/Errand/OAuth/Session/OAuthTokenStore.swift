/// A store that keeps the tokens of an ``OAuthSession`` between two runs of the program, such as a keychain or a file.
/// Usually an actor.
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
/// A session never calls ``save(_:)`` concurrently, and calls it in the order of the changes. If a call does not
/// return, the session waits for it.
public protocol OAuthTokenStore: Sendable {
    /// Returns the tokens of the last ``save(_:)``; `nil` if there are none.
    ///
    /// The session calls it when it is first used. Until the first call has returned, each request that needs a token
    /// calls it. If it throws, those requests fail, and the next request calls it again.
    func load() async throws -> OAuthTokens?

    /// Stores tokens in place of earlier ones; after a sign-out, removes them.
    ///
    /// The session uses new tokens after this call has returned. If it throws, they stay in memory, the requests that
    /// wait fail, and the next refresh calls it again. It is not cancelled.
    ///
    /// - Parameter tokens: The tokens to store; `nil` to remove the stored ones.
    func save(_ tokens: OAuthTokens?) async throws
}

/// A store that keeps nothing, for sessions in memory.
struct ForgetfulTokenStore: OAuthTokenStore {
    func load() async throws -> OAuthTokens? { nil }
    func save(_ tokens: OAuthTokens?) async throws {}
}
