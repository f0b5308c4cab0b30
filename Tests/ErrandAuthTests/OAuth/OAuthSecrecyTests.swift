import Errand
import ErrandAuth
import TestSupport
import Testing

/// Secrets that are sent to an authorization server, and that it quotes, appear in no text.
struct `The secrets of OAuth` {
    private static let secret = "hunter2 hunter2"

    /// Quotes the whole request in its response.
    private let server = AuthorizationServer { request in
        let quoted = (request.form.values + [request.authorization ?? "", request.basicPair ?? ""]).sorted()
        let text = quoted.joined(separator: ", ").replacingOccurrences(of: "\"", with: "'")
        let encoded = text.replacingOccurrences(of: " ", with: "+")
        return .json(
            "{\"error\": \"invalid_request\", \"error_description\": \"\(text)\", \"error_uri\": \"https://x?\(encoded)\"}",
            status: 400)
    }

    @Test(arguments: [OAuthClient.Authentication.basic, .post])
    func `OAuth secrets are redacted in responses that quote them`(
        _ authentication: OAuthClient.Authentication
    ) async throws {
        let client = OAuthClient(
            id: "app", secret: Self.secret, authentication: authentication, server: .test, service: server.service)
        let authorization = OAuthAuthorization(
            url: try #require(URL(string: "https://id.test/authorize?state=hunter2")), redirectURI: "app:/", state: "s",
            codeVerifier: "hunter2hunter2")
        let redirect = try #require(URL(string: "app:/?state=s&code=hunter2%20code&iss=https://id.test"))
        let old = OAuthTokens(accessToken: AccessToken("a"), refreshToken: "hunter2refresh")
        let errors = [
            await expectOAuthError(.invalidRequest) { try await OAuthClientCredentials(client).refresh(nil) },
            await expectOAuthError(.invalidRequest) { try await client.refreshedTokens(old) },
            await expectOAuthError(.invalidRequest) { try await client.tokens(from: redirect, for: authorization) },
        ]
        for error in errors {
            let error = try #require(error)
            #expect(error.message?.contains("***") == true)
            var dumped = ""
            dump(error, to: &dumped)
            for shown in [error.message ?? "", error.uri ?? "", "\(error)", dumped] {
                #expect(!shown.contains("hunter2") && !shown.contains("aHVudGVy"), "\(shown)")
            }
        }
    }

    @Test func `OAuth secrets are redacted in a log that shows bodies`() async throws {
        let server = AuthorizationServer { request in
            request.url.hasSuffix("device")
                ? .json(
                    """
                    {"device_code": "hunter2", "user_code": "AB-CD", "verification_uri": "https://id.test/d", "expires_in": 60}
                    """)
                : .json("{\"access_token\": \"hunter2\", \"refresh_token\": \"hunter2\", \"scope\": \"books\"}")
        }
        var disclosure = LogDisclosure()
        disclosure.showsBodies = true
        disclosure.showsCurlCommand = true
        let lines = Recorder<String>()
        let logging = LoggingInterceptor(level: .trace, disclosure: disclosure) { lines.record("\($0)") }
        let service = APIService(session: server, interceptors: [logging])
        let client = OAuthClient(
            id: "app", secret: "hunter2", authentication: .post, server: .test, service: service)
        let authorization = OAuthAuthorization(
            url: try #require(URL(string: "https://id.test/authorize")), redirectURI: "app:/", state: "s",
            codeVerifier: "hunter2")
        let redirect = try #require(URL(string: "app:/?state=s&code=hunter2"))
        let tokens = try await client.tokens(from: redirect, for: authorization)
        _ = try await client.refreshedTokens(tokens)
        _ = try await client.deviceAuthorization()
        let text = lines.elements.joined(separator: "\n")
        #expect(text.contains("authorization_code") && text.contains("AB-CD"), "\(text)")
        #expect(!text.contains("hunter2"), "\(text)")
    }

    @Test func `OAuth secrets are redacted in the error of a request that waits for a token`() async throws {
        let client = OAuthClient(id: "app", secret: "hunter2", server: .test, service: server.service)
        let authentication = TokenAuthentication(OAuthClientCredentials(client))
        let error = await expectFailure(.authenticationFailed) {
            try await authentication.intercept(limitedRequest(), next: Next { _ in DataResponse(statusCode: 204) })
        }
        #expect(error?.reason?.contains("invalid_request: Basic ***, app:***") == true, "\(error as Any)")
        #expect((error?.underlyingError as? OAuthError)?.code == .invalidRequest)
        #expect("\(error as Any)".contains("hunter2") == false)
    }
}
