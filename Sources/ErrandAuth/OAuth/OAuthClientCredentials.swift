public import Errand

/// Provides the access token of a client that acts on its own behalf: the client credentials flow (RFC 6749, section
/// 4.4).
///
/// ```swift
/// static let authentication = TokenAuthentication(OAuthClientCredentials(client, scope: ["books:read"]))
/// ```
///
/// The token is kept in memory. This flow has no refresh token, so a refresh requests a new token in the same way.
public struct OAuthClientCredentials: CredentialProvider {
    private let stored: StoredCredential

    /// Creates a provider, which requests its first token when a request needs it.
    ///
    /// - Parameters:
    ///   - client: The client. It must have a secret, unless the transport or an interceptor of its service
    ///     authenticates it.
    ///   - scope: The requested scope; empty by default, and the server chooses it.
    ///   - parameters: Further parameters of the request, such as the `audience` of some servers. They do not replace
    ///     parameters of the protocol.
    public init(_ client: OAuthClient, scope: [String] = [], parameters: [String: String] = [:]) {
        // Neither the old token nor the response that rejected it is needed for a new token.
        stored = StoredCredential(nil) { _, _ in
            try await client.tokens(scope: scope, parameters: parameters).accessToken
        }
    }

    /// Returns the last token; `nil` before the first request for one.
    public func credential() async throws -> AccessToken? { try await stored.credential() }

    /// Requests a token.
    ///
    /// - Parameter old: The token that is replaced.
    /// - Throws: The errors of ``OAuthClient/refreshedTokens(_:)``.
    public func refresh(_ old: AccessToken?) async throws -> AccessToken { try await stored.refresh(old) }
}

extension OAuthClientCredentials: Confidential {
    /// The name of the type.
    public var description: String { "OAuthClientCredentials" }
}
