public import Errand

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

extension OAuthTokens: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The scope and whether there is a refresh token.
    public var description: String {
        let words =
            ["scope: \"\(scope.joined(separator: " "))\""] + (refreshSecret == nil ? [] : ["with refresh token"])
        return "OAuthTokens(\(words.joined(separator: ", ")))"
    }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no token either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
