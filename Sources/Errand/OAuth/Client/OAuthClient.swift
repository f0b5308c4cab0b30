/// A client that is registered with an authorization server, and the flows with which it gets tokens (RFC 6749).
///
/// ```swift
/// let client = OAuthClient(id: "s6BhdRkqt3", secret: secret, server: server)
/// ```
///
/// | flow | |
/// |---|---|
/// | client credentials (RFC 6749, section 4.4) | ``OAuthClientCredentials`` |
/// | authorization code with PKCE (RFC 6749, section 4.1; RFC 7636) | ``authorization(redirectURI:scope:parameters:)``, then ``tokens(from:for:)`` |
/// | device code (RFC 8628) | ``deviceAuthorization(scope:parameters:)``, then ``tokens(for:)`` |
/// | refresh (RFC 6749, section 6) | ``OAuthSession``, or ``refreshedTokens(_:)`` |
///
/// Its requests go over the service that it is given, with its transport, interceptors and header fields; a base URL is not needed. They
/// are not redirected, pass no ``TokenAuthentication``, and end after 60 seconds. A client holds no state, so any number of tasks can use
/// it.
public struct OAuthClient: Sendable {
    /// How a client with a secret authenticates itself (RFC 6749, section 2.3.1).
    public enum Authentication: Hashable, Sendable {
        /// In the `Authorization` field, which every server supports: `client_secret_basic`.
        case basic
        /// In the body of the request, for servers that support nothing else: `client_secret_post`.
        case post
    }

    /// The identifier of the client, which is not a secret.
    public let id: String
    /// The endpoints of the authorization server.
    public let server: OAuthServer
    let secret: Secret?
    let authentication: Authentication
    let service: any APIService
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - id: The identifier that the server issued.
    ///   - secret: The secret of a confidential client; `nil`, the default, for a public client, such as an app, which cannot keep one.
    ///   - authentication: How the secret is sent; ``Authentication/basic`` by default. Both identifier and secret are encoded as
    ///     form fields before Basic.
    ///   - server: The endpoints of the authorization server.
    ///   - service: What carries the requests; a ``PlainService`` with its default transport by default. A service with other
    ///     interceptors than those for the authorization server sends it credentials that are not meant for it.
    ///   - clock: The clock for the intervals of the device code flow.
    ///   - now: Returns the current time, from which the end of a token is counted; the system's by default.
    public init(
        id: String, secret: String? = nil, authentication: Authentication = .basic, server: OAuthServer,
        service: any APIService = PlainService(), clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.id = id
        self.secret = secret.map(Secret.init)
        self.authentication = authentication
        self.server = server
        self.service = service
        self.clock = clock
        self.now = now
    }
}

extension OAuthClient: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The identifier and the server; nothing of the secret or of the service.
    public var description: String { "OAuthClient(\(id), \(server))" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
