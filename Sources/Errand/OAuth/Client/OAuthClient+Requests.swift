extension OAuthClient {
    /// Requests new tokens with a refresh token (RFC 6749, section 6). ``OAuthSession`` does this when it is needed.
    ///
    /// Many servers replace the refresh token: the one in `tokens` is used up then, also if the response is lost. So call it once, and
    /// store the result before anything else.
    ///
    /// - Parameter tokens: Tokens with a refresh token.
    /// - Returns: The new tokens, with the old refresh token and scope if the server names no others.
    /// - Throws: ``OAuthError``; ``ErrandError`` with `authenticationFailed` without a refresh token, with
    ///   `unacceptableStatusCode` or `decodingFailed` for a response that RFC 6749 does not describe, and as any request does. Cancelling
    ///   the task cancels the request, and the server may have replaced the token nevertheless.
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
    /// - Parameter scope: What was asked for, which the tokens allow if the server does not say it.
    func requestTokens(_ form: OAuthForm, scope: [String]) async throws -> OAuthTokens {
        let document = try await send(form, to: server.tokenEndpoint, "token endpoint")
        return try document.tokens(scope: scope, now: now())
    }

    /// Sends a form, with the client's authentication.
    ///
    /// - Parameter name: What errors call the endpoint.
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
        // Whatever interceptors the service has: the token that they wait for may be the one that this requests.
        let response = try await ProviderCall.run { try await Self.response(to: request, over: service) }
        let secrets = form.secrets + [secret, authorization].compactMap(\.self)
        return try OAuthDocument(response, of: request, name, hiding: secrets)
    }

    private static func response(
        to request: OAuthFormRequest, over service: some APIService
    ) async throws -> DataResponse {
        try await request.schedule(with: service).value
    }

    /// An endpoint as a URL.
    static func url(_ endpoint: String?, _ name: String) throws(ErrandError) -> URL {
        guard let endpoint else { throw ErrandError(.invalidURL, reason: "the server has no \(name)") }
        guard let url = URL(string: endpoint), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host()?.isEmpty == false
        else { throw ErrandError(.invalidURL, reason: "the \(name) is not a valid HTTP URL") }
        return url
    }
}

extension String {
    /// This text as a form writes it (RFC 6749, section 2.3.1), with `%20` for a space: some servers undo the percent-encoding alone.
    var basicEncoded: String { formURLEncoded.replacing("+", with: "%20") }
}
