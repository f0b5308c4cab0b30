public import Errand

extension OAuthClient {
    /// Begins the authorization code flow with PKCE (RFC 6749, section 4.1; RFC 7636 with `S256`).
    ///
    /// Sends nothing, unless the server has a ``OAuthServer/pushedAuthorizationRequestEndpoint``. In that case it sends
    /// the authorization request there, and the ``OAuthAuthorization/url`` expires when the server says, often after a
    /// minute (RFC 9126).
    ///
    /// - Parameters:
    ///   - redirectURI: The URI to which the server redirects the browser after the sign-in, exactly as it is
    ///     registered.
    ///   - scope: The requested scope of the tokens; empty by default, and the server chooses it.
    ///   - parameters: Further parameters, such as `prompt` or `login_hint`. They do not replace parameters of the
    ///     protocol.
    /// - Returns: The URL for the browser and the values that redeem the code. State and verifier are new in each call.
    /// - Throws: ``/Errand/ErrandError`` with `invalidURL` if the authorization endpoint is missing or invalid; for a
    ///   pushed request also the errors of ``refreshedTokens(_:)``.
    public func authorization(
        redirectURI: String, scope: [String] = [], parameters: [String: String] = [:]
    ) async throws -> OAuthAuthorization {
        let endpoint = try Self.url(server.authorizationEndpoint, "authorization endpoint")
        let (state, verifier) = (String.randomToken(), CodeVerifier.random())
        let fields: KeyValuePairs = [
            "response_type": "code", "client_id": id, "redirect_uri": redirectURI, "state": state,
            "code_challenge": verifier.challenge, "code_challenge_method": "S256",
        ]
        var form = OAuthForm(fields, scope: scope, others: parameters)
        if let pushed = server.pushedAuthorizationRequestEndpoint {
            let document = try await send(form, to: pushed, "pushed authorization request endpoint")
            // The URL then contains only a reference to the parameters that the server has received.
            form = OAuthForm(["client_id": id, "request_uri": try document.text("request_uri")])
        }
        guard var components = URLComponents(url: endpoint, resolvingAgainstBaseURL: true) else {
            throw ErrandError(.invalidURL, reason: "the authorization endpoint is not a valid HTTP URL")
        }
        // Keeps a query of the endpoint (RFC 6749, section 3.1).
        components.percentEncodedQuery = [components.percentEncodedQuery ?? "", form.query].filter { !$0.isEmpty }
            .joined(separator: "&")
        return OAuthAuthorization(
            url: components.url ?? endpoint, redirectURI: redirectURI, scope: scope, state: state,
            codeVerifier: verifier.secret.text)
    }

    /// Checks a redirect and redeems its code.
    ///
    /// The `state` must be that of the authorization. If the server has an ``OAuthServer/issuer``, a parameter `iss`
    /// must be identical to it (RFC 9207). Otherwise nothing is sent. A code can be redeemed once; another call with
    /// the same redirect fails with ``OAuthError/Code/invalidGrant``.
    ///
    /// - Parameters:
    ///   - redirect: The URL to which the server redirected the browser.
    ///   - authorization: The result of ``authorization(redirectURI:scope:parameters:)``.
    /// - Throws: ``OAuthError`` if the redirect or the response contains an error, such as `access_denied`;
    ///   ``/Errand/ErrandError`` with `authenticationFailed` if the redirect does not belong to this authorization;
    ///   otherwise the errors of ``refreshedTokens(_:)``.
    public func tokens(from redirect: URL, for authorization: OAuthAuthorization) async throws -> OAuthTokens {
        let code = try OAuthRedirect(redirect).code(for: authorization, of: server)
        var form = OAuthForm(["grant_type": "authorization_code", "redirect_uri": authorization.redirectURI])
        form.add("code", secret: code)
        form.add("code_verifier", secret: authorization.verifier.secret)
        return try await requestTokens(form, scope: authorization.scope)
    }
}

/// An authorization request (RFC 6749, section 4.1.1), with the values that are needed later to redeem its code.
///
/// ```swift
/// let authorization = try await client.authorization(redirectURI: "com.example.library:/signed-in", scope: ["books"])
/// open(authorization.url)
/// // The system calls back with the redirect.
/// let tokens = try await client.tokens(from: redirect, for: authorization)
/// ```
///
/// A web application handles the two calls in different requests of the browser. It stores ``state`` and
/// ``codeVerifier`` in the browser's session and creates this value again from them. The description of this value
/// shows neither.
public struct OAuthAuthorization: Hashable, Sendable {
    /// The URL of the page where the user signs in, to be opened in a browser.
    public let url: URL
    /// The URI to which the server redirects the browser after the sign-in, exactly as in the authorization request.
    public let redirectURI: String
    /// The requested scope of the tokens.
    public let scope: [String]
    private let stateSecret: Secret
    let verifier: CodeVerifier

