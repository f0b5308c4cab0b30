import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Token authentication` {
    /// A server that accepts one token, and delays its 401 responses until a gate opens.
    private final class TokenServer: Transport {
        let accepted: String
        let sent = Recorder<String>()
        let refusals = Gate()

        init(accepting accepted: String) {
            self.accepted = accepted
        }

        func send(_ request: TransportRequest) async throws -> DataResponse {
            let field = request.authorization ?? "-"
            sent.record(field)
            if field == "Bearer \(accepted)" || request.urlRequest.url?.path == "/token" {
                return DataResponse(statusCode: 200, data: Data(accepted.utf8))
            }
            try await refusals.pass()
            return DataResponse(statusCode: 401, headers: ["WWW-Authenticate": "Bearer"], data: Data("no".utf8))
        }

        func count(_ token: String) -> Int { sent.elements.count { $0 == token } }
    }

    /// Stores a token, and returns the next one of a sequence for each refresh.
    private actor Keyring: CredentialProvider {
        var token: AccessToken?
        private(set) var refreshed: [AccessToken?] = []
        private(set) var cancelled = 0
        private var rest: [Result<AccessToken, any Error>]
        nonisolated let refreshGate = Gate()

        init(_ token: AccessToken?, then rest: [Result<AccessToken, any Error>]) {
            self.token = token
            self.rest = rest
        }

        func credential() async throws -> AccessToken? { token }

        func refresh(_ old: AccessToken?) async throws -> AccessToken {
            refreshed.append(old)
            do {
                try await refreshGate.pass()
            } catch {
                cancelled += 1
                throw error
            }
            let new = try rest.removeFirst().get()
            token = new
            return new
        }

        func change(to token: AccessToken?) { self.token = token }
    }

    private struct NoLuck: Error {}

    private static let old = AccessToken("old")
    private static let new = AccessToken("new")

    private final class Probe: APIBase, Request {
        init(_ server: any Transport, _ authentication: TokenAuthentication, path: String = "/books") {
            super.init()
            baseURL = URL(string: "https://api.example.com")
            session = server
            self.path = RequestPath(path)
            interceptors = [authentication]
        }

        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
    }

    @Test func `a thousand requests with an expired token share one refresh and succeed`() async throws {
        let server = TokenServer(accepting: "new")
        let keys = Keyring(Self.old, then: [.success(Self.new)])
        keys.refreshGate.open()
        let authentication = TokenAuthentication(keys)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<1_000 {
                let pipeline = Probe(server, authentication).start()
                group.addTask { try await pipeline.value.statusCode }
            }
            try await server.refusals.waitForArrivals(1_000)
            server.refusals.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 1_000))
        #expect(await keys.refreshed == [Self.old])
        #expect(server.count("Bearer old") == 1_000)
        #expect(server.count("Bearer new") == 1_000)
    }

    @Test func `new requests wait for a running refresh`() async throws {
        let server = TokenServer(accepting: "new")
        server.refusals.open()
        let keys = Keyring(Self.old, then: [.success(Self.new)])
        let authentication = TokenAuthentication(keys)
        let first = Probe(server, authentication).start()
        let waiting = WaitingTasks(for: AccessToken.self)
        let one = waiting.observing { Task { try await first.value.statusCode } }
        try await keys.refreshGate.waitForArrivals(1)
        let sentBefore = server.sent.elements
        let later = (0..<10).map { _ in Probe(server, authentication).start() }
        let tasks = later.map { pipeline in waiting.observing { Task { try await pipeline.value.statusCode } } }
        try await waitUntil { waiting.count == 11 }
        #expect(server.sent.elements == sentBefore)
        keys.refreshGate.open()
        #expect(try await one.value == 200)
        for task in tasks { #expect(try await task.value == 200) }
        #expect(await keys.refreshed.count == 1)
        #expect(server.count("Bearer old") == 1)
    }

    @Test func `a request rejected with an older token is sent again without a refresh`() async throws {
        let server = TokenServer(accepting: "new")
        let keys = Keyring(Self.old, then: [])
        let request = Probe(server, TokenAuthentication(keys)).start()
        async let pending = request.value
        try await server.refusals.waitForArrivals(1)
        await keys.change(to: Self.new)
        server.refusals.open()
        let response = try await pending
        #expect(response.statusCode == 200)
        #expect(response.attempts == 2)
        #expect(await keys.refreshed.isEmpty)
        #expect(server.sent.elements == ["Bearer old", "Bearer new"])
    }

    @Test func `a second 401 response is returned without another refresh`() async throws {
        let server = TokenServer(accepting: "another")
        server.refusals.open()
        let keys = Keyring(Self.old, then: [.success(Self.new)])
        keys.refreshGate.open()
        let response = try await Probe(server, TokenAuthentication(keys)).start().value
        #expect(response.statusCode == 401)
        #expect(response.data == Data("no".utf8))
        #expect(server.sent.elements == ["Bearer old", "Bearer new"])
        #expect(await keys.refreshed.count == 1)
    }

    @Test func `a response with another error status does not refresh the token`() async throws {
        let keys = Keyring(Self.old, then: [])
        let request = SignedRequest([TokenAuthentication(keys)], status: 403)
        #expect(try await request.start().value.statusCode == 403)
        #expect(request.sent.map(\.authorization) == ["Bearer old"])
    }

    @Test func `all waiting requests fail with the error of one failed refresh`() async throws {
        let server = TokenServer(accepting: "new")
        server.refusals.open()
        let keys = Keyring(Self.old, then: [.failure(NoLuck()), .success(Self.new)])
        let authentication = TokenAuthentication(keys)
        let ends = Recorder<ErrandError.Code?>()
        let causes = Recorder<(any Error)?>()
        let pipelines = (0..<10).map { _ in Probe(server, authentication).start() }
        let waiting = WaitingTasks(for: AccessToken.self)
        let tasks = pipelines.map { pipeline in
            waiting.observing {
                Task {
                    let result = await pipeline.result
                    guard case .failure(let error) = result, let error = error as? ErrandError else { return }
                    ends.record(error.code)
                    causes.record(error.underlyingError)
                }
            }
        }
        try await waitUntil { waiting.count == 10 }
        keys.refreshGate.open()
        for task in tasks { await task.value }
        #expect(ends.elements == Array(repeating: .tokenUnavailable, count: 10))
        #expect(causes.elements.allSatisfy { $0 is NoLuck })
        #expect(await keys.refreshed.count == 1)
        #expect(try await Probe(server, authentication).start().value.statusCode == 200)
        #expect(await keys.refreshed.count == 2)
    }

    @Test func `a refresh continues after one of its waiting requests was cancelled`() async throws {
        let server = TokenServer(accepting: "new")
        server.refusals.open()
        let keys = Keyring(Self.old, then: [.success(Self.new)])
        let authentication = TokenAuthentication(keys)
        let (one, other) = (Probe(server, authentication).start(), Probe(server, authentication).start())
        let waiting = WaitingTasks(for: AccessToken.self)
        let leaving = waiting.observing { Task { try await one.value } }
        try await keys.refreshGate.waitForArrivals(1)
        let staying = waiting.observing { Task { try await other.value.statusCode } }
        try await waitUntil { waiting.count == 2 }
        leaving.cancel()
        let error = await expectFailure(.cancelled) { try await leaving.value }
        #expect(error?.url?.path == "/books")
        keys.refreshGate.open()
        #expect(try await staying.value == 200)
        #expect(await keys.refreshed.count == 1)
        #expect(await keys.cancelled == 0)
    }

    @Test func `a refresh continues after its last waiting request was cancelled, and its token is used`()
        async throws
    {
        let server = TokenServer(accepting: "new")
        server.refusals.open()
        let keys = Keyring(Self.old, then: [.success(Self.new)])
        let authentication = TokenAuthentication(keys)
        let pipeline = Probe(server, authentication).start()
        let waiting = WaitingTasks(for: AccessToken.self)
        let task = waiting.observing { Task { try await pipeline.value } }
        try await keys.refreshGate.waitForArrivals(1)
        try await waitUntil { waiting.count == 1 }
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        #expect(waiting.count == 0)
        keys.refreshGate.open()
        #expect(try await pipeline.value.statusCode == 200)
        #expect(await keys.refreshed.count == 1)
        #expect(await keys.cancelled == 0)
        #expect(server.sent.elements == ["Bearer old", "Bearer new"])
    }

    @Test func `token authentication sends nothing for a task that was cancelled before`() async throws {
        let server = TokenServer(accepting: "new")
        let keys = Keyring(nil, then: [])
        let pipeline = Probe(server, TokenAuthentication(keys)).start()
        let gate = Gate()
        let task = Task {
            try? await gate.pass()
            return try await pipeline.value
        }
        task.cancel()
        gate.open()
        await expectFailure(.cancelled) { try await task.value }
        #expect(server.sent.elements.isEmpty)
        #expect(await keys.refreshed.isEmpty)
    }

    @Test(arguments: [false, true])
    func `a refresh through the same interceptor does not wait for itself`(_ isScheduled: Bool) async throws {
        let server = TokenServer(accepting: "new")
        server.refusals.open()
        /// Refreshes with a request of the same class, with the same interceptors.
        struct SelfServing: CredentialProvider {
            let server: TokenServer
            let isScheduled: Bool
            let own = Locked<TokenAuthentication?>(nil)
            let token = Locked<AccessToken?>(`Token authentication`.old)

            func credential() async throws -> AccessToken? { token.withLock { $0 } }

            func refresh(_ old: AccessToken?) async throws -> AccessToken {
                guard let authentication = own.withLock({ $0 }) else { throw NoLuck() }
                let request = Probe(server, authentication, path: "/token")
                let response = isScheduled ? try await request.schedule().value : try await request.start().value
                let new = AccessToken(String(decoding: response.data, as: UTF8.self))
                token.withLock { $0 = new }
                return new
            }
        }
        let provider = SelfServing(server: server, isScheduled: isScheduled)
        let authentication = TokenAuthentication(provider)
        provider.own.withLock { $0 = authentication }
        defer { provider.own.withLock { $0 = nil } }
        let response = Probe(server, authentication).schedule()
        #expect(try await response.value.statusCode == 200)
        #expect(server.sent.elements == ["Bearer old", "-", "Bearer new"])
        #expect(try await response.head?.attempts == 2)
    }

    @Test func `a refresh that takes too long is ended, even if it waits for itself`() async throws {
        let server = TokenServer(accepting: "new")
        server.refusals.open()
        let clock = ManualClock()
        let waiting = WaitingTasks(for: AccessToken.self)
        let own = Locked<TokenAuthentication?>(nil)
        let authentication = TokenAuthentication(
            token: Self.old, refreshTimeout: .seconds(60), clock: clock
        ) { _ in
            guard let mine = own.withLock({ $0 }) else { throw NoLuck() }
            // A request from a detached task is like any other, and waits for this refresh.
            let pipeline = Probe(server, mine).start()
            let request = Task.detached {
                try await waiting.observing { Task { try await "\(pipeline.value.statusCode)" } }.value
            }
            return AccessToken(try await request.value)
        }
        own.withLock { $0 = authentication }
        defer { own.withLock { $0 = nil } }
        let pipeline = Probe(server, authentication).start()
        let task = waiting.observing { Task { try await pipeline.value } }
        // The first sleeper may be the timer of the current credential, which ends once a request waits for the
        // refresh.
        try await waitUntil { waiting.count == 2 }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(60))
        let error = await expectFailure(.timedOut) { try await task.value }
        #expect(error?.reason?.contains("the refresh took longer than 60 s") == true)
    }

    @Test func `a missing token is requested before the request is sent`() async throws {
        let server = TokenServer(accepting: "new")
        let keys = Keyring(nil, then: [.success(Self.new)])
        keys.refreshGate.open()
        #expect(try await Probe(server, TokenAuthentication(keys)).start().value.statusCode == 200)
        #expect(server.sent.elements == ["Bearer new"])
        #expect(await keys.refreshed == [nil])
    }

    @Test func `a request is not sent if no token is available`() async throws {
        let server = TokenServer(accepting: "new")
        let keys = Keyring(nil, then: [.failure(NoLuck())])
        keys.refreshGate.open()
        let error = await expectFailure(.tokenUnavailable) {
            try await Probe(server, TokenAuthentication(keys)).start().value
        }
        #expect(error?.underlyingError is NoLuck)
        #expect(error?.attempts == 0)
        #expect(server.sent.elements.isEmpty)
    }

    @Test func `a request fails if the provider cannot load its credential`() async throws {
        struct Shut: CredentialProvider {
            func credential() async throws -> AccessToken? { throw NoLuck() }
            func refresh(_ old: AccessToken?) async throws -> AccessToken { AccessToken("never") }
        }
        let request = SignedRequest([TokenAuthentication(Shut())])
        let error = await expectFailure(.tokenUnavailable) { try await request.start().value }
        #expect(error?.underlyingError is NoLuck)
        #expect(request.sent.isEmpty)
    }

    @Test(arguments: [(89.0, 0), (90.0, 1), (200.0, 1)])
    func `a token is refreshed before it expires`(_ seconds: Double, _ refreshes: Int) async throws {
        let start = Date(timeIntervalSince1970: 1_000_000)
        let server = TokenServer(accepting: "new")
        server.refusals.open()
        let expiring = AccessToken(refreshes == 0 ? "new" : "old", expiresAt: start + 100)
        let keys = Keyring(expiring, then: [.success(Self.new)])
        keys.refreshGate.open()
        let authentication = TokenAuthentication(keys, leeway: .seconds(10)) { start + seconds }
        #expect(try await Probe(server, authentication).start().value.statusCode == 200)
        #expect(await keys.refreshed.count == refreshes)
        #expect(server.sent.elements == ["Bearer new"])
    }

    /// With these lifetimes, a new token is used until these seconds have passed.
    static let lifetimes = [(2.0, 1.0), (9.9, 4.95), (10, 5), (20, 10), (30, 20), (3600, 3590)]

    @Test(arguments: lifetimes)
    func `a new token is used, however short its lifetime is`(_ lifetime: TimeInterval, _ use: TimeInterval)
        async throws
    {
        let date = Locked(Date(timeIntervalSince1970: 1_000_000))
        let count = Locked(0)
        let now: @Sendable () -> Date = { date.withLock { $0 } }
        let authentication = TokenAuthentication(now: now) { _ in
            count.withLock { $0 += 1 }
            return AccessToken("new", expiresAt: now() + lifetime)
        }
        let server = TokenServer(accepting: "new")
        for _ in 0..<3 { _ = try await Probe(server, authentication).start().value }
        date.withLock { $0 += use * 0.99 }
        _ = try await Probe(server, authentication).start().value
        #expect(count.withLock { $0 } == 1)
        date.withLock { $0 += use * 0.02 }
        _ = try await Probe(server, authentication).start().value
        #expect(count.withLock { $0 } == 2)
    }

    @Test(arguments: [
        (Duration.seconds(-5), 100.0), (.seconds(Int64.max), 100), (.seconds(10), .infinity), (.seconds(10), .nan),
        (.seconds(10), -.infinity),
    ])
    func `token authentication accepts any leeway and any expiry`(_ leeway: Duration, _ expiry: Double) async throws {
        let server = TokenServer(accepting: "new")
        let token = AccessToken("new", expiresAt: Date(timeIntervalSince1970: expiry))
        let authentication = TokenAuthentication(token: token, leeway: leeway) { _ in Self.new }
        #expect(try await Probe(server, authentication).start().value.statusCode == 200)
    }

    @Test func `an invalid token is not sent`() async throws {
        let request = SignedRequest([TokenAuthentication(token: AccessToken("a\r\nb")) { _ in Self.new }])
        await expectFailure(.invalidCredential) { try await request.start().value }
        #expect(request.sent.isEmpty)
    }

    @Test func `token authentication does not change a request with an Authorization field`() async throws {
        let keys = Keyring(Self.old, then: [])
        let request = SignedRequest([TokenAuthentication(keys)], status: 401)
        request.headers["Authorization"] = "Custom x"
        #expect(try await request.start().value.statusCode == 401)
        #expect(request.sent.map(\.authorization) == ["Custom x"])
        #expect(await keys.refreshed.isEmpty)
    }

    @Test func `a 401 response of another origin does not refresh the token`() async throws {
        struct Elsewhere: Transport {
            func send(_ request: TransportRequest) async throws -> DataResponse {
                DataResponse(statusCode: 401, url: URL(string: "https://other.example.com/"))
            }
        }
        let keys = Keyring(Self.old, then: [])
        #expect(try await Probe(Elsewhere(), TokenAuthentication(keys)).start().value.statusCode == 401)
        #expect(await keys.refreshed.isEmpty)
    }

    @Test func `a 401 after a redirect to another origin and back does not refresh the token`() async throws {
        let (server, other) = (try MockServer(), try MockServer())
        server.on(.get, "/start") { _ in .status(302).with(header: "Location", other.url.absoluteString) }
        server.on(.get, "/end") { _ in .status(401) }
        other.onAny { _ in .status(302).with(header: "Location", "\(server.url)/end") }
        let keys = Keyring(Self.old, then: [])
        let request = Probe(CurlTransport.shared, TokenAuthentication(keys))
        request.baseURL = server.url
        request.path = "/start"
        #expect(try await request.start().value.statusCode == 401)
        #expect(await keys.refreshed.isEmpty)
    }

    @Test func `a request with a one-time body returns the 401 response after refreshing the token`() async throws {
        let server = TokenServer(accepting: "new")
        server.refusals.open()
        let keys = Keyring(Self.old, then: [.success(Self.new)])
        keys.refreshGate.open()
        let authentication = TokenAuthentication(keys)
        let upload = Probe(server, authentication)
        upload.method = .put
        upload.body = .stream(BodyStream(InputStream(data: Data("once".utf8))))
        #expect(try await upload.start().value.statusCode == 401)
        #expect(await keys.refreshed.isEmpty)
        #expect(try await Probe(server, authentication).start().value.statusCode == 200)
        #expect(server.sent.elements == ["Bearer old", "Bearer new"])
    }

    @Test func `a request with a repeatable body is sent again with the new token`() async throws {
        let server = TokenServer(accepting: "new")
        server.refusals.open()
        let authentication = TokenAuthentication(token: Self.old) { _ in Self.new }
        let upload = Probe(server, authentication)
        upload.method = .put
        upload.body = .data(Data("again".utf8))
        #expect(try await upload.start().value.statusCode == 200)
    }

    @Test func `the body of a rejected streamed response is released before the refresh`() async throws {
        /// Reports when a body is released.
        final class Lease: Sendable {
            let gone: Gate
            init(_ gone: Gate) { self.gone = gone }
            deinit { gone.open() }
        }
        let gone = Gate()
        let authentication = TokenAuthentication(token: Self.old) { _ in
            try await gone.pass()
            return Self.new
        }
        let next = Next { request in
            guard request.authorization == "Bearer old" else {
                return DataResponse(statusCode: 200, headers: [:], body: ResponseBody(Data("yes".utf8)))
            }
            let lease = Lease(gone)
            let body = ResponseBody {
                withExtendedLifetime(lease) {}
                return nil
            }
            return DataResponse(statusCode: 401, headers: [:], body: body)
        }
        let url = try #require(URL(string: "https://api.example.com"))
        let response = try await authentication.intercept(TransportRequest(URLRequest(url: url)), next: next)
        #expect(response.statusCode == 200)
        var text = Data()
        for try await piece in response.body { text += piece }
        #expect(text == Data("yes".utf8))
    }

    @Test func `token authentication also works with stubs`() async throws {
        let request = SignedRequest([TokenAuthentication(token: Self.old) { _ in Self.new }])
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stubResponse(statusCode: 401), request.stubResponse(statusCode: 200),
        ])
        let response = try await request.start().value
        #expect(response.statusCode == 200)
        #expect(response.attempts == 2)
    }
}
