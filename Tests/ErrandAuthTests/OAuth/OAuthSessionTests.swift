import Errand
import ErrandAuth
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

struct `An OAuth session` {
    /// A store that records the saved tokens, and that a test can pause and make fail.
    private final class Store: OAuthTokenStore {
        struct Full: Error {}

        let saved = Recorder<OAuthTokens?>()
        let stored: OAuthTokens?
        /// Called before each save, with the number of saves so far.
        let beforeSave: @Sendable (Int) async throws -> Void

        init(_ stored: OAuthTokens? = nil, beforeSave: @escaping @Sendable (Int) async throws -> Void = { _ in }) {
            self.stored = stored
            self.beforeSave = beforeSave
        }

        func load() async throws -> OAuthTokens? { saved.elements.last ?? stored }

        func save(_ tokens: OAuthTokens?) async throws {
            try await beforeSave(saved.elements.count)
            saved.record(tokens)
        }

        /// The refresh tokens that were saved.
        var refreshTokens: [String?] { saved.elements.map { $0?.refreshToken } }
    }

    private let old = OAuthTokens(accessToken: AccessToken("access0"), refreshToken: "refresh0", scope: ["books"])
    /// A server that accepts each refresh token once, and returns a new one.
    private let server: AuthorizationServer
    /// Refreshes wait here.
    private let gate = Gate()

    init() {
        server = AuthorizationServer { request in
            request.form["refresh_token"] == "refresh\(request.number)"
                ? .tokens(request.number + 1) : .refusal(.invalidGrant)
        }
    }

    /// An API that accepts one access token.
    private func api(accepting token: String, _ sent: Recorder<String?> = Recorder()) -> Next {
        Next { request in
            let authorization = request.urlRequest.value(forHTTPHeaderField: "Authorization")
            sent.record(authorization)
            return DataResponse(statusCode: authorization == "Bearer \(token)" ? 204 : 401)
        }
    }

    private func client(_ server: AuthorizationServer? = nil) -> OAuthClient {
        OAuthClient(id: "app", server: .test, service: (server ?? self.server).service)
    }

    /// A server whose responses wait for the gate.
    private var slow: AuthorizationServer {
        AuthorizationServer { [gate] request in
            try await gate.pass()
            return .tokens(request.number + 1)
        }
    }

