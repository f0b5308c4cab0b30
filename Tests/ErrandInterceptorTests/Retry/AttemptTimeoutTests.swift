import Errand
import ErrandTesting
import TestSupport
import Testing

struct `A timeout of an attempt` {
    private let clock = ManualClock()

    @Test func `an attempt that takes too long fails and is cancelled`() async throws {
        let timeout = AttemptTimeout(.seconds(2), clock: clock)
        let cancelled = Recorder<Bool>()
        let next = Next { [clock] _ in
            do { try await clock.sleep(for: .seconds(60)) } catch {
                cancelled.record(true)
                throw error
            }
            return DataResponse(statusCode: 200)
        }
        let task = Task { try await timeout.intercept(limitedRequest(), next: next) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        let error = await expectFailure(.timedOut) { try await task.value }
        #expect(error?.reason == "the attempt took longer than 2 s")
        #expect(error?.url?.host == "api.example.com")
        try await waitUntil { cancelled.elements == [true] }
    }

    @Test func `an attempt timeout applies to each attempt of a retry separately`() async throws {
        let timeout = AttemptTimeout(.seconds(2), clock: clock)
        var policy = RetryPolicy.immediate
        policy.clock = clock
        let attempts = Recorder<Int>()
        let slow = Next { [clock] _ in
            attempts.record(0)
            try await clock.sleep(for: .seconds(attempts.elements.count < 3 ? 60 : 1))
            return DataResponse(statusCode: 204)
        }
        let limited = Next { request in try await timeout.intercept(request, next: slow) }
        let retry = RetryInterceptor(policy)
        let task = Task { try await retry.intercept(limitedRequest(), next: limited) }
        for count in 1...2 {
            try await waitUntil { attempts.elements.count == count }
            try await clock.waitForSleepers(2)
            clock.advance(by: .seconds(2))
        }
        try await waitUntil { attempts.elements.count == 3 }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        #expect(try await task.value.statusCode == 204)
    }

    @Test func `an attempt timeout passes on responses and errors in time`() async throws {
        let timeout = AttemptTimeout(.seconds(2), clock: clock)
        let response = try await timeout.intercept(limitedRequest(), next: Next { _ in DataResponse(statusCode: 404) })
        #expect(response.statusCode == 404)
        await #expect(throws: URLError.self) {
            _ = try await timeout.intercept(limitedRequest(), next: Next { _ in throw URLError(.badURL) })
        }
    }

    @Test func `an attempt timeout does not limit the body of a stream`() async throws {
        let timeout = AttemptTimeout(.seconds(2), clock: clock)
        var request = limitedRequest()
        request.streamsResponse = true
        let pieces = Locked(["a", "b"])
        let next = Next { [clock] _ in
            DataResponse(
                statusCode: 200,
                body: ResponseBody {
                    clock.advance(by: .seconds(10))
                    return pieces.withLock { $0.isEmpty ? nil : Data($0.removeFirst().utf8) }
                })
        }
        let response = try await timeout.intercept(request, next: next)
        #expect(try await response.collected(upTo: 10).text() == "ab")
    }
}
