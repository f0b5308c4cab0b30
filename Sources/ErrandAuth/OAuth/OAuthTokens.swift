public import Errand

/// The endpoints of an authorization server (RFC 6749, section 3) and its issuer.
///
/// ```swift
/// let server = OAuthServer(
///     issuer: "https://id.example.com", tokenEndpoint: "https://id.example.com/token",
///     authorizationEndpoint: "https://id.example.com/authorize")
/// ```
///
/// Endpoints are absolute URLs with `https`; use `http` only for tests on the same machine. If the endpoint of a flow
/// is missing or is not an HTTP URL, the flow fails with ``/Errand/ErrandError/Code-swift.struct/invalidURL`` and sends
/// nothing. The server's metadata (RFC 8414) has the endpoints under the same names, in snake case.
public struct OAuthServer: Hashable, Sendable {
    /// The identifier of the server (RFC 8414, section 2). An `iss` in a redirect must be identical to it (RFC 9207);
    /// `nil`, the default, turns the check off.
    public var issuer: String?
    /// Whether a redirect without `iss` is refused; `false` by default. Set it if the server's metadata contains
    /// `authorization_response_iss_parameter_supported`. It has no effect without ``issuer``.
    public var requiresIssuer = false
    /// The URL of the endpoint that issues tokens.
    public var tokenEndpoint: String
    /// The URL of the page where the user signs in, for the authorization code flow.
    public var authorizationEndpoint: String?
    /// The URL that accepts an authorization request before the user signs in (RFC 9126). If it is `nil`, the default,
    /// the request is part of the URL for the browser.
    public var pushedAuthorizationRequestEndpoint: String?
    /// The URL of the endpoint that issues device codes, for the device code flow (RFC 8628).
    public var deviceAuthorizationEndpoint: String?

    /// Creates a server from its endpoints.
    ///
    /// - Parameters:
    ///   - issuer: The identifier of the server; `nil` by default.
    ///   - tokenEndpoint: The URL of the endpoint that issues tokens.
    ///   - authorizationEndpoint: The URL of the page where the user signs in; `nil` by default.
    ///   - pushedAuthorizationRequestEndpoint: The URL that accepts authorization requests; `nil` by default.
    ///   - deviceAuthorizationEndpoint: The URL of the endpoint that issues device codes; `nil` by default.
    public init(
        issuer: String? = nil, tokenEndpoint: String, authorizationEndpoint: String? = nil,
        pushedAuthorizationRequestEndpoint: String? = nil, deviceAuthorizationEndpoint: String? = nil
    ) {
        self.issuer = issuer
        self.tokenEndpoint = tokenEndpoint
        self.authorizationEndpoint = authorizationEndpoint
        self.pushedAuthorizationRequestEndpoint = pushedAuthorizationRequestEndpoint
        self.deviceAuthorizationEndpoint = deviceAuthorizationEndpoint
    }
}

extension OAuthServer: Confidential {
    /// The token endpoint without secrets.
    public var description: String {
        "OAuthServer(\(URL(lenient: tokenEndpoint)?.redacted.absoluteString ?? "no URL"))"
    }
}

/// The tokens that an authorization server issues: an access token, usually with a refresh token (RFC 6749, section
/// 5.1).
///
/// Its descriptions show neither token. It is `Codable` for stores. The encoded form contains both tokens, so keep it
/// in a keychain or in a file that only its owner can read.
public struct OAuthTokens: Hashable, Sendable {
    /// The access token, with its scheme and its expiry.
    public let accessToken: AccessToken
    /// The scope of the tokens. If the server does not send it, this is the requested scope.
    public let scope: [String]
    let refreshSecret: Secret?

    /// The token that requests new tokens; `nil` if the server issued none.
    public var refreshToken: String? { refreshSecret?.text }

    /// Creates tokens that were issued elsewhere.
    ///
    /// - Parameters:
    ///   - accessToken: The access token.
    ///   - refreshToken: The token that requests new tokens; `nil` by default.
    ///   - scope: The scope of the tokens; empty by default.
    public init(accessToken: AccessToken, refreshToken: String? = nil, scope: [String] = []) {
        self.accessToken = accessToken
        refreshSecret = refreshToken.map(Secret.init)
        self.scope = scope
    }
}

extension OAuthTokens: Codable {
    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresAt = "expires_at"
        case refreshToken = "refresh_token"
        case scope
    }

    /// Decodes tokens that ``encode(to:)`` encoded.
    ///
    /// - Parameter decoder: Any decoder; its date strategy has no effect.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let expiresAt = try values.decodeIfPresent(Double.self, forKey: .expiresAt)
        self.init(
            accessToken: AccessToken(
                try values.decode(String.self, forKey: .accessToken),
                expiresAt: expiresAt.map(Date.init(timeIntervalSince1970:)),
                scheme: try values.decode(String.self, forKey: .tokenType)),
            refreshToken: try values.decodeIfPresent(String.self, forKey: .refreshToken),
            scope: try values.decode([String].self, forKey: .scope))
    }

    /// Encodes both tokens in plain text, and the expiry in seconds since 1970.
    ///
    /// - Parameter encoder: Any encoder; its date strategy has no effect.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(accessToken.value, forKey: .accessToken)
        try values.encode(accessToken.scheme, forKey: .tokenType)
        try values.encodeIfPresent(accessToken.expiresAt?.timeIntervalSince1970, forKey: .expiresAt)
        try values.encodeIfPresent(refreshToken, forKey: .refreshToken)
        try values.encode(scope, forKey: .scope)
    }
}

extension OAuthTokens: Confidential {
    /// The scope and whether there is a refresh token.
    public var description: String {
        let words =
            ["scope: \"\(scope.joined(separator: " "))\""] + (refreshSecret == nil ? [] : ["with refresh token"])
        return "OAuthTokens(\(words.joined(separator: ", ")))"
    }
}

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
    /// Returns the tokens of the last ``save(_:)``; `nil` before the first.
    ///
    /// A session calls this when a request needs a token, until a call has returned; requests that need one meanwhile
    /// call it concurrently. If it throws, the request that called it fails.
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