    @Test func `each refresh uses the newest refresh token, and saves the new one before use`() async throws {
        let sent = Recorder<String?>()
        let store = Store(old) { if $0 == 0 { #expect(sent.elements == ["Bearer access0"]) } }
        let authentication = TokenAuthentication(OAuthSession(client(), store: store))
        #expect(
            try await authentication.intercept(limitedRequest(), next: api(accepting: "access1", sent)).statusCode
                == 204)
        #expect(sent.elements == ["Bearer access0", "Bearer access1"])
        #expect(store.refreshTokens == ["refresh1"])
        #expect(store.saved.elements.first??.scope == ["books"])
        let session = OAuthSession(client(), store: store)
        // A restarted program continues with the stored tokens.
        #expect(try await session.refresh(AccessToken("access1")).value == "access2")
        #expect(store.refreshTokens == ["refresh1", "refresh2"])
    }

    @Test func `new tokens are not used while they are being saved`() async throws {
        let store = Store(old) { [gate] _ in try await gate.pass() }
        let session = OAuthSession(client(), store: store)
        let refresh = Task { try await session.refresh(AccessToken("access0")) }
        try await gate.waitForArrivals(1)
        #expect(try await session.credential()?.value == "access0")
        gate.open()
        #expect(try await refresh.value.value == "access1")
        #expect(try await session.credential()?.value == "access1")
    }

    @Test func `the refresh token is kept if the server does not issue a new one`() async throws {
        let server = AuthorizationServer(.tokens(1, refresh: false), .tokens(2, refresh: false))
        let store = Store(old)
        let session = OAuthSession(client(server), store: store)
        let first = try await session.refresh(AccessToken("access0"))
        #expect(try await session.refresh(first).value == "access2")
        #expect(server.forms.map { $0["refresh_token"] } == ["refresh0", "refresh0"])
        #expect(store.refreshTokens == ["refresh0", "refresh0"])
    }

    @Test func `all waiting requests share one refresh`() async throws {
        let server = slow
        let authentication = TokenAuthentication(OAuthSession(client(server), tokens: old))
        let next = api(accepting: "access1")
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask { try await authentication.intercept(limitedRequest(), next: next).statusCode }
            }
            try await gate.waitForArrivals(1)
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 204, count: 20))
        #expect(server.requests.count == 1)
    }

    @Test func `concurrent refreshes never send a refresh token twice`() async throws {
        let session = OAuthSession(client(), tokens: old)
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await session.refresh(AccessToken("access0")).value } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(tokens == ["access1"])
        #expect(server.requests.count == 1)
    }

    @Test func `received tokens are saved again after a store failure without another request`() async throws {
        let attempts = Recorder<Int>()
        let store = Store(old) { number in
            attempts.record(number)
            if attempts.elements.count == 1 { throw Store.Full() }
        }
        let session = OAuthSession(client(), store: store)
        await #expect(throws: Store.Full.self) { try await session.refresh(AccessToken("access0")) }
        #expect(try await session.credential()?.value == "access0")
        #expect(try await session.refresh(AccessToken("access0")).value == "access1")
        #expect(store.refreshTokens == ["refresh1"])
        #expect(server.requests.count == 1)
    }

    @Test func `a rejected refresh token is sent only once until the user signs in again`() async throws {
        let server = AuthorizationServer(.refusal(.invalidGrant), .tokens(9))
        let session = OAuthSession(client(server), tokens: old)
        for _ in 0..<3 { await expectOAuthError(.invalidGrant) { try await session.refresh(AccessToken("access0")) } }
        #expect(server.requests.count == 1)
        try await session.signIn(OAuthTokens(accessToken: AccessToken("b"), refreshToken: "c"))
        #expect(try await session.refresh(AccessToken("b")).value == "access9")
    }

    @Test func `a refresh is tried again after any other failure`() async throws {
        let server = AuthorizationServer(
            .refusal(.invalidClient, status: 401), .json("oops", status: 503), .tokens(1))
        let session = OAuthSession(client(server), tokens: old)
        await expectOAuthError(.invalidClient) { try await session.refresh(AccessToken("access0")) }
        await expectFailure(.unacceptableStatusCode) { try await session.refresh(AccessToken("access0")) }
        #expect(try await session.refresh(AccessToken("access0")).value == "access1")
    }

    @Test func `requests fail before a sign-in and are sent after it`() async throws {
        let store = Store()
        let session = OAuthSession(client(), store: store)
        let authentication = TokenAuthentication(session)
        let error = await expectFailure(.authenticationFailed) {
            try await authentication.intercept(limitedRequest(), next: api(accepting: "access0"))
        }
        #expect(error?.reason?.contains("not signed in") == true)
        try await session.signIn(old)
        #expect(store.refreshTokens == ["refresh0"])
        let response = try await authentication.intercept(limitedRequest(), next: api(accepting: "access0"))
        #expect(response.statusCode == 204)
        #expect(try await session.tokens() == old)
    }

    @Test func `a refresh without a refresh token fails`() async throws {
        let session = OAuthSession(client(), tokens: OAuthTokens(accessToken: AccessToken("a")))
        let error = await expectFailure(.authenticationFailed) { try await session.refresh(AccessToken("a")) }
        #expect(error?.reason?.contains("no refresh token") == true)
        #expect(server.requests.isEmpty)
    }

    @Test func `signing out drops the result of a running refresh`() async throws {
        let server = slow
        let store = Store(old)
        let session = OAuthSession(client(server), store: store)
        let refresh = Task { try await session.refresh(AccessToken("access0")) }
        try await gate.waitForArrivals(1)
        // The refresh is cancelled, because the gate stays closed.
        try await session.signOut()
        await expectFailure(.authenticationFailed) { try await refresh.value }
        #expect(store.refreshTokens == [nil])
        #expect(try await session.tokens() == nil)
    }

    @Test func `signing out waits for a running save before it removes the tokens`() async throws {
        let store = Store(old) { [gate] number in if number == 0 { try await gate.pass() } }
        let session = OAuthSession(client(), store: store)
        let refresh = Task { try await session.refresh(AccessToken("access0")) }
        try await gate.waitForArrivals(1)
        let end = Task { try await session.signOut() }
        try await waitUntil { try await session.tokens() == nil }
        gate.open()
        try await end.value
        await expectFailure(.authenticationFailed) { try await refresh.value }
        #expect(store.refreshTokens == ["refresh1", nil])
        #expect(try await session.tokens() == nil)
    }

    @Test func `a running refresh returns the tokens of a sign-in that happens meanwhile`() async throws {
        let store = Store(old)
        let session = OAuthSession(client(slow), store: store)
        let refresh = Task { try await session.refresh(AccessToken("access0")) }
        try await gate.waitForArrivals(1)
        try await session.signIn(OAuthTokens(accessToken: AccessToken("other"), refreshToken: "others"))
        #expect(try await refresh.value.value == "other")
        #expect(store.refreshTokens == ["others"])
    }

    @Test func `the old tokens are kept if a sign-in cannot be saved`() async throws {
        let session = OAuthSession(client(), store: Store(old) { _ in throw Store.Full() })
        let other = OAuthTokens(accessToken: AccessToken("other"))
        await #expect(throws: Store.Full.self) { try await session.signIn(other) }
        #expect(try await session.tokens() == old)
        await #expect(throws: Store.Full.self) { try await session.signOut() }
        #expect(try await session.tokens() == nil)
    }

    @Test func `received tokens are saved even if the refresh is cancelled`() async throws {
        let store = Store(old) { [gate] _ in
            try await gate.pass()
            #expect(!Task.isCancelled)
        }
        let session = OAuthSession(client(), store: store)
        let refresh = Task { try await session.refresh(AccessToken("access0")) }
        try await gate.waitForArrivals(1)
        refresh.cancel()
        gate.open()
        _ = await refresh.result
        #expect(store.refreshTokens == ["refresh1"])
        #expect(try await session.credential()?.value == "access1")
    }

    @Test func `a refresh that times out is cancelled before the next one begins`() async throws {
        let clock = ManualClock()
        let server = AuthorizationServer { [gate] request in
            if request.number == 0 { try await gate.pass() }
            return .tokens(request.number + 1)
        }
        let session = OAuthSession(client(server), tokens: old)
        let authentication = TokenAuthentication(session, refreshTimeout: .seconds(20), clock: clock)
        let request = Task {
            try await authentication.intercept(limitedRequest(), next: api(accepting: "access2"))
        }
        try await gate.waitForArrivals(1)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(20))
        await expectFailure(.timedOut) { try await request.value }
        let response = try await authentication.intercept(limitedRequest(), next: api(accepting: "access2"))
        #expect(response.statusCode == 204)
    }

    @Test func `a refresh that is cancelled while it waits sends nothing`() async throws {
        let server = slow
        let session = OAuthSession(client(server), tokens: old)
        let first = Task { try await session.refresh(AccessToken("access0")) }
        try await gate.waitForArrivals(1)
        let second = Task { try await session.refresh(AccessToken("access1")) }
        second.cancel()
        gate.open()
        #expect(try await first.value.value == "access1")
        await expectFailure(.cancelled) { try await second.value }
        #expect(server.requests.count == 1)
    }

    @Test func `requests fail with the error of a store that cannot load, and loading is tried again`() async throws {
        actor Vault: OAuthTokenStore {
            struct Closed: Error {}
            var isOpen = false
            func open() { isOpen = true }
            func load() async throws -> OAuthTokens? {
                guard isOpen else { throw Closed() }
                return OAuthTokens(accessToken: AccessToken("a"))
            }
            func save(_ tokens: OAuthTokens?) async throws {}
        }
        let store = Vault()
        let session = OAuthSession(client(), store: store)
        await #expect(throws: Vault.Closed.self) { try await session.credential() }
        await #expect(throws: Vault.Closed.self) { try await session.refresh(nil) }
        await store.open()
        #expect(try await session.credential()?.value == "a")
    }

    @Test func `OAuth tokens can be encoded as JSON and decoded`() throws {
        let tokens = OAuthTokens(
            accessToken: AccessToken("a", expiresAt: Date(timeIntervalSince1970: 1_800_000_000.5), scheme: "Bearer"),
            refreshToken: "r", scope: ["x", "y"])
        for tokens in [tokens, OAuthTokens(accessToken: AccessToken("a"))] {
            let data = try JSONEncoder().encode(tokens)
            #expect(try JSONDecoder().decode(OAuthTokens.self, from: data) == tokens)
        }
    }
}

struct `OAuth client credentials` {
    @Test func `client credentials are requested on demand, and again when the token is rejected`() async throws {
        let clock = ManualClock()
        let server = AuthorizationServer { .tokens($0.number + 1) }
        let client = OAuthClient(
            id: "app", secret: "s", server: .test, service: server.service, now: { clock.date })
        let authentication = TokenAuthentication(OAuthClientCredentials(client), now: { clock.date })
        let refused = Recorder<String>()
        let next = Next { request in
            let token = request.urlRequest.value(forHTTPHeaderField: "Authorization") ?? "none"
            guard token == "Bearer access1" && refused.elements.isEmpty else {
                refused.record(token)
                return DataResponse(statusCode: token == "Bearer access2" ? 204 : 401)
            }
            return DataResponse(statusCode: 204)
        }
        for _ in 0..<3 { _ = try await authentication.intercept(limitedRequest(), next: next) }
        #expect(server.requests.count == 1)
        clock.advance(by: .seconds(3600))
        _ = try await authentication.intercept(limitedRequest(), next: next)
        #expect(refused.elements == ["Bearer access2"])
        #expect(server.forms.allSatisfy { $0 == ["grant_type": "client_credentials"] } && server.requests.count == 2)
    }
}
