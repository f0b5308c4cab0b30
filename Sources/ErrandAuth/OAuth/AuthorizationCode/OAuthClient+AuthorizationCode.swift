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
    /// The `state` must be that of the authorization, and `iss` must be the server's ``OAuthServer/issuer`` (RFC 9207).
    /// Otherwise nothing is sent. A code can be redeemed once; another call with the same redirect fails with
    /// ``OAuthError/Code/invalidGrant``.
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
