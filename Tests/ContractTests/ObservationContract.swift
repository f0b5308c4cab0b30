import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import Errand

/// What observers see, over both transports and under stubs.
struct `Contract: observed exchanges` {
    enum Network: String, CaseIterable, Sendable {
        #if canImport(CCurl)
        case curl
        #endif
        case urlSession, stubs
    }

    /// A server, or the stubs in its place.
    private struct Peer {
        let url: URL
        let transport: any Transport
        let server: MockServer?
        let stubs: RouteStubs?

        init(_ network: Network, _ handler: @escaping MockHandler) throws {
            if let transport = TransportUnderTest(rawValue: network.rawValue) {
                let server = try MockServer()
                server.onAny(handler: handler)
                (self.transport, self.server, stubs, url) = (transport.make(), server, nil, server.url)
            } else {
                let stubs = RouteStubs()
                stubs.on(.get, "/*", handler: handler)
                stubs.on(.post, "/*", handler: handler)
                (transport, server, self.stubs) = (stubs, nil, stubs)
                url = try #require(URL(string: "http://api.example.com"))
            }
        }

        var requests: [MockRequest] { server?.requests ?? stubs?.requests ?? [] }

        func fields(_ name: HeaderFields.Name) -> [String?] { requests.map { $0.headers[name] } }
    }

    /// A leaf with a template, a retry and a token.
    private final class Book: APIBase, Request {
        init(_ peer: Peer, _ observers: [any ExchangeObserver], at path: RequestPath = "/books/\(7, as: "id")") {
            super.init()
            baseURL = peer.url.appending(path: "v1")
            session = peer.transport
            self.path = path
            self.observers = observers
            retryPolicy = .immediate
            timeoutInterval = .hangGuard
        }

        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
    }

    private let recorder = ExchangeRecorder()

    /// Responds with these in turn, and with 200 after them.
    private static func inTurn(_ responses: MockResponse...) -> MockHandler {
        let left = Locked(responses)
        return { _ in left.withLock { $0.isEmpty ? .status(200) : $0.removeFirst() } }
    }

