import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// For libcurl's engine only, because Errand does not own the threads of `URLSession`.
@Suite(.hangGuard) struct `Contract: shutdown of a transport` {
    let server: MockServer
    let session = CurlTransport()
    let gate = Gate()

    init() throws {
        server = try MockServer()
        server.onAny { _ in .text("hello") }
        server.on(.get, "/gated") { [gate] _ in
            try await gate.pass()
            return .text("late")
        }
    }

    @Test func `a finishing shutdown completes requests in flight and rejects new ones`() async throws {
        let gated = Probe(server.url, session, path: "/gated").start()
        let inFlight = Task { try await gated.value }
        _ = try await server.takeRequest()
        let ending = Task { [session] in await session.shutdown() }
        let plain = Probe(server.url, session).start()
        var outcome = await plain.result
        while case .success = outcome { outcome = await plain.result }
        await expectFailure(.cancelled) { try outcome.get() }
        gate.open()
        #expect(try await inFlight.value.data == Data("late".utf8))
        await ending.value
        try await server.waitUntil(openConnections: 0)
        await expectFailure(.cancelled) { try await plain.value }
    }

    @Test func `a cancelling shutdown ends requests and streams in flight`() async throws {
        server.on(.get, "/stream") { _ in .text("0123456789").with(fault: .stallInBody(after: 3)) }
        let gated = Probe(server.url, session, path: "/gated").start()
        let inFlight = Task { try await gated.value }
        _ = try await server.takeRequest()
        let url = server.url.appendingPathComponent("stream")
        let response = try await session.stream(TransportRequest(URLRequest(url: url, timeoutInterval: .hangGuard)))
        await session.shutdown(cancelsRequests: true)
        await expectFailure(.cancelled) { try await inFlight.value }
        let failure = await #expect(throws: TransportFailure.self) { for try await _ in response.body {} }
        #expect(failure?.error.code == .cancelled)
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `a cancelling shutdown ends requests that a finishing shutdown waits for`() async throws {
        let gated = Probe(server.url, session, path: "/gated").start()
        let inFlight = Task { try await gated.value }
        _ = try await server.takeRequest()
        let finishing = Task { [session] in await session.shutdown() }
        await session.shutdown(cancelsRequests: true)
        await finishing.value
        await expectFailure(.cancelled) { try await inFlight.value }
        await session.shutdown()
    }

    @Test func `queued requests finish before the transport shuts down`() async throws {
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerHost = 1
        let session = CurlTransport(configuration)
        let gated = Probe(server.url, session, path: "/gated").start()
        let tasks = (0..<5).map { _ in Task { try await gated.value.statusCode } }
        _ = try await server.takeRequest()
        gate.open()
        for task in tasks { #expect(try await task.value == 200) }
        await session.shutdown()
        #expect(server.acceptedConnections == 1)
    }

    @Test func `a transport stays alive while one of its bodies is read`() async throws {
        let gates = Gates(3)
        server.on(.get, "/stream") { _ in
            .chunked([Data("one".utf8), Data("two".utf8)]).with(fault: .pauseBeforeEachChunk(gates.passNext))
        }
        let url = server.url.appendingPathComponent("stream")
        var body = try await CurlTransport().stream(TransportRequest(URLRequest(url: url, timeoutInterval: .hangGuard)))
            .body.makeAsyncIterator()
        for (gate, text) in ["one", "two"].enumerated() {
            gates.open(gate)
            #expect(try await body.next() == Data(text.utf8))
        }
        gates.open(2)
        #expect(try await body.next() == nil)
    }

    @Test func `a transport's executor runs jobs even after the shutdown`() async throws {
        let session = session
        let url = server.url
        for _ in 0..<2 {
            let result = await withTaskExecutorPreference(session.executor) {
                await Probe(url, session).start().result
            }
            if case .failure(let error) = result { #expect(ErrandError.Code.cancelled ~= error) }
            await session.shutdown()
        }
        #expect(server.requests.count == 1)
    }

    @Test func `a task on a transport's executor uses the connections of its thread`() async throws {
        var configuration = CurlConfiguration()
        configuration.executorThreads = 2
        let session = CurlTransport(configuration)
        let pipeline = Probe(server.url, session).start()
        // The executor's threads run tasks in turn, and each uses its own connection for the requests of its task.
        for connections in [1, 2, 2, 2] {
            let task = Task(executorPreference: session.executor) {
                for _ in 0..<3 { _ = try await pipeline.value }
            }
            try await task.value
            #expect(server.acceptedConnections == connections)
        }
        _ = try await pipeline.value
        #expect(server.acceptedConnections == 2)
        await session.shutdown()
    }

    @Test func `a task on another transport's executor reuses the shared connection`() async throws {
        let session = session
        let other = CurlTransport()
        let pipeline = Probe(server.url, session).start()
        try await Task(executorPreference: other.executor) { _ = try await pipeline.value }.value
        await other.shutdown()
        _ = try await pipeline.value
        #expect(server.acceptedConnections == 1)
        await session.shutdown()
    }
}
