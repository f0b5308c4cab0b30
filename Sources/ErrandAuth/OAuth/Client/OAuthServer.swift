import Errand

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
/// nothing. The fields of the server's metadata (RFC 8414) have the same names.
public struct OAuthServer: Hashable, Sendable {
    /// The identifier of the server (RFC 8414, section 2). The `iss` of a redirect must be identical to it (RFC 9207);
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

extension OAuthServer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The token endpoint without secrets.
    public var description: String {
        "OAuthServer(\(URL(lenient: tokenEndpoint)?.redacted.absoluteString ?? "no URL"))"
    }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone: a query of an endpoint may hold a key.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
