import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.interop()) struct `Connections` {
    let server: MockServer

    init() throws {
        server = try MockServer()
        server.onAny { request in .text(request.path) }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `ten consecutive requests use one connection`(_ transport: TransportUnderTest) async throws {
        let transport = transport.make()
        for _ in 0..<10 { #expect(try await transport.get(server.url).statusCode == 200) }
        #expect(server.acceptedConnections == 1)
    }

    @Test func `the metrics distinguish a new connection from a reused one`() async throws {
        let transport = CurlTransport.direct()
        #expect(try await transport.get(server.url).metrics?.isConnectionReused == false)
        let second = try await transport.get(server.url)
        #expect(second.metrics?.isConnectionReused == true)
        #expect(second.metrics?.remoteAddress == "127.0.0.1:\(server.url.port ?? 0)")
    }

    @Test func `twenty concurrent requests open no more connections than the limit per host`() async throws {
        let gate = Gate()
        server.onAny { _ in
            try await gate.pass()
            return .status(200)
        }
        let transport = CurlTransport.direct { $0.maximumConnectionsPerHost = 2 }
        try await withThrowingTaskGroup { [url = server.url] group in
            for _ in 0..<20 { group.addTask { try await transport.get(url).statusCode } }
            try await gate.waitForArrivals(2)
            gate.open()
            for try await status in group { #expect(status == 200) }
        }
        #expect(server.requests.count == 20)
        #expect(server.acceptedConnections == 2)
    }

    @Test func `the total connection limit applies to all hosts together`() async throws {
        let servers = try (0..<4).map { _ in try MockServer() }
        for server in servers { server.onAny { _ in .status(200) } }
        let transport = CurlTransport.direct { $0.maximumConnections = 1 }
        try await withThrowingTaskGroup { group in
            for server in servers + servers { group.addTask { try await transport.get(server.url).statusCode } }
            for try await status in group { #expect(status == 200) }
        }
        // An idle connection is closed to make room for one to another host.
        try await waitUntil { servers.map(\.openConnections).reduce(0, +) <= 1 }
    }

    @Test func `waiting requests are sent by priority and then by arrival`() async throws {
        let gate = Gate()
        server.on(.get, "/first") { _ in
            try await gate.pass()
            return .status(200)
        }
        let transport = CurlTransport.direct { $0.maximumConnectionsPerHost = 1 }
        let first = Task { [server] in try await transport.get(server.url.appendingPathComponent("first")) }
        try await gate.waitForArrivals(1)
        let order: [(RequestPriority, String)] = [
            (.low, "/low-1"), (.normal, "/normal-1"), (.high, "/high-1"), (.low, "/low-2"), (.high, "/high-2"),
            (.normal, "/normal-2"),
        ]
        let waiting = try order.map { priority, path in
            var request = TransportRequest.get(try URL.of(server.url.absoluteString + path))
            request.priority = priority
            // The engine's thread runs the tasks in this order, so the requests arrive in this order.
            return Task(executorPreference: transport.executor) { [request] in try await transport.send(request) }
        }
        // When the first of these tasks runs, all requests are submitted. When the second runs, all are queued.
        for _ in 0..<2 { await Task(executorPreference: transport.executor) {}.value }
        gate.open()
        for task in [first] + waiting { _ = try await task.value }
        #expect(
            server.requests.map(\.path) == [
                "/first", "/high-1", "/high-2", "/normal-1", "/normal-2", "/low-1", "/low-2",
            ])
    }

    @Test func `configured addresses replace the name service`() async throws {
        let port = try #require(server.url.port)
        let transport = CurlTransport.direct { $0.resolvedHosts["api.invalid:\(port)"] = ["127.0.0.1"] }
        #expect(try await transport.get(URL.of("http://api.invalid:\(port)/here")).text == "/here")
        #expect(server.requests.first?.headers["Host"] == "api.invalid:\(port)")
        await expectURLError(.cannotFindHost) { try await transport.get(URL.of("http://other.invalid:\(port)/")) }
    }

    @Test func `a request succeeds if one of several addresses responds`() async throws {
        let port = try #require(server.url.port)
        let transport = CurlTransport.direct { $0.resolvedHosts["api.invalid:\(port)"] = ["::1", "127.0.0.1"] }
        #expect(try await transport.get(URL.of("http://api.invalid:\(port)/here")).text == "/here")
    }
}
