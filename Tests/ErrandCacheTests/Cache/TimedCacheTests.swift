import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `A timed cache` {
    private let clock = ManualClock()
    private let cache: TimedCache

    init() {
        cache = TimedCache(for: .seconds(30), clock: clock)
    }

    private func service(_ server: NumberingServer, _ interceptors: (any Interceptor)...) -> APIService<any Error> {
        APIService(
            baseURL: "library.example.com", session: server, interceptors: .adding(interceptors),
            acceptedStatusCodes: .all)
    }

    /// Sends a GET request, and returns the body: the number of the request that the server has received for it.
    private func number(
        _ path: RequestPath = "/books", query: URLQuery = [:], headers: HeaderFields = [:],
        policy: URLRequest.CachePolicy? = nil, redirects: RedirectPolicy? = nil, from service: APIService<any Error>
    ) async throws -> String {
        let settings = RequestSettings(redirectPolicy: redirects, cachePolicy: policy)
        let body = try await service.send(.get(path, query: query, headers: headers, settings: settings, as: Data.self))
            .value
        return String(decoding: body, as: UTF8.self)
    }

    @Test(
        arguments: [
            ["Cache-Control": "no-store"], ["Cache-Control": "no-cache, max-age=0"], ["Expires": "0", "Vary": "*"], [:],
        ] as [HeaderFields])
    func `a response is returned again for the time of the cache, whatever its fields say`(
        _ headers: HeaderFields
    ) async throws {
        let server = NumberingServer(headers: headers)
        let service = service(server, cache)
        for (wait, expected) in [(0, "1"), (29, "1"), (1, "2"), (29, "2")] {
            clock.advance(by: .seconds(wait))
            #expect(try await number(from: service) == expected)
        }
        #expect(server.count == 2)
    }

    @Test func `the time of a response begins when it arrives`() async throws {
        let gate = Gate()
        let service = service(NumberingServer(gate: gate), cache)
        let first = Task { try await number(from: service) }
        try await gate.waitForArrivals(1)
        clock.advance(by: .seconds(20))
        gate.open()
        #expect(try await first.value == "1")
        clock.advance(by: .seconds(29))
        #expect(try await number(from: service) == "1")
        clock.advance(by: .seconds(1))
        #expect(try await number(from: service) == "2")
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `a cache with a time of zero or less keeps nothing`(_ lifetime: Duration) async throws {
        let service = service(NumberingServer(), TimedCache(for: lifetime, clock: clock))
        #expect(try await number(from: service) == "1")
        #expect(try await number(from: service) == "2")
    }

    @Test func `requests with different URLs or header fields do not share a response`() async throws {
        let service = service(NumberingServer(), cache)
        for _ in 0..<2 {
            #expect(try await number(from: service) == "1")
            #expect(try await number("/shelves", from: service) == "2")
            #expect(try await number(query: ["author": "Lem"], from: service) == "3")
            #expect(try await number(headers: ["Accept-Language": "de"], from: service) == "4")
            #expect(try await number(headers: ["Accept-Language": "fr"], from: service) == "5")
            #expect(try await number(headers: ["Cookie": "sid=1"], from: service) == "6")
        }
    }

    @Test func `requests that follow redirects do not share a response with others`() async throws {
        let service = service(NumberingServer(), cache)
        for _ in 0..<2 {
            #expect(try await number(redirects: .follow, from: service) == "1")
            #expect(try await number(redirects: .ignore, from: service) == "2")
        }
        // Two closures may decide differently.
        #expect(try await number(redirects: .decide { _, _ in true }, from: service) == "3")
        #expect(try await number(redirects: .decide { _, _ in true }, from: service) == "4")
    }

    @Test func `users whose credentials are added before the cache do not share a response`() async throws {
        let server = NumberingServer()
        let one = service(server, BearerAuthentication(token: "one"), cache)
        let other = service(server, BearerAuthentication(token: "other"), cache)
        for _ in 0..<2 {
            #expect(try await number(from: one) == "1")
            #expect(try await number(from: other) == "2")
        }
    }

    @Test func `users whose cookies are added at a redirect do not share a response`() async throws {
        let server = try MockServer()
        server.on(.get, "/me") { _ in .status(302).with(header: "Location", "/account") }
        server.on(.get, "/account") { request in .text(request.headers["Cookie"] ?? "nobody") }
        func name(_ jar: CookieJar) async throws -> String {
            let service = APIService(baseURL: BaseURL(server.url), interceptors: [jar, cache])
            return try await service.send(.get("/me", as: String.self)).value
        }
        let jars = ["ursula", "stanislaw"].map { _ in CookieJar() }
        try jars[0].setCookie("user=ursula; Path=/account", for: server.url)
        try jars[1].setCookie("user=stanislaw; Path=/account", for: server.url)
        for _ in 0..<2 {
            #expect(try await name(jars[0]) == "user=ursula")
            #expect(try await name(jars[1]) == "user=stanislaw")
        }
        // A response without a redirect is kept for each jar.
        for jar in jars + jars {
            let service = APIService(baseURL: BaseURL(server.url), interceptors: [jar, cache])
            _ = try await service.send(.get("/account", as: String.self)).value
        }
        #expect(server.requests.map(\.path).count { $0 == "/account" } == 6)
    }

    @Test(arguments: ["/account", "/me?again"])
    func `a response after a redirect is not kept`(_ target: String) async throws {
        let server = try MockServer()
        server.on(.get, "/me") { request in
            request.queryItems.isEmpty ? .status(302).with(header: "Location", target) : .text("me")
        }
        server.on(.get, "/account") { _ in .text("account") }
        let service = APIService(baseURL: BaseURL(server.url), interceptors: [cache])
        for _ in 0..<2 { _ = try await service.send(.get("/me", as: String.self)).value }
        #expect(server.requests.count == 4)
    }

    @Test func `requests over different transports do not share a response`() async throws {
        let servers = [NumberingServer(), NumberingServer()]
        for _ in 0..<2 {
            for server in servers { #expect(try await number(from: service(server, cache)) == "1") }
        }
        #expect(servers.map(\.count) == [1, 1])
    }

    @Test func `services and classes that list the same cache share a response`() async throws {
        let server = NumberingServer()
        let request = APIBase()
        request.baseURL = URL(string: "https://library.example.com")
        request.path = "/books"
        request.session = server
        request.interceptors = [cache]
        #expect(try await request.sendRequest().value.data == Data("1".utf8))
        for _ in 0..<2 { #expect(try await number(from: service(server, cache)) == "1") }
        #expect(server.count == 1)
    }

    @Test func `data of any age is returned if the request asks for it`() async throws {
        let service = service(NumberingServer(), cache)
        await expectFailure(.notCached) { try await number(policy: .returnCacheDataDontLoad, from: service) }
        #expect(try await number(policy: .returnCacheDataElseLoad, from: service) == "1")
        clock.advance(by: .seconds(31))
        #expect(try await number(policy: .returnCacheDataElseLoad, from: service) == "1")
        #expect(try await number(policy: .returnCacheDataDontLoad, from: service) == "1")
        #expect(try await number(from: service) == "2")
    }

    @Test func `a request that is not kept is not sent either if it must not use the network`() async throws {
        let server = NumberingServer()
        let service = service(server, cache)
        let settings = RequestSettings(cachePolicy: .returnCacheDataDontLoad)
        await expectFailure(.notCached) { try await service.send(.post("/books", settings: settings)).value }
        #expect(server.count == 0)
    }

    @Test func `the cookies of a kept response are not set again`() async throws {
        let jar = CookieJar()
        let service = service(NumberingServer(headers: ["Set-Cookie": "SID=1"]), jar, cache)
        #expect(try await number(from: service) == "1")
        #expect(jar.cookies.map(\.name) == ["SID"])
        jar.removeAll()
        #expect(try await number(from: service) == "1")
        #expect(jar.cookies.isEmpty)
    }

    @Test func `a kept response names the cache as its source`() async throws {
        let service = service(NumberingServer(), cache)
        let sources = try await [
            service.send(.get("/books", as: Data.self)).head?.source,
            service.send(.get("/books", as: Data.self)).head?.source,
        ]
        #expect(sources == [.network, .cache])
    }

    @Test(arguments: [RequestMethod.head, .post, .put, .patch, .delete, .options])
    func `a request with another method goes to the server, and its response is not kept`(
        _ method: RequestMethod
    ) async throws {
        let server = NumberingServer()
        let service = service(server, cache)
        for _ in 0..<2 { try await service.send(Endpoint<Void>(method, "/books")).value }
        #expect(server.count == 2)
        #expect(try await number(from: service) == "3")
    }

    @Test func `a request with a body goes to the server, and its response is not kept`() async throws {
        let service = service(NumberingServer(), cache)
        let search = Endpoint(.get, "/books", body: .text("Lem").withAnyMethod(), as: Data.self)
        #expect(try await service.send(search).value == Data("1".utf8))
        #expect(try await service.send(search).value == Data("2".utf8))
    }

    @Test func `a stream goes to the server, and its response is not kept`() async throws {
        let service = service(NumberingServer(), cache)
        func streamed() async throws -> Data {
            var body = Data()
            for try await piece in Endpoint<Void>.get("/books").startStream(with: service) { body += piece }
            return body
        }
        #expect(try await streamed() == Data("1".utf8))
        #expect(try await number(from: service) == "2")
        #expect(try await streamed() == Data("3".utf8))
        #expect(try await number(from: service) == "2")
    }

    @Test(arguments: [301, 404, 500, 503])
    func `a response with an unsuccessful status is not kept`(_ statusCode: Int) async throws {
        let service = service(NumberingServer(statusCode), cache)
        #expect(try await number(from: service) == "1")
        #expect(try await number(from: service) == "2")
    }

    @Test func `an unsuccessful response does not replace a kept one`() async throws {
        let service = service(NumberingServer(200, 500), cache)
        #expect(try await number(from: service) == "1")
        #expect(try await number(policy: .reloadIgnoringLocalCacheData, from: service) == "2")
        #expect(try await number(from: service) == "1")
    }

    @Test func `a failure of the transport is not kept`() async throws {
        let service = APIService(baseURL: "library.example.com", interceptors: [cache])
        let endpoint = Endpoint<Data>.get("/books")
        let stub = endpoint.stub(inTurn: [
            endpoint.stub(error: URLError(.cannotFindHost)), endpoint.stubResponse(data: Data("found".utf8)),
        ])
        await expectFailure(.transportFailed) { try await service.send(endpoint, stub: stub).value }
        for _ in 0..<2 { #expect(try await service.send(endpoint, stub: stub).value == Data("found".utf8)) }
    }

    @Test func `a reload goes to the server, and replaces the kept response`() async throws {
        let server = NumberingServer()
        let service = service(server, cache)
        #expect(try await number(from: service) == "1")
        clock.advance(by: .seconds(20))
        #expect(try await number(policy: .reloadIgnoringLocalCacheData, from: service) == "2")
        clock.advance(by: .seconds(20))
        #expect(try await number(from: service) == "2")
        #expect(server.count == 2)
    }

    @Test func `the least recently used responses are removed at the limit of bytes`() async throws {
        // Each entry counts 1,000 bytes more than its body.
        let cache = TimedCache(for: .seconds(30), maximumBytes: 2_500, clock: clock)
        let service = service(NumberingServer(), cache)
        #expect(try await number("/a", from: service) == "1")
        #expect(try await number("/b", from: service) == "2")
        #expect(try await number("/a", from: service) == "1")
        #expect(try await number("/c", from: service) == "3")
        #expect(try await number("/a", from: service) == "1")
        #expect(try await number("/b", from: service) == "4")
    }

    @Test(arguments: [(1_400, 1), (1_600, 2)])
    func `a response that exceeds the limit of bytes is not kept`(_ size: Int, _ count: Int) async throws {
        let cache = TimedCache(for: .seconds(30), maximumBytes: 2_500, clock: clock)
        let server = NumberingServer(padding: size)
        let service = service(server, cache)
        for _ in 0..<2 { #expect(try await number(from: service).utf8.count == size + 1) }
        #expect(server.count == count)
    }

    @Test func `removing all responses sends the next requests to the server`() async throws {
        let service = service(NumberingServer(), cache)
        #expect(try await number(from: service) == "1")
        #expect(try await number("/shelves", from: service) == "2")
        cache.removeAll()
        #expect(try await number(from: service) == "3")
        #expect(try await number("/shelves", from: service) == "4")
        #expect(try await number(from: service) == "3")
    }
}

/// A server that responds to each request with its number.
private final class NumberingServer: Transport {
    /// The status codes of the responses in turn; the last one is repeated.
    private let statusCodes: [Int]
    private let headers: HeaderFields
    /// The number of bytes after the number.
    private let padding: Int
    /// The gate at which each request waits; `nil` for none.
    private let gate: Gate?
    private let sent = Recorder<Void>()

    init(_ statusCodes: Int..., headers: HeaderFields = [:], padding: Int = 0, gate: Gate? = nil) {
        self.statusCodes = statusCodes.isEmpty ? [200] : statusCodes
        self.headers = headers
        self.padding = padding
        self.gate = gate
    }

    var count: Int { sent.elements.count }

    func send(_ request: TransportRequest) async throws -> DataResponse {
        sent.record(())
        let number = count
        try await gate?.pass()
        let text = "\(number)" + String(repeating: " ", count: padding)
        return DataResponse(
            statusCode: statusCodes[min(number, statusCodes.count) - 1], headers: headers, data: Data(text.utf8))
    }
}