    @Test(arguments: Network.allCases)
    func `a retry is a sibling with the next resend count`(_ network: Network) async throws {
        let peer = try Peer(network, Self.inTurn(.status(503), .status(503)))
        _ = try await Book(peer, [recorder, TraceContext()]).start().value
        #expect(
            recorder.lines == [
                "GET /v1/books/{id} 0 -> 503 error 503", "GET /v1/books/{id} 1 -> 503 error 503",
                "GET /v1/books/{id} 2 -> 200",
            ])
        let parents = peer.fields("traceparent").compactMap { $0.flatMap { TraceParent($0) } }
        #expect(Set(parents.map(\.traceID)).count == 1)
        #expect(Set(parents.map(\.parentID)).count == 3)
    }

    @Test(arguments: Network.allCases)
    func `an expired token is a sibling, and its refresh an exchange of another request`(
        _ network: Network
    ) async throws {
        let peer = try Peer(network, Self.inTurn(.status(401)))
        let refresh = Book(peer, [recorder], at: "/token")
        refresh.method = .post
        let start = refresh.start()
        let book = Book(peer, [recorder])
        book.interceptors = [
            TokenAuthentication(token: AccessToken("old")) { _ in
                _ = try await start.value
                return AccessToken("new")
            }
        ]
        _ = try await book.start().value
        #expect(
            recorder.lines == [
                "GET /v1/books/{id} 0 -> 401 error 401", "POST /v1/token 0 -> 200", "GET /v1/books/{id} 1 -> 200",
            ])
    }

    @Test(arguments: Network.allCases)
    func `a redirect ends an exchange, and the next one has no template`(_ network: Network) async throws {
        let peer = try Peer(
            network,
            Self.inTurn(
                .status(503), .status(302).with(header: "Location", "/v2/books/secret?q=secret"),
                .status(307).with(header: "Location", "/v3/books/secret"), .status(404)))
        _ = try await Book(peer, [recorder, TraceContext()]).start().value
        #expect(
            recorder.lines == [
                "GET /v1/books/{id} 0 -> 503 error 503", "GET /v1/books/{id} 1 -> 302", "GET 2 redirected -> 307",
                "GET 3 redirected -> 404 error 404",
            ])
        let parents = peer.fields("traceparent").compactMap { $0.flatMap { TraceParent($0) } }
        #expect(parents.count == 4)
        #expect(Set(parents.map(\.traceID)).count == 1)
        #expect(Set(parents.map(\.parentID)).count == 4)
        let port = peer.url.port.map { ":\($0)" } ?? ""
        let urls = recorder.entries.map { $0.exchange.attributes["url.full"]?.description }
        let origin = "http://\(peer.url.host() ?? "")\(port)"
        #expect(
            urls == [
                "\(origin)/v1/books/{id}", "\(origin)/v1/books/{id}", "\(origin)/REDACTED?q=REDACTED",
                "\(origin)/REDACTED",
            ])
    }

    @Test(arguments: Network.allCases)
    func `an exchange after a redirect that drops the body has no body`(_ network: Network) async throws {
        let peer = try Peer(network, Self.inTurn(.status(303).with(header: "Location", "/v1/done")))
        let book = Book(peer, [recorder])
        book.method = .post
        book.body = .data(Data("hello".utf8), type: .plainText)
        _ = try await book.start().value
        #expect(recorder.lines == ["POST /v1/books/{id} 0 -> 303", "GET 1 redirected -> 200"])
        #expect(recorder.entries.map { $0.outcomes.map(\.requestBodySize) } == [[5], [0]])
    }

    @Test(arguments: Network.allCases)
    func `a redirect to another origin gets no fields, and one back to the first gets them`(
        _ network: Network
    ) async throws {
        let other = try Peer(network, Self.inTurn())
        let home = try Peer(network, Self.inTurn())
        let there = network == .stubs ? "http://other.example.com" : other.url.absoluteString
        let back = home.url.absoluteString
        let handler: MockHandler = { request in
            switch request.path {
            case "/v1/books/7": .status(302).with(header: "Location", "\(there)/b")
            case "/b": .status(302).with(header: "Location", "\(back)/c")
            default: .status(200)
            }
        }
        for peer in [home, other] {
            peer.server?.onAny(handler: handler)
            peer.stubs?.on(.get, "/*", handler: handler)
        }
        let trace = TraceParent()
        try await TraceContext.$current.withValue(trace) {
            _ = try await Book(home, [recorder, TraceContext()]).start().value
        }
        #expect(
            recorder.lines == [
                "GET /v1/books/{id} 0 -> 302", "GET 1 redirected -> 302", "GET 2 redirected -> 200",
            ])
        let requests = home.requests + (network == .stubs ? [] : other.requests)
        let traces = requests.map { request in
            (request.path, request.headers["traceparent"].flatMap { TraceParent($0) }?.traceID)
        }
        #expect(traces.first { $0.0 == "/v1/books/7" }?.1 == trace.traceID)
        #expect(traces.first { $0.0 == "/b" }?.1 == .some(nil))
        #expect(traces.first { $0.0 == "/c" }?.1 == trace.traceID)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `only the last of several exchanges has the peer that the transport measured`(
        _ transport: TransportUnderTest
    ) async throws {
        let (first, second) = (try MockServer(), try MockServer())
        first.onAny { request in
            request.path == "/last"
                ? .status(200) : .status(302).with(header: "Location", "\(second.url.absoluteString)/b")
        }
        second.onAny { _ in .status(302).with(header: "Location", "\(first.url.absoluteString)/last") }
        let probe = Probe(first.url, transport.make(), path: "/a")
        probe.observers = [recorder]
        _ = try await probe.start().value
        let peers = recorder.entries.map { $0.outcomes.first?.attributes["network.peer.port"] }
        #expect(peers.dropLast() == [nil, nil])
        // `URLSession` does not report it.
        if transport != .urlSession { #expect(peers.last == first.url.port.map { .integer($0) }) }
        #expect(
            recorder.entries.map { $0.exchange.attributes["server.port"] }
                == [first, second, first].map { $0.url.port.map { .integer($0) } })
    }

    @Test(arguments: Network.allCases)
    func `a redirect that is not followed, and one that cannot be, end their exchange once`(
        _ network: Network
    ) async throws {
        let peer = try Peer(network, { _ in .status(302).with(header: "Location", "/again") })
        let policies: [RedirectPolicy] = [.ignore, .decide { _, _ in false }]
        for policy in policies {
            let book = Book(peer, [recorder])
            book.redirectPolicy = policy
            _ = try await book.start().value
        }
        #expect(recorder.lines == ["GET /v1/books/{id} 0 -> 302", "GET /v1/books/{id} 0 -> 302"])
        let endless = Book(peer, [recorder])
        endless.retryPolicy = nil
        await expectFailure(.transportFailed) { try await endless.start().value }
        #expect(recorder.lines.count == 23)
        #expect(recorder.lines.last == "GET 20 redirected -> 302 error http_too_many_redirects")
        #expect(recorder.entries.allSatisfy { $0.outcomes.count == 1 })
    }

    @Test(arguments: Network.allCases)
    func `a status that the request accepts does not count as an error`(_ network: Network) async throws {
        let peer = try Peer(network, { _ in .status(404) })
        let book = Book(peer, [recorder])
        book.acceptedStatusCodes = [200, 404]
        _ = try await book.start().value
        #expect(recorder.lines == ["GET /v1/books/{id} 0 -> 404"])
    }

    @Test(arguments: Network.allCases)
    func `the exchange of a streamed response ends with its head`(_ network: Network) async throws {
        let gate = Gate()
        let left = Locked([Data("a\n".utf8)])
        let peer = try Peer(network) { _ in
            .stream {
                if let first = left.withLock({ $0.popLast() }) { return first }
                try await gate.pass()
                return nil
            }
        }
        for try await line in Book(peer, [recorder]).sendStream().lines() {
            #expect(line == "a")
            #expect(recorder.lines == ["GET /v1/books/{id} 0 -> 200"])
            gate.open()
        }
        #expect(recorder.lines == ["GET /v1/books/{id} 0 -> 200"])
    }

    @Test(arguments: Network.allCases)
    func `a request that is cancelled has no error`(_ network: Network) async throws {
        let (arrived, answered) = (Gate(), Gate())
        let peer = try Peer(network) { _ in
            arrived.open()
            try await answered.pass()
            return .status(200)
        }
        let start = Book(peer, [recorder]).start()
        let task = Task { try await start.value }
        try await arrived.pass()
        task.cancel()
        _ = await task.result
        #expect(recorder.lines == ["GET /v1/books/{id} 0 -> cancelled"])
    }

    @Test func `a connection that is refused has the kind of its error`() async throws {
        let server = try MockServer.refusing()
        for transport in TransportUnderTest.allCases {
            let recorder = ExchangeRecorder()
            let probe = Probe(server.url, transport.make(), path: "/secret")
            probe.observers = [recorder]
            await expectFailure(.transportFailed) { try await probe.start().value }
            #expect(recorder.lines == ["GET 0 -> error cannot_connect_to_host"])
            let attributes = recorder.entries.first?.exchange.attributes
            #expect(attributes?["server.port"] == server.url.port.map { .integer($0) })
        }
    }
}
