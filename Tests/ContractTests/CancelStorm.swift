import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

extension OneAtATime {
    /// Ten thousand requests, or a thousand under the thread sanitizer, are cancelled with each kind of server: the
    /// process keeps running, and every caller gets a result.
    ///
    /// The same cancellations make `URLSession` on Linux trap or deadlock.
    @Suite(.deep(.storm), .hangGuard, .serialized) struct `Contract: thousands of cancellations` {
        #if ERRAND_POSIX_MUTEX
        static let count = 1_000
        #else
        static let count = 10_000
        #endif

        @Test(arguments: TransportUnderTest.allCases)
        func `thousands of requests to a responding server end after they are cancelled`(
            _ transport: TransportUnderTest
        ) async throws {
            let server = try MockServer()
            server.onAny { _ in .text("hello") }
            let request = probe(server.url, transport)
            try await cancelEveryRequest(request)
            #expect(try await request.start().value.statusCode == 200)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `thousands of requests to a refusing server end after they are cancelled`(
            _ transport: TransportUnderTest
        ) async throws {
            let server = try MockServer.refusing()
            try await cancelEveryRequest(probe(server.url, transport))
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `thousands of requests to a stalling server end after they are cancelled`(
            _ transport: TransportUnderTest
        ) async throws {
            let server = try MockServer()
            server.onAny { _ in .text("hello").with(fault: .stallBeforeHead) }
            try await cancelEveryRequest(probe(server.url, transport))
        }

        /// A request without a time limit: `URLSession` cancels its tasks one after the other, which takes minutes
        /// under a sanitizer and on a busy machine.
        private func probe(_ server: URL, _ transport: TransportUnderTest) -> Probe {
            let request = Probe(server, transport.make())
            request.timeoutInterval = 3_600
            return request
        }

        /// Cancels one half at once when all are in flight, and each of the other half at a different moment.
        private func cancelEveryRequest(_ request: Probe) async throws {
            let pipeline = request.start()
            let together = (0..<Self.count / 2).map { _ in Task { await pipeline.result } }
            for _ in 0..<10 { await Task.yield() }
            for task in together { task.cancel() }
            let outcomes = await withTaskGroup { group in
                for index in 0..<Self.count / 2 {
                    group.addTask {
                        let task = Task { await pipeline.result }
                        for _ in 0..<index % 23 { await Task.yield() }
                        task.cancel()
                        return await task.value
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for outcome in outcomes { expectOutcome(outcome) }
            for task in together { expectOutcome(await task.value) }
            #expect(outcomes.count + together.count == Self.count)
        }

        /// The outcome is the response, the refusal or the cancellation, whichever came first, and nothing else.
        private func expectOutcome(_ outcome: Result<DataResponse, any Error>) {
            switch outcome {
            case .success(let response):
                #expect(response.statusCode == 200)
            case .failure(ErrandError.Code.cancelled), .failure(ErrandError.Code.transportFailed):
                break
            case .failure(let error):
                Issue.record("\(error)")
            }
        }
    }
}
