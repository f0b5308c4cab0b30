import Errand

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
            throw ErrandError(.authenticationFailed, reason: "there is no refresh token; sign in again")
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
        // Marked as a provider call: token interceptors of the service must not wait for the token that it requests.
        let response = try await ProviderCall.$isActive.withValue(true) {
            try await request.schedule(with: service).value
        }
        let secrets = form.secrets + [secret, authorization].compactMap(\.self)
        return try OAuthDocument(response, of: request, name, hiding: secrets)
    }

    /// An endpoint as a URL.
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
