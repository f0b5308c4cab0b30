#if canImport(CCurl)
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import Errand

@Suite(.hangGuard) struct `Contract: the pool of connections` {
    private func transport(_ change: (inout CurlConfiguration) -> Void = { _ in }) -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.proxy = .none
        // A long limit, because the machine may be busy with other tests.
        configuration.connectTimeout = .seconds(60)
        change(&configuration)
        return CurlTransport(configuration)
    }

    private func send(_ url: URL, over transport: CurlTransport) async throws -> DataResponse {
        try await transport.send(TransportRequest(URLRequest(url: url, timeoutInterval: .hangGuard)))
    }

    private func name(of server: MockServer) throws -> String {
        "http://127.0.0.1:\(try #require(server.url.port))"
    }

    @Test func `pool metrics count open, idle and active connections and queued requests`() async throws {
        let gate = Gate()
        let server = try MockServer()
        server.on(.get, "/wait") { _ in
            try await gate.pass()
            return .text("hello")
        }
        let transport = transport { $0.maximumConnectionsPerHost = 2 }
        #expect(await transport.poolMetrics().origins.isEmpty)
        let url = server.url.appendingPathComponent("wait")
        let tasks = (0..<5).map { _ in Task { try await send(url, over: transport).statusCode } }
        try await gate.waitForArrivals(2)
        var expected = PoolMetrics()
        expected.connections = 2
        expected.requests = 5
        expected.waiting = 3
        try await waitUntil { await transport.poolMetrics().requests == 5 }
        #expect(try await transport.poolMetrics().origins == [name(of: server): expected])
        gate.open()
        for task in tasks { #expect(try await task.value == 200) }
        expected = PoolMetrics()
        expected.connections = 2
        expected.idleConnections = 2
        #expect(try await transport.poolMetrics().origins == [name(of: server): expected])
        await transport.shutdown()
        #expect(await transport.poolMetrics().origins.isEmpty)
    }

    @Test func `pool metrics count TLS handshakes and name lookups`() async throws {
        let hole = try RawServer { $0.readToEnd() }
        let port = try #require(hole.url.port)
        let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
        let called = Gate()
        let transport = transport {
            $0.nameService = .function { _ in
                called.open()
                try await Gate().pass()
                return ResolvedHost(addresses: [])
            }
        }
        let handshake = Task { try await send(url, over: transport) }
        let lookup = Task { try await send(try #require(URL(string: "http://service.example/")), over: transport) }
        try await called.pass()
        try await waitUntil { await transport.poolMetrics().handshakes == 1 }
        let metrics = await transport.poolMetrics()
        #expect(metrics.origins["https://127.0.0.1:\(port)"]?.connections == 1)
        #expect(metrics.origins["http://service.example:80"]?.lookups == 1)
        #expect(metrics.requests == 2)
        for task in [handshake, lookup] { task.cancel() }
    }

    @Test(arguments: ["http", "https"])
    func `a connection that was cancelled while it was opened is no longer counted`(_ scheme: String) async throws {
        let backlog = try FullBacklog()
        let silent = try RawServer { $0.readToEnd() }
        let port = try #require((scheme == "http" ? backlog.url : silent.url).port)
        let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(port)/"))
        let transport = transport()
        let task = Task { try await send(url, over: transport) }
        try await waitUntil { await transport.poolMetrics().connections == 1 }
        task.cancel()
        let failure = await #expect(throws: TransportFailure.self) { try await task.value }
        #expect(failure?.error.code == .cancelled)
        #expect(await transport.poolMetrics().origins.isEmpty)
    }

    @Test func `warming up opens connections before requests need them`() async throws {
        let gate = Gate()
        let server = try MockServer()
        server.on(.head, "/") { _ in
            try await gate.pass()
            return .status(404)
        }
        server.on(.get, "/") { _ in .text("hello") }
        let transport = transport()
        async let warm: Void = transport.warmUp(server.url, connections: 3)
        // Each request has its own connection, because the server responds only after all have arrived.
        try await gate.waitForArrivals(3)
        gate.open()
        try await warm
        let counts = await transport.poolMetrics()
        #expect(counts.connections == 3)
        #expect(counts.idleConnections == 3)
        #expect(try await send(server.url, over: transport).metrics?.isConnectionReused == true)
    }

    @Test func `among many connections, a host's connection is kept from its second request on`() async throws {
        let server = try MockServer()
        server.onAny { _ in .text("hello") }
        let port = try #require(server.url.port)
        let transport = transport {
            $0.maximumConnections = 4
            $0.nameService = .function { _ in ResolvedHost(addresses: ["127.0.0.1"]) }
        }
        func isReused(_ host: String) async throws -> Bool? {
            let url = try #require(URL(string: "http://\(host).example:\(port)/"))
            return try await send(url, over: transport).metrics?.isConnectionReused
        }
        for host in ["a", "b", "c", "d", "e"] { #expect(try await isReused(host) == false) }
        // Two connections are half of the allowed ones. Each further one is closed after its request.
        #expect(await transport.poolMetrics().idleConnections == 2)
        #expect(try await isReused("a") == true)
        #expect(try await isReused("e") == false)
        #expect(try await isReused("e") == true)
    }

    @Test func `the first request to a host keeps its connection for other requests to the host`() async throws {
        let (first, others) = (Gate(), Gate())
        let server = try MockServer()
        server.on(.get, "/first") { _ in
            try await first.pass()
            return .text("hello")
        }
        server.on(.get, "/others") { _ in
            try await others.pass()
            return .text("hello")
        }
        let transport = transport { $0.maximumConnections = 4 }
        func start(_ path: String) -> Task<Int, any Error> {
            Task { try await send(server.url.appendingPathComponent(path), over: transport).statusCode }
        }
        let earliest = start("first")
        try await first.waitForArrivals(1)
        let later = (0..<3).map { _ in start("others") }
        try await others.waitForArrivals(3)
        first.open()
        #expect(try await earliest.value == 200)
        #expect(await transport.poolMetrics().idleConnections == 1)
        others.open()
        for task in later { #expect(try await task.value == 200) }
    }

    @Test func `connections to a proxy are kept for all hosts`() async throws {
        let gate = Gate()
        let proxy = try MockServer()
        proxy.onAny { _ in
            try await gate.pass()
            return .text("hello")
        }
        let transport = transport {
            $0.proxy = .server(proxy.url)
            $0.maximumConnections = 4
        }
        let tasks = try ["a", "b", "c"].map { host in
            let url = try #require(URL(string: "http://\(host).example/"))
            return Task { try await send(url, over: transport).statusCode }
        }
        try await gate.waitForArrivals(3)
        gate.open()
        for task in tasks { #expect(try await task.value == 200) }
        #expect(await transport.poolMetrics().idleConnections == 3)
    }

    @Test func `warming up a negative number of connections opens none`() async throws {
        let server = try MockServer()
        let transport = transport()
        try await transport.warmUp(server.url, connections: -1)
        #expect(server.requests.isEmpty)
    }

    @Test func `warming up fails if the server cannot be reached`() async throws {
        let refusing = try MockServer.refusing()
        await #expect(throws: TransportFailure.self) { try await transport().warmUp(refusing.url, connections: 2) }
    }

    /// libcurl counts in whole seconds, with its own clock.
    @Test(.deep(.timeLimits), arguments: CurlLibrary.current.has(.keepsConnectionsForever) ? [true] : [true, false])
    func `a connection that is too old or was idle too long is not reused`(_ isIdle: Bool) async throws {
        let server = try MockServer()
        server.onAny { _ in .text("hello") }
        let transport = transport {
            if isIdle { $0.idleConnectionLifetime = .seconds(1) } else { $0.connectionLifetime = .seconds(1) }
        }
        #expect(try await send(server.url, over: transport).metrics?.isConnectionReused == false)
        try await Task.sleep(for: .seconds(2.1))
        #expect(try await send(server.url, over: transport).metrics?.isConnectionReused == false)
    }

    @Test func `connections use the configured local address`() async throws {
        let peers = Recorder<String>()
        let server = try RawServer { connection in
            _ = connection.readHead()
            peers.record(connection.peer)
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        for address in ["127.0.0.7", "lo"] {
            let transport = transport { $0.localAddress = address }
            #expect(try await send(server.url, over: transport).statusCode == 200)
        }
        #expect(peers.elements == ["127.0.0.7", "127.0.0.1"])
    }

    @Test(arguments: ["192.0.2.7", "nosuch0"])
    func `a local address that this machine does not have fails the request`(_ address: String) async throws {
        let server = try MockServer()
        let transport = transport { $0.localAddress = address }
        let failure = await #expect(throws: TransportFailure.self) { try await send(server.url, over: transport) }
        #expect(failure?.error.code == .cannotConnectToHost)
        #expect(failure?.reason == "connections cannot come from \(address), which this machine does not have")
    }

    @Test func `a configuration with a limit of zero connections is rejected`() async throws {
        let server = try MockServer()
        for change in [\CurlConfiguration.maximumConnections, \.maximumConnectionsPerHost] {
            let failure = await #expect(throws: ErrandError.self) {
                try await send(server.url, over: transport { $0[keyPath: change] = 0 })
            }
            #expect(failure?.code == .invalidSetting)
        }
    }
}
#endif
