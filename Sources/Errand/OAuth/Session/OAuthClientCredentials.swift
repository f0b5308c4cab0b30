/// The tokens of a client that acts on its own behalf: the client credentials flow (RFC 6749, section 4.4).
///
/// ```swift
/// static let authentication = TokenAuthentication(OAuthClientCredentials(client, scope: ["books:read"]))
/// ```
///
/// The token is kept in memory. A new one is requested in the same way, since this flow has no refresh token.
public struct OAuthClientCredentials: CredentialProvider {
    private let stored: StoredCredential

    /// Creates a provider, which requests its first token when a request needs one.
    ///
    /// - Parameters:
    ///   - client: The client, which must have a secret, unless the transport or an interceptor of its service authenticates it.
    ///   - scope: What the token has to allow; empty by default, which leaves it to the server.
    ///   - parameters: Other fields of the request, such as the `audience` of some servers. Fields of the protocol cannot be replaced.
    public init(_ client: OAuthClient, scope: [String] = [], parameters: [String: String] = [:]) {
        stored = StoredCredential(nil) { _, _ in
            try await client.tokens(scope: scope, parameters: parameters).accessToken
        }
    }

    /// Returns the last token; `nil` before the first.
    public func credential() async throws -> AccessToken? { try await stored.credential() }

    /// Requests a token.
    ///
    /// - Parameter old: The token that is replaced.
    /// - Throws: As ``OAuthClient/refreshedTokens(_:)``.
    public func refresh(_ old: AccessToken?) async throws -> AccessToken { try await stored.refresh(old) }
}

extension OAuthClientCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the type.
    public var description: String { "OAuthClientCredentials" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// No children, so that `dump` shows no token.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
