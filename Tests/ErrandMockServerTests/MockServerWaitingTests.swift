import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Waiting for a mock server` {
    @Test func `requests are taken in order, each once, and remain recorded`() async throws {
        let server = try MockServer()
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", "/1") + Wire.request("GET", "/2"))
        #expect(try await server.takeRequest().path == "/1")
        #expect(try await server.takeRequest().path == "/2")
        #expect(server.requests.map(\.path) == ["/1", "/2"])
    }

    @Test func `taking a request waits until one arrives`() async throws {
        let server = try MockServer()
        async let request = server.takeRequest()
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", "/late"))
        #expect(try await request.path == "/late")
    }

    @Test func `each of several waiting tasks gets its own request`() async throws {
        let server = try MockServer()
        let paths = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await server.takeRequest().path } }
            let client = try await RawClient.connect(to: server.url)
            try await client.send((0..<20).map { Wire.request("GET", "/\($0)") }.joined())
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(paths == Set((0..<20).map { "/\($0)" }))
    }

    @Test func `taking a request fails after the limit and lists the received requests`() async throws {
        let clock = ManualClock()
        let server = try MockServer()
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", "/books?token=sesame"))
        _ = try await server.takeRequest()
        let waiting = Task { try await server.takeRequest(within: .seconds(3), clock: clock) }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(3))
        let error = await #expect(throws: MockMismatch.self) { try await waiting.value }
        #expect(
            error?.description == """
                no untaken request arrived within 3.0 seconds
                requests so far:
                  GET /books?token
                """)
    }

    @Test func `the limit for taking a request can be any duration`() async throws {
        let server = try MockServer()
        let waiting = Task { try await server.takeRequest(within: .seconds(Int64.max)) }
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", "/1"))
        #expect(try await waiting.value.path == "/1")
    }

    @Test func `a request that has arrived is taken without waiting`() async throws {
        let server = try MockServer()
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", "/1"))
        try await server.waitUntil { $0.requests == 1 }
        #expect(try await server.takeRequest(within: .zero, clock: ManualClock()).path == "/1")
    }

    @Test func `each of several tasks that wait with a limit gets its own request`() async throws {
        let clock = ManualClock()
        let server = try MockServer()
        let paths = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await server.takeRequest(within: .seconds(3), clock: clock).path } }
            try await clock.waitForSleepers(20)
            let client = try await RawClient.connect(to: server.url)
            try await client.send((0..<20).map { Wire.request("GET", "/\($0)") }.joined())
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(paths == Set((0..<20).map { "/\($0)" }))
        #expect(clock.sleeperCount == 0)
        try server.verifyNoMoreRequests()
    }

    @Test func `cancelling a wait ends it and takes no request`() async throws {
        let server = try MockServer()
        let waiting = Task { try await server.takeRequest() }
        let never = Task { try await server.waitUntil(openConnections: 5) }
        waiting.cancel()
        never.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await #expect(throws: CancellationError.self) { try await never.value }

        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", "/kept"))
        #expect(try await server.takeRequest().path == "/kept")
    }

    @Test func `stopping a server ends waits that can no longer succeed`() async throws {
        let server = try MockServer()
        let request = Task { try await server.takeRequest() }
        let connections = Task { try await server.waitUntil(openConnections: 1) }
        server.stop()
        await #expect(throws: MockServerError.stopped) { try await request.value }
        await #expect(throws: MockServerError.stopped) { try await connections.value }
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `a condition on the server's state is checked after each change`() async throws {
        let server = try MockServer()
        let clients = [try await RawClient.connect(to: server.url), try await RawClient.connect(to: server.url)]
        try await server.waitUntil { $0.acceptedConnections == 2 }
        clients[0].end()
        try await server.waitUntil(openConnections: 1)
        clients[1].end()
        try await server.waitUntil(openConnections: 0)
        #expect(server.acceptedConnections == 2)
    }

    @Test func `a client that closes while a handler runs cancels the handler`() async throws {
        let server = try MockServer()
        let (cancelled, witness) = AsyncStream<Bool>.makeStream()
        server.onAny { _ in
            let (forever, _) = AsyncStream<Void>.makeStream()
            for await _ in forever {}
            witness.yield(Task.isCancelled)
            return .status(200)
        }
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", "/"))
        _ = try await server.takeRequest()
        client.end()
        try await server.waitUntil(openConnections: 0)
        #expect(await cancelled.first { _ in true } == true)
    }

    @Test func `a client that closes during a large response is noticed without a signal`() async throws {
        let server = try MockServer()
        server.onAny { _ in .raw(Data(count: 64 << 20)) }
        let client = try await RawClient.connect(to: server.url)
        try await client.send(Wire.request("GET", "/"))
        _ = try await client.read(1)
        client.end()
        try await server.waitUntil(openConnections: 0)
    }
}
