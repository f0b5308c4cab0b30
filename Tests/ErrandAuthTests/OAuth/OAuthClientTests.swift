import Errand
import ErrandAuth
import TestSupport
import Testing

struct `An OAuth client` {
    private let server = AuthorizationServer(.tokens(1))
    private let secret = "p:a%s +ä"

    private func client(
        secret: String? = nil, _ authentication: OAuthClient.Authentication = .basic, endpoint: String? = nil
    ) -> OAuthClient {
        var endpoints = OAuthServer.test
        if let endpoint { endpoints.tokenEndpoint = endpoint }
        return OAuthClient(
            id: "an app:1", secret: secret, authentication: authentication, server: endpoints, service: server.service)
    }

    @Test func `the client identifier and secret are form-encoded before Basic authentication`() async throws {
        _ = try await OAuthClientCredentials(client(secret: secret)).refresh(nil)
        let request = try #require(server.requests.first)
        #expect(request.authorization?.hasPrefix("Basic ") == true)
        // A space is not a plus sign: many servers undo only percent-encoding.
        #expect(request.basicPair == "an%20app%3A1:p%3Aa%25s%20%2B%C3%A4")
        #expect(request.form == ["grant_type": "client_credentials"])
        #expect(request.accept == "application/json")
        #expect(request.url == "https://id.test/token")
    }

    @Test func `the post authentication method sends the client secret in the body`() async throws {
        _ = try await OAuthClientCredentials(client(secret: secret, .post)).refresh(nil)
        let request = try #require(server.requests.first)
        #expect(request.authorization == nil)
        #expect(
            request.form == ["grant_type": "client_credentials", "client_id": "an app:1", "client_secret": secret])
    }

    @Test(arguments: [OAuthClient.Authentication.basic, .post])
    func `a public client sends only its identifier`(_ authentication: OAuthClient.Authentication) async throws {
        _ = try await OAuthClientCredentials(client(authentication)).refresh(nil)
        let request = try #require(server.requests.first)
        #expect(request.authorization == nil)
        #expect(request.form == ["grant_type": "client_credentials", "client_id": "an app:1"])
    }

    @Test func `scope and extra parameters do not replace the protocol parameters`() async throws {
        let provider = OAuthClientCredentials(
            client(), scope: ["books:read", "books:write"],
            parameters: ["audience": "library & more", "grant_type": "password", "client_id": "other"])
        _ = try await provider.refresh(nil)
        #expect(
            server.forms == [
                [
                    "grant_type": "client_credentials", "client_id": "an app:1", "scope": "books:read books:write",
                    "audience": "library & more",
                ]
            ])
    }

    @Test func `an endpoint keeps its escapes if it has a character that must be escaped`() async throws {
        let query = "?x[y]=1&q=a%20b"
        var endpoints = OAuthServer(issuer: "https://id.test", tokenEndpoint: "https://id.test/token" + query)
        endpoints.authorizationEndpoint = "https://id.test/authorize" + query
        endpoints.deviceAuthorizationEndpoint = "https://id.test/device" + query
        let client = OAuthClient(id: "app", server: endpoints, service: server.service)
        _ = try await OAuthClientCredentials(client).refresh(nil)
        _ = try? await client.deviceAuthorization()
        let escaped = "?x%5By%5D=1&q=a%20b"
        #expect(server.requests.map(\.url) == ["https://id.test/token" + escaped, "https://id.test/device" + escaped])
        let page = try await client.authorization(redirectURI: "app:/in").url
        #expect(page.absoluteString.hasPrefix("https://id.test/authorize\(escaped)&"))
    }

    @Test(arguments: ["", "token", "ftp://id.test/token", "https:///token", "ht tp://x"])
    func `a token endpoint that is not an HTTP URL fails without a request`(_ endpoint: String) async {
        await expectFailure(.invalidURL) {
            try await OAuthClientCredentials(client(endpoint: endpoint)).refresh(nil)
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `token requests use the fields and interceptors of the service but need no token`() async throws {
        struct Mark: Interceptor {
            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                #expect(request.urlRequest.value(forHTTPHeaderField: "X-Tenant") == "acme")
                #expect(request.urlRequest.value(forHTTPHeaderField: "Accept") == "application/json")
                return try await next(request)
            }
        }
        let waiting = TokenAuthentication { _ in
            Issue.record("the token endpoint must not need a token")
            return AccessToken("none")
        }
        let service = APIService(
            headers: ["X-Tenant": "acme", "Accept": "text/html"], session: server, interceptors: [waiting, Mark()])
        let client = OAuthClient(id: "app", server: .test, service: service)
        let old = OAuthTokens(accessToken: AccessToken("old"), refreshToken: "r")
        #expect(try await client.refreshedTokens(old).accessToken.value == "access1")
        #expect(server.requests.count == 1)
    }

    @Test func `a token request with its secrets is not redirected`() async throws {
        let sent = RecordingTransport(
            response: DataResponse(statusCode: 307, headers: ["Location": "https://evil.test"]))
        let client = OAuthClient(
            id: "app", secret: "hunter2", server: .test, service: APIService(session: sent))
        let error = await expectFailure(.unacceptableStatusCode) {
            try await OAuthClientCredentials(client).refresh(nil)
        }
        #expect(error?.statusCode == 307)
        #expect(sent.sent.elements.map { "\($0.redirectPolicy)" } == ["ignore"])
    }
}
