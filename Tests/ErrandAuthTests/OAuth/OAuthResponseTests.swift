import Errand
import ErrandAuth
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

struct `A response of a token endpoint` {
    private let clock = ManualClock()

    private func tokens(_ response: DataResponse, scope: [String] = []) async throws -> OAuthTokens {
        let server = AuthorizationServer(response)
        let client = OAuthClient(id: "app", server: .test, service: server.service, now: { [clock] in clock.date })
        let old = OAuthTokens(accessToken: AccessToken("old"), refreshToken: "kept", scope: scope)
        return try await client.refreshedTokens(old)
    }

    @Test func `a token response has tokens with expiry, scope and a new refresh token`() async throws {
        let tokens = try await tokens(
            .json(
                """
                {"access_token": "a.b-c", "token_type": "bEARER", "expires_in": 600, "refresh_token": "r2", "scope": "x y"}
                """), scope: ["x", "y", "z"])
        #expect(tokens.accessToken == AccessToken("a.b-c", expiresAt: clock.date.addingTimeInterval(600)))
        #expect(tokens.refreshToken == "r2")
        #expect(tokens.scope == ["x", "y"])
    }

    /// The tokens were requested for `a`, `b` and `c`.
    @Test(
        arguments: [
            (#""a b""#, ["a", "b"]), (#""a  b ""#, ["a", "b"]), (#""a,b""#, ["a,b"]), (#""""#, []),
            (#"["a", "b"]"#, ["a", "b"]), (#"["a"]"#, ["a"]), ("[]", []), (#"["a b", "c"]"#, ["a", "b", "c"]),
            (#"["a", "", " b"]"#, ["a", "b"]), (#"["a", 7, null, ["b"]]"#, ["a"]), ("[7]", []),
            ("7", ["a", "b", "c"]), ("null", ["a", "b", "c"]), ("{}", ["a", "b", "c"]), ("true", ["a", "b", "c"]),
        ] as [(String, [String])])
    func `the granted scope is a string or an array`(_ scope: String, _ granted: [String]) async throws {
        let response = DataResponse.json(#"{"access_token": "a", "expires_in": 3600, "scope": \#(scope)}"#)
        #expect(try await tokens(response, scope: ["a", "b", "c"]).scope == granted)
    }

    @Test func `refresh token and scope are kept if the response contains none`() async throws {
        let tokens = try await tokens(.json("{\"access_token\": \"a\", \"token_type\": \"Bearer\"}"), scope: ["x"])
        #expect(tokens.accessToken == AccessToken("a", expiresAt: nil))
        #expect(tokens.refreshToken == "kept")
        #expect(tokens.scope == ["x"])
        #expect(
            try await self.tokens(.json("{\"access_token\": \"a\", \"refresh_token\": \"\"}")).refreshToken == "kept")
    }

    @Test(arguments: [
        ("\"600\"", 600.0), ("600.5", 600.5), ("-5", 0), ("1e300", 3_153_600_000), ("null", nil), ("\"soon\"", nil),
        ("\"nan\"", nil),
    ])
    func `the expiry of a token response is parsed from several formats`(
        _ text: String, _ seconds: Double?
    ) async throws {
        let tokens = try await tokens(.json("{\"access_token\": \"a\", \"expires_in\": \(text)}"))
        #expect(tokens.accessToken.expiresAt == seconds.map { clock.date.addingTimeInterval($0) })
    }

    @Test(arguments: [
        "", "{}", "[]", "null", "{\"access_token\": 7}", "{\"access_token\": \"\"}", "access_token=a&token_type=bearer",
        "{\"access_token\": \"hunter2\", \"token_type\": \"mac\"}", "{\"refresh_token\": \"hunter2\"}",
    ])
    func `a response without a usable token fails with an error that contains nothing of it`(
        _ text: String
    ) async throws {
        let error = try #require(await expectFailure(.decodingFailed) { try await tokens(.json(text)) })
        #expect(error.bodyPrefix.isEmpty && error.headers.isEmpty && error.statusCode == 200)
        #expect(error.url?.absoluteString == "https://id.test/token" && error.method == .post)
        #expect(!"\(error)".contains("hunter2"))
    }

    @Test(arguments: [500, 503, 404, 302])
    func `a token response that is not JSON fails with its status code`(_ status: Int) async {
        let error = await expectFailure(.unacceptableStatusCode) {
            try await tokens(.json("<h1>hunter2</h1>", status: status))
        }
        #expect(error?.statusCode == status && error?.bodyPrefix.isEmpty == true)
    }

    @Test(arguments: [400, 401, 403, 500, 200])
    func `an OAuth error document is thrown with any status code`(_ status: Int) async throws {
        let document = """
            {"error": "invalid_client", "error_description": "no such client", "error_uri": "https://id.test/help"}
            """
        let error = await expectOAuthError(.invalidClient) { try await tokens(.json(document, status: status)) }
        #expect(
            error
                == OAuthError(
                    .invalidClient, message: "no such client", uri: "https://id.test/help", statusCode: status))
        #expect(error?.localizedDescription == "invalid_client: no such client")
    }

    @Test func `an unknown OAuth error code is kept`() async {
        let error = await expectOAuthError(.init(rawValue: "insufficient_user_authentication")) {
            try await tokens(.refusal(.init(rawValue: "insufficient_user_authentication")))
        }
        #expect(error?.message == nil && error?.uri == nil && error?.statusCode == 400)
        #expect("\(error as Any)".contains("insufficient_user_authentication"))
    }

    @Test func `the message of an OAuth error is sanitized and truncated for logs`() async throws {
        let long = String(repeating: "x", count: 5_000)
        let error = await expectOAuthError(.init(rawValue: "invalid grant")) {
            try await tokens(
                .json("{\"error\": \"invalid\\ngrant\", \"error_description\": \"\\u001b[2J\(long)\"}", status: 400))
        }
        #expect(error?.message?.hasPrefix(" [2Jxx") == true)
        #expect(error?.message?.count == 500)
    }

    @Test func `a token request without a response fails with the transport error`() async {
        let server = AuthorizationServer { _ in throw URLError(.cannotConnectToHost) }
        let client = OAuthClient(id: "app", server: .test, service: server.service)
        await expectTransportFailure(.cannotConnectToHost) { try await OAuthClientCredentials(client).refresh(nil) }
    }
}
