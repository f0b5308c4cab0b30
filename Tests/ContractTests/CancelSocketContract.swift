import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Contract: cancellation reaches the socket` {
    let server: MockServer

    init() throws {
        server = try MockServer()
        server.onAny { _ in .text("x").with(fault: .stallBeforeHead) }
    }

    static let stalls: [MockFault] = [.stallBeforeHead, .stallInHead(after: 20), .stallInBody(after: 3)]

    @Test(arguments: TransportUnderTest.without(.cancellationAtTheSocket), stalls.indices)
    func `cancelling the task of a request closes the connection`(
        _ transport: TransportUnderTest, _ stall: Int
    ) async throws {
        server.onAny { _ in .text("0123456789").with(fault: Self.stalls[stall]) }
        let pipeline = transport.probe(server).start()
        let task = Task { try await pipeline.value }
        _ = try await server.takeRequest()
        task.cancel()
        let error = await expectFailure(.cancelled) { try await task.value }
        #expect(error?.metrics?.bytesSent == Int64(server.requests.first?.rawHead.count ?? 0))
        try await server.waitUntil(openConnections: 0)
    }

    @Test(arguments: TransportUnderTest.without(.cancellationAtTheSocket))
    func `cancelling the token of a sink closes the connection`(_ transport: TransportUnderTest) async throws {
        let token = transport.probe(server).start().sink { _ in
            Issue.record("a cancelled sink received a completion")
        } receiveValue: { _ in
            Issue.record("a cancelled sink received a value")
        }
        _ = try await server.takeRequest()
        token.cancel()
        try await server.waitUntil(openConnections: 0)
    }

    @Test(arguments: TransportUnderTest.without(.cancellationAtTheSocket))
    func `releasing the token of a sink closes the connection`(_ transport: TransportUnderTest) async throws {
        var token: CancellationToken? = transport.probe(server).start().sink { _ in
        } receiveValue: { _ in
        }
        #expect(token != nil)
        _ = try await server.takeRequest()
        token = nil
        try await server.waitUntil(openConnections: 0)
    }

    @Test(arguments: TransportUnderTest.without(.cancellationAtTheSocket))
    func `cancelling the last reader of a shared response closes the connection`(
        _ transport: TransportUnderTest
    ) async throws {
        let response = transport.probe(server).schedule()
        let waiting = WaitingTasks(for: DataResponse.self)
        let (first, second) = waiting.observing {
            (Task { try await response.value }, Task { try await response.value })
        }
        _ = try await server.takeRequest()
        try await waitUntil { waiting.count == 2 }
        first.cancel()
        await expectFailure(.cancelled) { try await first.value }
        #expect(server.openConnections == 1)
        second.cancel()
        await expectFailure(.cancelled) { try await second.value }
        try await server.waitUntil(openConnections: 0)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: TransportUnderTest.without(.cancellationAtTheSocket))
    func `cancelling a request that is still connecting closes the connection`(
        _ transport: TransportUnderTest
    ) async throws {
        let session = transport.make()
        let server = try FullBacklog()
        let task = Task { try await session.send(TransportRequest(URLRequest(url: server.url))) }
        // The second request gets no response before the first one has begun.
        let second = Probe(server.url, session)
        second.timeoutInterval = 0.05
        await expectFailure(.timedOut) { try await second.start().value }
        task.cancel()
        await #expect(throws: TransportFailure.self) { try await task.value }
    }

    @Test(arguments: TransportUnderTest.without(.cancellationAtTheSocket))
    func `a queued request that is cancelled sends nothing`(_ transport: TransportUnderTest) async throws {
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerHost = 1
        let session = CurlTransport(configuration)
        let first = Task { [server] in try await Probe(server.url, session, path: "/first").start().value }
        _ = try await server.takeRequest()
        let waiting = Task { [server] in try await Probe(server.url, session, path: "/waiting").start().value }
        // When the last request has timed out, the waiting request is queued, whichever was sent first.
        let last = Probe(server.url, session, path: "/last")
        last.resourceTimeout = .milliseconds(50)
        await expectFailure(.timedOut) { try await last.start().value }
        waiting.cancel()
        await expectFailure(.cancelled) { try await waiting.value }
        first.cancel()
        await expectFailure(.cancelled) { try await first.value }
        try await server.waitUntil(openConnections: 0)
        #expect(server.requests.map(\.path) == ["/first"])
    }

    /// The task is cancelled before it waits for the response.
    @Test(arguments: TransportUnderTest.allCases)
    func `a task that is cancelled before it sends a request sends nothing`(_ transport: TransportUnderTest)
        async throws
    {
        let session = transport.make()
        let url = server.url
        for _ in 0..<500 {
            let gate = Gate()
            let task = Task {
                try? await gate.pass()
                return try await session.send(TransportRequest(URLRequest(url: url)))
            }
            task.cancel()
            let error = await #expect(throws: (any Error).self) { try await task.value }
            #expect(((error as? TransportFailure)?.error.code == .cancelled) || error is ErrandError)
        }
        #expect(server.requests.isEmpty)
    }
}