    /// The value that the redirect must contain (RFC 6749, section 10.12): 43 random characters. It prevents an
    /// attacker from signing the user in with the attacker's code.
    public var state: String { stateSecret.text }
    /// The secret that redeems the code (RFC 7636): 43 random characters.
    public var codeVerifier: String { verifier.secret.text }

    /// Creates an authorization again from stored values.
    ///
    /// - Parameters:
    ///   - url: The URL of the page where the user signs in.
    ///   - redirectURI: The URI to which the server redirects the browser.
    ///   - scope: The requested scope; empty by default.
    ///   - state: The value that the redirect must contain.
    ///   - codeVerifier: The secret that redeems the code.
    public init(url: URL, redirectURI: String, scope: [String] = [], state: String, codeVerifier: String) {
        self.url = url
        self.redirectURI = redirectURI
        self.scope = scope
        stateSecret = Secret(state)
        verifier = CodeVerifier(codeVerifier)
    }
}

extension OAuthAuthorization: Confidential {
    /// The endpoint without its query values.
    public var description: String { "OAuthAuthorization(\(url.redacted))" }
}

/// The parameters of the redirect from an authorization server back to the client (RFC 6749, section 4.1.2).
struct OAuthRedirect: Sendable {
    private let parameters: [String: String]

    /// - Throws: ``/Errand/ErrandError`` with `authenticationFailed` if a parameter occurs twice (RFC 6749, section
    ///   3.1).
    init(_ url: URL) throws(ErrandError) {
        var parameters: [String: String] = [:]
        for item in (url.query(percentEncoded: true) ?? "").formItems {
            guard parameters.updateValue(item.value, forKey: item.name) == nil else {
                throw Self.fault("the redirect contains a parameter more than once")
            }
        }
        self.parameters = parameters
    }

    /// Checks that the redirect belongs to an authorization, and returns its code.
    ///
    /// - Throws: ``OAuthError`` if the redirect contains an error; ``/Errand/ErrandError`` with `authenticationFailed`
    ///   if it does not belong to the authorization, or contains neither a code nor an error.
    func code(for authorization: OAuthAuthorization, of server: OAuthServer) throws -> Secret {
        guard let state = parameters["state"], !state.isEmpty, state == authorization.state else {
            throw Self.fault("the state in the redirect is missing or differs from that of the authorization")
        }
        // Checks the issuer before the error: an error from another server says nothing about this authorization.
        if let issuer = server.issuer {
            guard parameters["iss"] == issuer || (parameters["iss"] == nil && !server.requiresIssuer) else {
                throw Self.fault(
                    parameters["iss"] == nil
                        ? "the redirect has no issuer (iss), which the server must send"
                        : "the issuer (iss) in the redirect differs from that of the OAuthServer")
            }
        }
        let secrets = [Secret(authorization.state), authorization.verifier.secret]
        if let error = OAuthError(hiding: secrets, member: { parameters[$0] }) { throw error }
        guard let code = parameters["code"], !code.isEmpty else {
            throw Self.fault("the redirect has neither a code nor an error")
        }
        return Secret(code)
    }

    private static func fault(_ reason: String) -> ErrandError { ErrandError(.authenticationFailed, reason: reason) }
}

/// The PKCE code verifier: the secret that proves that the client that redeems a code also requested it (RFC 7636,
/// section 4).
struct CodeVerifier: Hashable, Sendable {
    let secret: Secret

    init(_ text: String) {
        secret = Secret(text)
    }

    /// A verifier of 43 characters, the minimum length of RFC 7636, with 256 random bits.
    static func random() -> CodeVerifier { CodeVerifier(.randomToken()) }

    /// The code challenge for the method `S256`: the SHA-256 digest of the verifier in base64url.
    var challenge: String { SHA256.digest(Data(secret.text.utf8)).base64URLEncoded }
}

extension String {
    /// 256 bits from the system's random number generator in base64url: 43 characters that need no percent-encoding in
    /// a URL.
    static func randomToken() -> String {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }).base64URLEncoded
    }
}

extension Data {
    /// Base64url without padding (RFC 4648, section 5).
    fileprivate var base64URLEncoded: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
