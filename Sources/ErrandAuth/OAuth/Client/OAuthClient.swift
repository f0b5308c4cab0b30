public import Errand

/// A client that is registered with an authorization server, and the flows that get its tokens (RFC 6749).
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
/// The client sends its requests through its service, with the service's transport, interceptors and header fields. The
/// service needs no base URL. Redirects are not followed, ``/Errand/TokenAuthentication`` does not apply, and a request
/// times out after 60 seconds. A client holds no state, so any number of tasks can use it.
public struct OAuthClient: Sendable {
    /// How a client with a secret authenticates itself (RFC 6749, section 2.3.1).
    public enum Authentication: Hashable, Sendable {
        /// In the `Authorization` header field: `client_secret_basic`. Every server supports it.
        case basic
        /// In the body of the request, for servers that support only that: `client_secret_post`.
        case post
    }

    /// The identifier of the client, which is not a secret.
    public let id: String
    /// The endpoints of the authorization server.
    public let server: OAuthServer
    let secret: Secret?
    let authentication: Authentication
    let service: APIService<any Error>
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - id: The identifier that the server issued.
    ///   - secret: The secret of a confidential client; `nil`, the default, for a public client, such as an app, which
    ///     cannot keep a secret.
    ///   - authentication: The place of the secret in the request; ``Authentication/basic`` by default. For Basic,
    ///     identifier and secret are form-encoded first.
    ///   - server: The endpoints of the authorization server.
    ///   - service: The service that sends the requests; by default the default transport. Its interceptors must be
    ///     meant for the authorization server: others, such as one that adds an API key, would send it credentials for
    ///     another server. Its `mapError` does not apply.
    ///   - clock: The clock for the intervals of the device code flow.
    ///   - now: Returns the current time, for the expiry of a token; the system's by default.
    public init(
        id: String, secret: String? = nil, authentication: Authentication = .basic, server: OAuthServer,
        service: APIService<any Error> = APIService(), clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.id = id
        self.secret = secret.map(Secret.init)
        self.authentication = authentication
        self.server = server
        // Without its `mapError`, since the flows need the errors of the requests.
        self.service = APIService(service.settings)
        self.clock = clock
        self.now = now
    }
}

extension OAuthClient: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The identifier and the server, without the secret and the service.
    public var description: String { "OAuthClient(\(id), \(server))" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
