import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Retries and time` {
    @Test(arguments: [1, 2])
    func `a retry does not wait beyond the resource timeout`(_ limit: Int) async throws {
        let request = Retried(.constant(.seconds(2)))
        request.resourceTimeout = .seconds(limit)
        request.dataTaskPipeline = request.stub(error: URLError(.networkConnectionLost))
        let error = await expectFailure(.transportFailed) { try await request.start().value }
        #expect(error?.attempts == 1)
        #expect(error?.reason?.contains("leaves no time") == true, "\(error as Any)")
    }

    @Test func `each attempt receives the remaining resource timeout`() async throws {
        let request = Retried(.constant(.seconds(2)))
        request.resourceTimeout = .seconds(5)
        let transport = ScriptedTransport(503)
        request.session = transport
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        for _ in 1...2 {
            try await request.clock.waitForSleepers()
            request.clock.advance(by: .seconds(2))
        }
        #expect(try await task.value.statusCode == 503)
        #expect(transport.sent.elements.map(\.resourceTimeout) == [.seconds(5), .seconds(3), .seconds(1)])
    }

    @Test func `the duration of the attempts counts towards the resource timeout`() async throws {
        struct Slow: Transport {
            let clock: ManualClock
            func send(_ request: TransportRequest) async throws -> DataResponse {
                clock.advance(by: .seconds(4))
                return DataResponse(statusCode: 503)
            }
        }
        let request = Retried(.constant(.seconds(2)))
        request.resourceTimeout = .seconds(5)
        request.session = Slow(clock: request.clock)
        let response = try await request.start().value
        #expect(response.attempts == 1)
    }

    @Test func `a request without a resource timeout is retried without one`() async throws {
        let request = Retried()
        let transport = ScriptedTransport(503, 200)
        request.session = transport
        _ = try await request.start().value
        #expect(transport.sent.elements.map(\.resourceTimeout) == [nil, nil])
    }

    @Test func `cancelling a request ends its retry wait at once`() async throws {
        let request = Retried(.constant(.seconds(2)))
        request.dataTaskPipeline = request.stubResponse(statusCode: 503)
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        try await request.clock.waitForSleepers()
        task.cancel()
        let error = await expectFailure(.cancelled) { try await task.value }
        #expect(error?.attempts == 1)
        #expect(error?.url?.host == "api.example.com")
        #expect(request.clock.sleeperCount == 0)
    }

    @Test func `an attempt that was cancelled is not retried`() async throws {
        let gate = Gate()
        let request = Retried()
        request.dataTaskPipeline = Pipeline {
            try? await gate.pass()
            throw URLError(.networkConnectionLost)
        }
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        try await gate.waitForArrivals(1)
        task.cancel()
        _ = await task.result
        #expect(gate.arrivals == 1)
    }
}
