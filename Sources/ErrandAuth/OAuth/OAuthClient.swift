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
        /// In the `Authorization` header field: `client_secret_basic`. RFC 6749 requires servers to support it.
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

extension OAuthClient: Confidential {
    /// The identifier and the server, without the secret and the service.
    public var description: String { "OAuthClient(\(id), \(server))" }
}

extension OAuthClient {
    /// Requests new tokens with a refresh token (RFC 6749, section 6). ``OAuthSession`` does this automatically.
    ///
    /// Many servers replace the refresh token. The one in `tokens` is then used up, even if the response is lost. So
    /// call this once, and store the result before you do anything else.
    ///
    /// - Parameter tokens: Tokens with a refresh token.
    /// - Returns: The new tokens. If the server sends no new refresh token or scope, those of `tokens`.
    /// - Throws: ``OAuthError``; ``/Errand/ErrandError`` with `authenticationFailed` if there is no refresh token, with
    ///   `unacceptableStatusCode` or `decodingFailed` for a response that does not conform to RFC 6749, and the errors
    ///   of any request. Cancelling the task cancels the request; the server may have replaced the refresh token
    ///   nevertheless.
    public func refreshedTokens(_ tokens: OAuthTokens) async throws -> OAuthTokens {
        guard let secret = tokens.refreshSecret else {
            throw ErrandError(.authenticationFailed, reason: "the tokens have no refresh token; sign in again")
        }
        var form = OAuthForm(["grant_type": "refresh_token"])
        form.add("refresh_token", secret: secret)
        let new = try await requestTokens(form, scope: tokens.scope)
        guard new.refreshSecret == nil else { return new }
        return OAuthTokens(accessToken: new.accessToken, refreshToken: tokens.refreshToken, scope: new.scope)
    }

    /// Requests tokens for the client itself (RFC 6749, section 4.4).
    func tokens(scope: [String], parameters: [String: String]) async throws -> OAuthTokens {
        let form = OAuthForm(["grant_type": "client_credentials"], scope: scope, others: parameters)
        return try await requestTokens(form, scope: scope)
    }

    /// Sends a grant to the token endpoint.
    ///
    /// - Parameter scope: The requested scope. The tokens get it if the response does not name a scope (RFC 6749,
    ///   section 5.1).
    func requestTokens(_ form: OAuthForm, scope: [String]) async throws -> OAuthTokens {
        let document = try await send(form, to: server.tokenEndpoint, "token endpoint")
        return try document.tokens(scope: scope, now: now())
    }

    /// Sends a form, with the client's authentication.
    ///
    /// - Parameter name: The name of the endpoint in errors.
    func send(_ form: OAuthForm, to endpoint: String?, _ name: String) async throws -> OAuthDocument {
        try await reply(to: form, from: endpoint, name).document()
    }

    /// Sends a form as ``send(_:to:_:)`` does, and returns the response before it is checked.
    func reply(to form: OAuthForm, from endpoint: String?, _ name: String) async throws -> OAuthReply {
        var form = form
        var authorization: Secret?
        switch (secret, authentication) {
        case (let secret?, .basic):
            let pair = "\(id.basicEncoded):\(secret.text.basicEncoded)"
            authorization = Secret(Data(pair.utf8).base64EncodedString())
        case (let secret?, .post):
            form.add("client_id", id)
            form.add("client_secret", secret: secret)
        case (nil, _):
            form.add("client_id", id)
        }
        let request = OAuthFormRequest(
            url: try Self.url(endpoint, name), form: form, authorization: authorization)
        // A provider call, because token interceptors of the service must not wait for the token that it requests.
        let response = try await ProviderCall.$isActive.withValue(true) {
            try await request.schedule(with: service).value
        }
        let secrets = form.secrets + [secret, authorization].compactMap(\.self)
        return OAuthReply(response: response, request: request, endpoint: name, secrets: secrets)
    }

    /// Returns an endpoint, which must be an HTTP URL.
    ///
    /// - Parameter name: The name of the endpoint in errors.
    static func url(_ endpoint: String?, _ name: String) throws(ErrandError) -> URL {
        guard let endpoint else { throw ErrandError(.invalidURL, reason: "the OAuthServer has no \(name)") }
        guard let url = URL(lenient: endpoint), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host()?.isEmpty == false
        else { throw ErrandError(.invalidURL, reason: "the \(name) is not a valid HTTP URL") }
        return url
    }
}

extension String {
    /// This text in form encoding for Basic (RFC 6749, section 2.3.1), with `%20` for a space: some servers decode only
    /// the percent-encoding.
    var basicEncoded: String { formURLEncoded.replacing("+", with: "%20") }
}

/// A request to an endpoint of an authorization server: a form, with the client's authentication.
struct OAuthFormRequest: EndpointRequest {
    let url: URL
    let form: OAuthForm
    /// The credentials for Basic, in base64.
    let authorization: Secret?

    var endpoint: Endpoint<DataResponse> {
        var headers: HeaderFields = ["Accept": "application/json"]
        if let authorization { headers["Authorization"] = "Basic \(authorization.text)" }
        let fields = form.fields.map { URLQueryItem(name: $0.name, value: $0.value) }
        return Endpoint(
            .post, url: url, headers: headers, body: .urlEncoded(URLQuery(fields)), settings: Self.settings
        ) { $0 }
    }

    /// Redirects are not followed: the body may hold secrets, and a redirect would send it to another URL. Error
    /// responses are decoded as well.
    private static let settings = RequestSettings(
        acceptedStatusCodes: .all, resourceTimeout: .seconds(60), maximumBodySize: 1 << 20, redirectPolicy: .ignore)
}

/// The parameters of a request to an authorization server.
struct OAuthForm: Sendable {
    private(set) var fields: [(name: String, value: String)]
    /// The secrets of the form, which must not be shown if the server repeats them.
    private(set) var secrets: [Secret] = []

    /// - Parameters:
    ///   - fields: The parameters of the flow.
    ///   - others: Parameters of the caller. Those with the name of another field are ignored.
    init(_ fields: KeyValuePairs<String, String>, scope: [String] = [], others: [String: String] = [:]) {
        self.fields = fields.map { ($0, $1) }
        if !scope.isEmpty { self.fields.append(("scope", scope.joined(separator: " "))) }
        for (name, value) in others.sorted(by: { $0.key < $1.key }) where !has(name) {
            self.fields.append((name, value))
        }
    }

    /// Adds a field in place of any fields with that name.
    mutating func add(_ name: String, _ value: String) {
        fields.removeAll { $0.name == name }
        fields.append((name, value))
    }

    /// Adds a field whose value must not be shown.
    mutating func add(_ name: String, secret: Secret) {
        add(name, secret.text)
        secrets.append(secret)
    }

    /// The fields as the query of a URL.
    var query: String {
        fields.map { "\($0.name.formURLEncoded)=\($0.value.formURLEncoded)" }.joined(separator: "&")
    }

    private func has(_ name: String) -> Bool { fields.contains { $0.name == name } }
}
