import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Retries over connections` {
    let server: MockServer
    let clock = ManualClock()
    let transport = CurlTransport()

    init() throws {
        server = try MockServer()
    }

    private var policy: RetryPolicy {
        var policy = RetryPolicy.constant(.seconds(1))
        policy.clock = clock
        return policy
    }

    private func stream() async throws -> DataResponse {
        let request = TransportRequest(URLRequest(url: server.url, timeoutInterval: .hangGuard))
        return try await RetryInterceptor(policy).intercept(
            request, next: Next { [transport] in try await transport.stream($0) })
    }

    private func failFirst(with response: MockResponse) {
        let turns = Locked(0)
        server.onAny { _ in
            let turn = turns.withLock { turns in
                turns += 1
                return turns
            }
            return turn == 1 ? response : .text("hello")
        }
    }

    @Test func `a retry closes the connection of a failed stream before it waits`() async throws {
        failFirst(with: .text("0123456789").with(statusCode: 503).with(fault: .stallInBody(after: 5)))
        let task = Task { try await stream() }
        try await clock.waitForSleepers()
        try await server.waitUntil(openConnections: 0)
        clock.advance(by: .seconds(1))
        let response = try await task.value
        #expect(response.statusCode == 200)
        var body = Data()
        for try await piece in response.body { body += piece }
        #expect(body == Data("hello".utf8))
    }

    @Test func `a stream is retried until it has a head`() async throws {
        failFirst(with: .text("hello").with(fault: .closeBeforeHead))
        let task = Task { try await stream() }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        #expect(try await task.value.statusCode == 200)
    }

    @Test func `a stream is not retried after its head was returned`() async throws {
        server.onAny { _ in .text("0123456789").with(fault: .closeInBody(after: 5)) }
        let response = try await stream()
        #expect(response.statusCode == 200)
        await #expect(throws: (any Error).self) {
            for try await _ in response.body {}
        }
        #expect(server.requests.count == 1)
    }

    @Test func `a retry reuses the connection of a complete response`() async throws {
        failFirst(with: .text("busy", statusCode: 503))
        let request = Probe(server.url, transport)
        request.retryPolicy = policy
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        #expect(try await task.value.attempts == 2)
        #expect(server.acceptedConnections == 1)
    }

    @Test func `a retry sends a file body from its beginning`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("the whole of it".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        failFirst(with: .text("busy", statusCode: 503))
        let request = Probe(server.url, transport, method: .put)
        request.retryPolicy = .immediate
        request.body = .file(file)
        #expect(try await request.start().value.attempts == 2)
        #expect(
            server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["the whole of it", "the whole of it"])
    }

    @Test func `a refused connection is retried, and the last failure is thrown`() async throws {
        let nobody = try MockServer.refusing()
        let request = Probe(nobody.url, transport)
        request.retryPolicy = .immediate
        let error = await expectFailure(.transportFailed) { try await request.start().value }
        #expect(error?.attempts == 3)
        #expect((error?.underlyingError as? URLError)?.code == .cannotConnectToHost)
    }
}
