import Errand
import ErrandAuth
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// The samples of the page about OAuth.
struct `The guide to OAuth` {
    enum Library {
        static let server = OAuthServer(
            issuer: "https://id.example.com",
            tokenEndpoint: "https://id.example.com/token",
            authorizationEndpoint: "https://id.example.com/authorize",
            deviceAuthorizationEndpoint: "https://id.example.com/device")
    }

    class CatalogueAPI: APIBase {
        static let client = OAuthClient(id: "catalogue", secret: "gX1fBat3bV", server: Library.server)
        static let authentication = TokenAuthentication(OAuthClientCredentials(client, scope: ["books:read"]))

        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com/v1")
            interceptors = [Self.authentication]
        }
    }

    actor Vault: OAuthTokenStore {
        private let keychain: Keychain

        init(_ keychain: Keychain) {
            self.keychain = keychain
        }

        func load() async throws -> OAuthTokens? {
            try await keychain.read().map { try JSONDecoder().decode(OAuthTokens.self, from: $0) }
        }

        func save(_ tokens: OAuthTokens?) async throws {
            try await keychain.write(tokens.map { try JSONEncoder().encode($0) })
        }
    }

    actor Keychain {
        private(set) var data: Data?
        func read() async throws -> Data? { data }
        func write(_ data: Data?) async throws { self.data = data }
    }

    /// Compiled but not run.
    private func show(_ device: OAuthDeviceAuthorization, _ client: OAuthClient, _ session: OAuthSession) async throws {
        let showing = Task {
            do {
                try await session.signIn(client.tokens(for: device))
            } catch let error as OAuthError where error.code == .accessDenied {
                print("you have not allowed it")
            } catch let error as OAuthError where error.code == .expiredToken {
                print("please try again with a new code")
            }
        }
        showing.cancel()
    }

    private func browse(_ url: URL) async throws -> URL {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems
        let state = try #require(items?.first { $0.name == "state" }?.value)
        return try #require(URL(string: "com.example.library:/signed-in?code=c&state=\(state)"))
    }

    private func session(_ service: APIService<any Error>, _ vault: Vault) async throws -> OAuthSession {
        let client = OAuthClient(id: "library-app", server: Library.server, service: service)
        let session = OAuthSession(client, store: vault)
        let authorization = try await client.authorization(
            redirectURI: "com.example.library:/signed-in", scope: ["books", "loans"])
        let redirect = try await browse(authorization.url)
        try await session.signIn(client.tokens(from: redirect, for: authorization))
        return session
    }

    @Test func `the guide: a user stays signed in after signing in`() async throws {
        let server = AuthorizationServer(.tokens(1))
        let keychain = Keychain()
        let session = try await session(server.service, Vault(keychain))
        #expect(try await session.credential()?.value == "access1")
        let next = OAuthSession(
            OAuthClient(id: "library-app", server: Library.server, service: server.service), store: Vault(keychain))
        #expect(try await next.tokens()?.scope == ["books", "loans"])
        #expect(try await next.refresh(AccessToken("access1")).value == "access1")
    }

    @Test func `the guide: a user authorizes a device`() async throws {
        let server = AuthorizationServer { request in
            request.url.hasSuffix("device")
                ? .json(
                    """
                    {"device_code": "d", "user_code": "u", "verification_uri": "https://id.example.com/d", "expires_in": 60}
                    """)
                : .tokens(1)
        }
        let clock = ManualClock()
        let client = OAuthClient(id: "library-tv", server: Library.server, service: server.service, clock: clock)
        let session = OAuthSession(client)
        try await clock.run {
            let device = try await client.deviceAuthorization(scope: ["books"])
            print("Open \(device.verificationURI) and enter \(device.userCode)")
            try await session.signIn(client.tokens(for: device))
        }
        #expect(try await session.credential()?.value == "access1")
    }

    @Test func `the guide: the error explains why a user has to sign in again`() async throws {
        let server = AuthorizationServer(.refusal(.invalidGrant))
        let client = OAuthClient(id: "library-app", server: Library.server, service: server.service)
        let old = OAuthTokens(accessToken: AccessToken("old"), refreshToken: "r")
        final class ShelfRequest: CatalogueAPI, Request {
            func start() -> Pipeline<[Int], any Error> { sendRequest().decode([Int].self) }
        }
        let request = ShelfRequest()
        request.interceptors = [TokenAuthentication(OAuthSession(client, tokens: old))]
        request.dataTaskPipeline = request.stubResponse(statusCode: 401)
        let signIn = Recorder<String>()
        do {
            _ = try await request.start().value
        } catch let error as ErrandError where (error.underlyingError as? OAuthError)?.code == .invalidGrant {
            signIn.record("please sign in again")
        }
        #expect(signIn.elements.count == 1)
    }

    @Test func `the guide: a token provider is tested without a network`() async throws {
        let stubs = RouteStubs()
        let token = Data("{\"access_token\": \"new\", \"token_type\": \"Bearer\", \"expires_in\": 3600}".utf8)
        stubs.on(.post, "/token", .json(token))
        let service = APIService(session: stubs)
        let client = OAuthClient(id: "catalogue", secret: "s", server: Library.server, service: service)
        let provider = OAuthClientCredentials(client)
        #expect(try await provider.refresh(nil).value == "new")
    }
}
