import Errand
import ErrandTesting
import TestSupport
import Testing

extension `httpbin` {
    struct `Delays` {
        @Test(arguments: TransportUnderTest.allCases)
        func `a delayed response within the time limit is returned`(_ transport: TransportUnderTest) async throws {
            let echo = try await EchoRequest("/delay/0.3", transport.make()).start().value
            #expect(echo.url.hasSuffix("/delay/0.3"))
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a response after the time limit fails with a timeout`(_ transport: TransportUnderTest) async throws {
            let idle = try WholeRequest("/delay/10", transport.make())
            idle.timeoutInterval = 0.2
            #expect(await expectFailure(.timedOut) { try await idle.start().value }?.attempts == 1)
            let whole = try WholeRequest("/delay/10", transport.make())
            whole.resourceTimeout = .milliseconds(200)
            await expectFailure(.timedOut) { try await whole.start().value }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a pipeline timeout includes redirects`(_ transport: TransportUnderTest) async throws {
            let clock = ManualClock()
            let request = try WholeRequest("/redirect-to", transport.make())
            request.query = ["url": "/delay/10"]
            let pipeline = request.start().timeout(.seconds(5), clock: clock)
            async let outcome = pipeline.result
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(5))
            let result = await outcome
            await expectFailure(.timedOut) { try result.get() }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a stalling body fails with a timeout, collected or streamed`(
            _ transport: TransportUnderTest
        ) async throws {
            let query: URLQuery = ["numbytes": 2, "duration": 60]
            let buffered = try WholeRequest("/drip", transport.make())
            buffered.query = query
            buffered.timeoutInterval = 2
            await expectFailure(.timedOut) { try await buffered.start().value }
            let streamed = try PiecesRequest("/drip", transport.make())
            streamed.query = query
            streamed.timeoutInterval = 10
            let received = Locked(Data())
            await expectFailure(.timedOut) {
                for try await piece in streamed.startStream() { received.withLock { $0 += piece } }
            }
            #expect(received.withLock { $0 } == Data("*".utf8))
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a body that arrives slowly for longer than the idle timeout is complete`(
            _ transport: TransportUnderTest
        ) async throws {
            let request = try WholeRequest("/drip", transport.make())
            request.query = ["numbytes": 20, "duration": 12]
            request.timeoutInterval = 10
            #expect(try await request.start().value.data.count == 20)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `cancelling a reader of a stalled body ends it at once`(_ transport: TransportUnderTest) async throws {
            let request = try WholeRequest("/drip", transport.make())
            request.query = ["numbytes": 2, "duration": 60]
            let pipeline = request.start()
            let task = Task { try await pipeline.value }
            for await snapshot in request.downloadProgress where snapshot.completed > 0 { break }
            task.cancel()
            await expectFailure(.cancelled) { try await task.value }
        }
    }
}
