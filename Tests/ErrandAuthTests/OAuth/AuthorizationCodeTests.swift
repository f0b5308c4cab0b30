import Errand
import TestSupport
import Testing

@testable import ErrandAuth

struct `The authorization code flow` {
    private let server = AuthorizationServer(.tokens(1))

    private func client(_ change: (inout OAuthServer) -> Void = { _ in }) -> OAuthClient {
        var endpoints = OAuthServer.test
        change(&endpoints)
        return OAuthClient(id: "app", server: endpoints, service: server.service)
    }

    private func items(_ url: URL) -> [String: String] {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { "\($0) twice: \($1)" })
    }

    /// A redirect URL of an authorization, with this query.
    private func redirect(_ authorization: OAuthAuthorization, _ query: String) throws -> URL {
        try #require(URL(string: "app:/in?\(query.replacingOccurrences(of: "STATE", with: authorization.state))"))
    }

    @Test func `the code challenge is derived from the verifier as in RFC 7636`() {
        let verifier = CodeVerifier("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(verifier.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func `each authorization has a new verifier and state in the format of RFC 7636`() async throws {
        var seen: Set<String> = []
        for _ in 0..<50 {
            let authorization = try await client().authorization(redirectURI: "app:/in")
            for text in [authorization.codeVerifier, authorization.state] {
                #expect(text.wholeMatch(of: #/[A-Za-z0-9\-._~]{43,128}/#) != nil, "\(text)")
                seen.insert(text)
            }
        }
        #expect(seen.count == 100)
        #expect(server.requests.isEmpty)
    }

    @Test func `the authorization URL has the parameters of RFC 6749`() async throws {
        let client = client { $0.authorizationEndpoint = "https://id.test/authorize?tenant=a%2Bb" }
        let authorization = try await client.authorization(
            redirectURI: "https://app.test/in?x=1&y", scope: ["books", "a b"],
            parameters: ["prompt": "login +", "state": "mine", "code_challenge_method": "plain"])
        #expect(
            authorization.url.absoluteString.hasPrefix("https://id.test/authorize?tenant=a%2Bb&response_type=code&"))
        var items = items(try #require(URL(string: authorization.url.absoluteString.replacing("+", with: "%20"))))
        #expect(items.removeValue(forKey: "code_challenge") == CodeVerifier(authorization.codeVerifier).challenge)
        #expect(
            items == [
                "tenant": "a+b", "response_type": "code", "client_id": "app",
                "redirect_uri": "https://app.test/in?x=1&y",
                "scope": "books a b", "state": authorization.state, "code_challenge_method": "S256",
                "prompt": "login +",
            ])
    }

    @Test func `the authorization code is exchanged for tokens with the verifier`() async throws {
        let client = client()
        let authorization = try await client.authorization(redirectURI: "app:/in", scope: ["books"])
        let redirect = try redirect(authorization, "code=a%2Bb+c&state=STATE&iss=https%3A%2F%2Fid.test&session_state=1")
        let tokens = try await client.tokens(from: redirect, for: authorization)
        #expect(tokens.accessToken.value == "access1" && tokens.refreshToken == "refresh1" && tokens.scope == ["books"])
        #expect(
            server.forms == [
                [
                    "grant_type": "authorization_code", "code": "a+b c", "redirect_uri": "app:/in",
                    "code_verifier": authorization.codeVerifier, "client_id": "app",
                ]
            ])
    }

    @Test func `an authorization restored from its stored values can be completed`() async throws {
        let begun = try await client().authorization(redirectURI: "app:/in", scope: ["books"])
        let kept = OAuthAuthorization(
            url: begun.url, redirectURI: "app:/in", scope: ["books"], state: begun.state,
            codeVerifier: begun.codeVerifier)
        #expect(kept == begun)
        _ = try await client().tokens(from: redirect(begun, "code=c&state=STATE"), for: kept)
        #expect(server.forms.first?["code_verifier"] == begun.codeVerifier)
    }

    @Test(arguments: [
        "code=c", "code=c&state=", "code=c&state=other", "code=c&state=STATEx", "state=STATE", "state=STATE&code=",
        "code=c&code=d&state=STATE", "code=c&state=STATE&state=STATE", "error=access_denied", "",
        "error=access_denied&state=other", "code=c&state=STATE&iss=https://evil.test",
        "error=access_denied&state=STATE&iss=https://evil.test", "code=c&state=STATE&iss=https://id.test/",
        "code=c&state=STATE&iss=",
    ])
    func `a redirect that does not match the authorization is rejected without a request`(
        _ query: String
    ) async throws {
        let authorization = try await client().authorization(redirectURI: "app:/in")
        let redirect = try redirect(authorization, query)
        let error = await expectFailure(.authenticationFailed) {
            try await client().tokens(from: redirect, for: authorization)
        }
        #expect(error?.reason?.isEmpty == false)
        #expect(server.requests.isEmpty)
    }

    @Test func `a redirect without an issuer is rejected if the server requires one`() async throws {
        let strict = client { $0.requiresIssuer = true }
        let authorization = try await strict.authorization(redirectURI: "app:/in")
        let without = try redirect(authorization, "code=c&state=STATE")
        await expectFailure(.authenticationFailed) { try await strict.tokens(from: without, for: authorization) }
        _ = try await strict.tokens(
            from: redirect(authorization, "code=c&state=STATE&iss=https://id.test"), for: authorization)
        // A client without an issuer ignores the issuer of the redirect.
        let any = client { $0.issuer = nil }
        _ = try await any.tokens(
            from: redirect(authorization, "code=c&state=STATE&iss=https://x.test"), for: authorization)
        #expect(server.requests.count == 2)
    }

    @Test func `an error in the redirect is thrown`() async throws {
        let authorization = try await client().authorization(redirectURI: "app:/in")
        let redirect = try redirect(
            authorization, "error=access_denied&error_description=not+today%21&error_uri=https%3A%2F%2Fx&state=STATE")
        let error = await expectOAuthError(.accessDenied) {
            try await client().tokens(from: redirect, for: authorization)
        }
        #expect(error == OAuthError(.accessDenied, message: "not today!", uri: "https://x"))
        #expect(server.requests.isEmpty)
    }

    @Test func `an authorization without a valid authorization endpoint fails`() async {
        for endpoint in [nil, "authorize"] {
            let client = client { $0.authorizationEndpoint = endpoint }
            await expectFailure(.invalidURL) { try await client.authorization(redirectURI: "app:/in") }
        }
    }

    @Test func `parameters are pushed first if the server has a pushed authorization endpoint`() async throws {
        let server = AuthorizationServer(.json("{\"request_uri\": \"urn:x:1 2\", \"expires_in\": 60}", status: 201))
        var endpoints = OAuthServer.test
        endpoints.pushedAuthorizationRequestEndpoint = "https://id.test/par"
        let client = OAuthClient(id: "app", secret: "s", server: endpoints, service: server.service)
        let authorization = try await client.authorization(redirectURI: "app:/in", scope: ["books"])
        #expect(authorization.url.absoluteString == "https://id.test/authorize?client_id=app&request_uri=urn%3Ax%3A1+2")
        let request = try #require(server.requests.first)
        #expect(request.url == "https://id.test/par" && request.basicPair == "app:s")
        #expect(
            request.form == [
                "response_type": "code", "client_id": "app", "redirect_uri": "app:/in", "scope": "books",
                "state": authorization.state, "code_challenge_method": "S256",
                "code_challenge": CodeVerifier(authorization.codeVerifier).challenge,
            ])
        let refusing = AuthorizationServer(.refusal(.invalidRequest))
        let other = OAuthClient(id: "app", server: endpoints, service: refusing.service)
        await expectOAuthError(.invalidRequest) { try await other.authorization(redirectURI: "app:/in") }
    }
}
