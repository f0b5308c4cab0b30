import Errand
import ErrandAuth
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

private final class BooksRequest: APIBase, Request {
    init(_ authlib: Authlib, _ authentication: TokenAuthentication) {
        super.init()
        baseURL = authlib.url
        path = "/books"
        session = `OAuth with Authlib`.transport
        interceptors = [authentication]
        acceptedStatusCodes = [200]
    }

    func start() -> Pipeline<[String], any Error> { sendRequest().decode([String].self) }
}

/// A request that simulates a user in a browser, or a change of a token by the server.
private final class BrowserRequest: APIBase, Request {
    init(_ url: URL, _ method: RequestMethod = .get, _ path: RequestPath = "") {
        super.init()
        baseURL = url
        self.method = method
        self.path = path
        session = `OAuth with Authlib`.transport
        redirectPolicy = .ignore
    }

    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}

@Suite(.interop(.authlib), .hangGuard) struct `OAuth with Authlib` {
    fileprivate static let transport = CurlTransport.direct()
    private let clock = ManualClock()

    private func client(
        _ id: String, secret: String? = Authlib.secret, _ authentication: OAuthClient.Authentication = .basic
    ) async throws -> OAuthClient {
        var server = try await Authlib.shared.value.endpoints
        server.requiresIssuer = true
        return OAuthClient(
            id: id, secret: secret, authentication: authentication, server: server,
            service: APIService(session: Self.transport), clock: clock)
    }

    private func publicClient() async throws -> OAuthClient { try await client("public", secret: nil) }

    private func books(_ authentication: TokenAuthentication) async throws -> [String] {
        try await BooksRequest(Authlib.shared.value, authentication).start().value
    }

    /// Opens the URL of an authorization, and returns the URL that the browser is redirected to.
    private func browse(_ url: URL) async throws -> URL {
        let response = try await BrowserRequest(url).start().value
        return try #require(response.headers["Location"].flatMap { URL(string: $0) })
    }

    /// Makes the user allow or deny the authorization, or makes a token expire.
    private func tell(_ path: RequestPath) async throws {
        let response = try await BrowserRequest(Authlib.shared.value.url, .post, path).start().value
        #expect(response.statusCode == 200)
    }

    @Test(arguments: [("a basic:client", OAuthClient.Authentication.basic), ("post", .post)])
    func `Authlib issues tokens to a client with a secret`(
        _ id: String, _ method: OAuthClient.Authentication
    ) async throws {
        let client = try await client(id, method)
        let provider = OAuthClientCredentials(client, scope: ["books"])
        let authentication = TokenAuthentication(provider)
        #expect(try await books(authentication) == ["The Dispossessed"])
        let token = try #require(try await provider.credential())
        let lifetime = try #require(token.expiresAt).timeIntervalSinceNow
        #expect(lifetime > 800_000 && lifetime <= 864_000)
        // The server deletes the token, so another is requested.
        try await tell("/forget/\(token.value)")
        #expect(try await books(authentication) == ["The Dispossessed"])
        #expect(try await provider.credential() != token)
    }

    @Test func `Authlib rejects a wrong secret and a client that authenticates the wrong way`() async throws {
        for client in [
            try await client("a basic:client", secret: "wrong"), try await client("post", .basic),
            try await client("a basic:client", .post), try await client("nobody"),
        ] {
            let error = await expectOAuthError(.invalidClient) { try await OAuthClientCredentials(client).refresh(nil) }
            #expect(error?.statusCode == 401)
        }
        let powerless = try await client("powerless")
        await expectOAuthError(.unauthorizedClient) { try await OAuthClientCredentials(powerless).refresh(nil) }
    }

    @Test(arguments: [("public", nil), ("a basic:client", Authlib.secret)])
    func `a user signs in with a code, and the refresh token is replaced`(
        _ id: String, _ secret: String?
    ) async throws {
        let client = try await client(id, secret: secret)
        let authorization = try await client.authorization(
            redirectURI: "com.example.library:/in", scope: ["books", "loans"])
        let redirect = try await browse(authorization.url)
        let first = try await client.tokens(from: redirect, for: authorization)
        #expect(first.scope == ["books", "loans"])
        let session = OAuthSession(client, tokens: first)
        let authentication = TokenAuthentication(session)
        #expect(try await books(authentication) == ["The Dispossessed"])

        try await tell("/forget/\(first.accessToken.value)")
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<10 { group.addTask { try await books(authentication) } }
            for try await titles in group { #expect(titles == ["The Dispossessed"]) }
        }
        let second = try #require(try await session.tokens())
        #expect(second.refreshToken != first.refreshToken && second.scope == ["books", "loans"])
        // Each refresh token can be used once.
        let error = await expectOAuthError(.invalidGrant) { try await client.refreshedTokens(first) }
        #expect(error?.uri == "https://id.example.com/help" && error?.statusCode == 400)
        _ = try await client.refreshedTokens(second)
    }

    @Test func `a code is redeemed only once and only with its verifier`() async throws {
        let client = try await publicClient()
        let authorization = try await client.authorization(redirectURI: "com.example.library:/in", scope: ["books"])
        let redirect = try await browse(authorization.url)
        let thief = OAuthAuthorization(
            url: authorization.url, redirectURI: authorization.redirectURI, state: authorization.state,
            codeVerifier: String(repeating: "a", count: 43))
        let error = await expectOAuthError(.invalidGrant) { try await client.tokens(from: redirect, for: thief) }
        #expect(error?.message == "Code challenge failed.")
        _ = try await client.tokens(from: redirect, for: authorization)
        await expectOAuthError(.invalidGrant) { try await client.tokens(from: redirect, for: authorization) }
    }

    @Test func `an authorization that the user denies fails with the server and its reason`() async throws {
        let client = try await publicClient()
        let authorization = try await client.authorization(
            redirectURI: "com.example.library:/in", scope: ["books"], parameters: ["answer": "deny"])
        let redirect = try await browse(authorization.url)
        let error = await expectOAuthError(.accessDenied) {
            try await client.tokens(from: redirect, for: authorization)
        }
        #expect(error?.message == "The resource owner or authorization server denied the request")
        var other = client.server
        other.issuer = "https://evil.example.com"
        let confused = OAuthClient(id: "public", server: other, service: APIService(session: Self.transport))
        await expectFailure(.authenticationFailed) { try await confused.tokens(from: redirect, for: authorization) }
    }

    @Test func `the device flow waits until the user has approved the device`() async throws {
        let client = try await publicClient()
        let device = try await client.deviceAuthorization(scope: ["books"])
        #expect(device.verificationURI.absoluteString == "https://id.example.com/activate")
        #expect(device.verificationURIComplete?.query() == "user_code=\(device.userCode)")
        #expect(device.lifetime == .seconds(1800) && device.interval == .seconds(5))
        async let tokens = client.tokens(for: device)
        // The authorization is pending, then requested too often, and from then on polled 5 seconds more slowly.
        for time in [5, 10, 20] {
            try await clock.waitForSleeper(until: .init(offset: .seconds(time)))
            if time == 20 { try await tell("/answer/\(device.userCode)/allow") }
            clock.advance(to: .init(offset: .seconds(time)))
        }
        let session = OAuthSession(client, tokens: try await tokens)
        #expect(try await books(TokenAuthentication(session)) == ["The Dispossessed"])
        #expect(try await session.tokens()?.refreshToken != nil)
    }

    @Test func `the device flow fails if the user denies the device`() async throws {
        let client = try await client("a basic:client")
        let device = try await client.deviceAuthorization(scope: ["books"])
        try await tell("/answer/\(device.userCode)/deny")
        await expectOAuthError(.accessDenied) { try await clock.run { try await client.tokens(for: device) } }
    }
}

/// Runs `body`, which must fail with an error response of this code.
@discardableResult
private func expectOAuthError<Value>(
    _ code: OAuthError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async -> OAuthError? {
    do {
        _ = try await body()
        Issue.record("nothing was thrown, expected \(code)", sourceLocation: sourceLocation)
    } catch let error as OAuthError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        return error
    } catch {
        Issue.record("\(error) was thrown, expected \(code)", sourceLocation: sourceLocation)
    }
    return nil
}
