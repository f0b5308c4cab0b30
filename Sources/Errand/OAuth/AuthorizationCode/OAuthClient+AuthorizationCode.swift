extension OAuthClient {
    /// Begins the authorization code flow with PKCE (RFC 6749, section 4.1; RFC 7636 with `S256`).
    ///
    /// Nothing is sent, unless the server has a ``OAuthServer/pushedAuthorizationRequestEndpoint``: the request is sent there, and its
    /// ``OAuthAuthorization/url`` is valid for as long as the server says, often a minute (RFC 9126).
    ///
    /// - Parameters:
    ///   - redirectURI: Where the server sends the browser after the user has signed in, character by character as it is registered.
    ///   - scope: What the tokens have to allow; empty by default, which leaves it to the server.
    ///   - parameters: Other parameters, such as `prompt` or `login_hint`. Those of the protocol cannot be replaced.
    /// - Returns: The URL for the browser, and what is needed after that. State and verifier are new each time.
    /// - Throws: ``ErrandError`` with `invalidURL` without a valid authorization endpoint; for a pushed request as
    ///   ``refreshedTokens(_:)``.
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
        // The endpoint may have a query, which stays (RFC 6749, section 3.1).
        components.percentEncodedQuery = [components.percentEncodedQuery ?? "", form.query].filter { !$0.isEmpty }
            .joined(separator: "&")
        return OAuthAuthorization(
            url: components.url ?? endpoint, redirectURI: redirectURI, scope: scope, state: state,
            codeVerifier: verifier.secret.text)
    }

    /// Checks a redirect and redeems its code.
    ///
    /// The `state` must be the one of the authorization, and `iss` the issuer of the server, as ``OAuthServer/issuer`` says
    /// (RFC 9207); otherwise nothing is sent. A code can be redeemed once: another call with the same redirect fails with
    /// ``OAuthError/Code/invalidGrant``.
    ///
    /// - Parameters:
    ///   - redirect: The URL to which the server sent the browser.
    ///   - authorization: What ``authorization(redirectURI:scope:parameters:)`` returned.
    /// - Throws: ``OAuthError`` if the redirect or the response says what is wrong, such as `access_denied`; ``ErrandError`` with
    ///   `authenticationFailed` if the redirect is not one of this authorization; otherwise as ``refreshedTokens(_:)``.
    public func tokens(from redirect: URL, for authorization: OAuthAuthorization) async throws -> OAuthTokens {
        let code = try OAuthRedirect(redirect).code(for: authorization, of: server)
        var form = OAuthForm(["grant_type": "authorization_code", "redirect_uri": authorization.redirectURI])
        form.add("code", secret: code)
        form.add("code_verifier", secret: authorization.verifier.secret)
        return try await requestTokens(form, scope: authorization.scope)
    }
}
