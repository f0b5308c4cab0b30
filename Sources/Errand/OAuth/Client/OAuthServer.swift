/// The endpoints of an authorization server (RFC 6749, section 3), and what it promises about them.
///
/// ```swift
/// let server = OAuthServer(
///     issuer: "https://id.example.com", tokenEndpoint: "https://id.example.com/token",
///     authorizationEndpoint: "https://id.example.com/authorize")
/// ```
///
/// Endpoints are whole URLs with `https`; `http` is for tests on the same machine. A flow fails with
/// ``ErrandError/Code-swift.struct/invalidURL`` if its endpoint is missing or is not an HTTP URL, and nothing is sent. The fields of
/// the server's metadata (RFC 8414) have the same names.
public struct OAuthServer: Hashable, Sendable {
    /// The identifier of the server (RFC 8414, section 2), with which the `iss` of a redirect is compared character by character
    /// (RFC 9207); `nil`, the default, compares nothing.
    public var issuer: String?
    /// Whether a redirect without `iss` is refused; `false` by default. Set it if the metadata of the server says
    /// `authorization_response_iss_parameter_supported`. It has no effect without ``issuer``.
    public var requiresIssuer = false
    /// Where tokens are issued.
    public var tokenEndpoint: String
    /// Where the user signs in, for the authorization code flow.
    public var authorizationEndpoint: String?
    /// Where an authorization request is sent before the user signs in (RFC 9126); `nil`, the default, puts it into the URL.
    public var pushedAuthorizationRequestEndpoint: String?
    /// Where a device code is issued, for the device code flow (RFC 8628).
    public var deviceAuthorizationEndpoint: String?

    /// Creates a server from its endpoints.
    ///
    /// - Parameters:
    ///   - issuer: The identifier of the server; `nil` by default.
    ///   - tokenEndpoint: Where tokens are issued.
    ///   - authorizationEndpoint: Where the user signs in; `nil` by default.
    ///   - pushedAuthorizationRequestEndpoint: Where an authorization request is sent first; `nil` by default.
    ///   - deviceAuthorizationEndpoint: Where a device code is issued; `nil` by default.
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

extension OAuthServer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The token endpoint without secrets.
    public var description: String {
        "OAuthServer(\(URL(string: tokenEndpoint)?.redacted.absoluteString ?? "no URL"))"
    }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone: a query of an endpoint may hold a key.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
