/// A store that keeps the tokens of an ``OAuthSession`` between two runs of the program, such as a keychain or a file.
/// It is usually an actor.
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
    /// A session loads its tokens once, when a request first needs one. Other requests that need a token before this
    /// call has returned call it too. If it throws, the request that called it fails, and the next request calls it
    /// again.
    func load() async throws -> OAuthTokens?

    /// Stores tokens in place of earlier ones; after a sign-out, removes them.
    ///
    /// A session uses new tokens only after this call has returned. If it throws after a refresh, the requests that
    /// wait for the refresh fail. The new tokens stay in memory, and the next refresh stores them instead of sending a
    /// request. Cancelling those requests does not cancel this call.
    ///
    /// - Parameter tokens: The tokens to store; `nil` to remove the stored ones.
    func save(_ tokens: OAuthTokens?) async throws
}

/// A store that keeps nothing, for sessions in memory.
struct ForgetfulTokenStore: OAuthTokenStore {
    func load() async throws -> OAuthTokens? { nil }
    func save(_ tokens: OAuthTokens?) async throws {}
}
