import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

struct `Contract: cancellation` {
    @Test(arguments: TransportUnderTest.allCases)
    func `cancelling a request in flight fails it at once`(_ transport: TransportUnderTest) async throws {
        let server = try MockServer()
        server.onAny { _ in .text("x").with(fault: .stallBeforeHead) }
        let pipeline = transport.probe(server).start()
        let task = Task { try await pipeline.value }
        _ = try await server.takeRequest()
        task.cancel()
        let error = await expectFailure(.cancelled) { try await task.value }
        #expect(error?.attempts == 1)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a cancelled request is not retried`(_ transport: TransportUnderTest) async throws {
        let server = try MockServer()
        server.onAny { _ in .text("x").with(fault: .stallBeforeHead) }
        let pipeline = transport.probe(server).start().retry(3)
        let task = Task { try await pipeline.value }
        _ = try await server.takeRequest()
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        #expect(server.requests.count == 1)
    }
}
