import Errand
import ErrandTesting
import TestSupport
import Testing

@testable import ErrandResilience

struct `The standard resilience` {
    private let clock = ManualClock()
    private let sent = Recorder<TransportRequest>()

    /// A list whose parts all use the manual clock.
    private func list(
        totalTimeout: Duration? = .seconds(30), retry: RetryPolicy? = nil, breaker: CircuitBreaker? = nil,
        limit: ConcurrencyLimit? = nil, attemptTimeout: Duration? = nil
    ) -> [any Interceptor] {
        .standardResilience(
            totalTimeout: totalTimeout, retry: retry, breaker: breaker, limit: limit, attemptTimeout: attemptTimeout,
            clock: clock)
    }

    private func next(
        through list: [any Interceptor], _ respond: @escaping @Sendable (Int) async throws -> DataResponse
    ) -> Next {
        Next { [sent] request in
            sent.record(request)
            return try await respond(sent.elements.count)
        }.preceded(by: list)
    }

    /// Retries at once, as often as the standard policy.
    private func immediateRetry() -> RetryPolicy {
        var policy = RetryPolicy.standard(clock: clock)
        policy.backoff = .immediate
        return policy
    }

    @Test func `all parts are there by default, and each can be left out`() {
        #expect([any Interceptor].standardResilience().count == 5)
        #expect(list(totalTimeout: nil).isEmpty)
        #expect(list().count == 1)
        #expect(list(retry: .standard()).count == 2)
    }

    @Test func `every part runs as listed, also after a cache`() {
        #expect([any Interceptor].standardResilience().allSatisfy { $0.placement == .asListed })
    }

    @Test func `the total time is the time of a request, unless it has a shorter one`() async throws {
        let next = next(through: list(totalTimeout: .seconds(30))) { _ in DataResponse(statusCode: 200) }
        for timeout in [nil, Duration.seconds(40), .seconds(20)] {
            _ = try await next(limitedRequest(resourceTimeout: timeout))
        }
        #expect(sent.elements.map(\.resourceTimeout) == [.seconds(30), .seconds(30), .seconds(20)])
    }

    @Test func `a request ends after the total time by the clock`() async throws {
        let next = next(through: list(totalTimeout: .seconds(5))) { [clock] _ in
            try await clock.sleep(for: .seconds(100))
            return DataResponse(statusCode: 200)
        }
        let task = Task { try await next(limitedRequest()) }
        try await clock.waitForSleeper(until: .init(offset: .seconds(5)))
        clock.advance(by: .seconds(5))
        let error = await expectFailure(.timedOut) { try await task.value }
        #expect(error?.reason == "all attempts together took longer than 5 s")
    }

    @Test func `the total time includes the attempts of a retry policy`() async throws {
        let stubs = RouteStubs(clock: clock)
        stubs.on(.get, "/slow", .status(503).after(.seconds(8)), times: .any)
        var policy = RetryPolicy(backoff: .immediate, maximumAttempts: 10)
        policy.clock = clock
        let service = APIService(
            baseURL: "api.example.com", interceptors: .adding(list(totalTimeout: .seconds(20))), retryPolicy: policy)
        let task = try await stubs.run { Task { try await service.send(.get("/slow")).value } }
        for second in [8, 16, 20] {
            try await clock.waitForSleeper(until: .init(offset: .seconds(second)))
            clock.advance(to: .init(offset: .seconds(second)))
        }
        let error = await expectFailure(.timedOut) { try await task.value }
        #expect(error?.reason?.hasPrefix("all attempts together took longer than 20 s") == true)
        #expect(clock.now.offset == .seconds(20))
    }

    @Test func `the total time of a stream ends with its head`() async throws {
        var request = limitedRequest()
        request.streamsResponse = true
        let next = next(through: list(totalTimeout: .seconds(30))) { [clock] number in
            if number == 2 { try await clock.sleep(for: .seconds(60)) }
            var response = DataResponse(statusCode: 200)
            response.body = ResponseBody { nil }
            return response
        }
        #expect(try await next(request).body.isStreamed)
        #expect(sent.elements.map(\.resourceTimeout) == [nil])
        let slow = Task { [request] in try await next(request) }
        try await clock.waitForSleeper(until: .init(offset: .seconds(30)))
        try await clock.waitForSleeper(until: .init(offset: .seconds(60)))
        clock.advance(by: .seconds(30))
        await expectFailure(.timedOut) { try await slow.value }
    }

    @Test func `a failed attempt is repeated within the total time`() async throws {
        let next = next(through: list(retry: .standard(clock: clock))) { number in
            DataResponse(statusCode: number < 3 ? 503 : 200)
        }
        let response = try await clock.run(whenSleeping: 2) { try await next(limitedRequest()) }
        #expect(response.statusCode == 200)
        #expect(sent.elements.map(\.attempt) == [1, 2, 3])
    }

    @Test func `a wait that the server asks for, and that exceeds the total time, is not begun`() async throws {
        let next = next(through: list(totalTimeout: .seconds(30), retry: .standard(clock: clock))) { _ in
            DataResponse(statusCode: 503, headers: ["Retry-After": "40"])
        }
        let response = try await next(limitedRequest())
        #expect(response.statusCode == 503)
        #expect(sent.elements.count == 1)
        #expect(clock.now.offset == .zero)
    }

    @Test(arguments: [(RetryPolicy.never, 1), (RetryPolicy(backoff: .immediate, maximumAttempts: 2), 2)])
    func `the retry policy of a class replaces the retry of the list`(_ policy: RetryPolicy, _ count: Int) async throws
    {
        let next = next(through: [RetryInterceptor(policy)] + list(retry: immediateRetry())) { _ in
            DataResponse(statusCode: 503)
        }
        #expect(try await next(limitedRequest()).statusCode == 503)
        #expect(sent.elements.count == count)
    }

    @Test func `the circuit breaker counts each attempt`() async throws {
        let breaker = CircuitBreaker(tripping: .consecutiveFailures(3), clock: clock)
        let next = next(through: list(retry: immediateRetry(), breaker: breaker)) { _ in DataResponse(statusCode: 503) }
        #expect(try await next(limitedRequest()).statusCode == 503)
        #expect(sent.elements.count == 3)
        await expectFailure(.circuitOpen) { try await next(limitedRequest()) }
        #expect(sent.elements.count == 3)
    }

    @Test func `an open circuit refuses a request at once, also if no place in the limit is free`() async throws {
        let limit = ConcurrencyLimit(1, clock: clock)
        let breaker = CircuitBreaker(tripping: .consecutiveFailures(1), openDuration: .seconds(600), clock: clock)
        let list = list(breaker: breaker, limit: limit)
        let next = next(through: list) { [clock] number in
            if number == 1 { return DataResponse(statusCode: 503) }
            try await clock.sleep(for: .seconds(20))
            return DataResponse(statusCode: 200)
        }
        // The holder of the place uses the same limit, without the breaker.
        let holder = Task {
            try await limit.intercept(
                limitedRequest(),
                next: Next { [clock] _ in
                    try await clock.sleep(for: .seconds(20))
                    return DataResponse(statusCode: 200)
                })
        }
        #expect(
            try await breaker.intercept(limitedRequest(), next: Next { _ in DataResponse(statusCode: 503) }).statusCode
                == 503)
        try await clock.waitForSleeper(until: .init(offset: .seconds(20)))
        await expectFailure(.circuitOpen) { try await next(limitedRequest()) }
        clock.advance(by: .seconds(20))
        #expect(try await holder.value.statusCode == 200)
        #expect(sent.elements.isEmpty)
    }

    @Test func `a request holds no place while it waits for its next attempt`() async throws {
        let limit = ConcurrencyLimit(1, clock: clock)
        let next = next(through: list(retry: .standard(clock: clock), limit: limit)) { number in
            number == 1 ? DataResponse(statusCode: 503, headers: ["Retry-After": "10"]) : DataResponse(statusCode: 200)
        }
        let first = Task { try await next(limitedRequest()) }
        try await clock.waitForSleeper(until: .init(offset: .seconds(10)))
        #expect(try await next(limitedRequest()).statusCode == 200)
        clock.advance(by: .seconds(10))
        #expect(try await first.value.statusCode == 200)
    }

    @Test func `the time of an attempt does not include its wait for a place`() async throws {
        let limit = ConcurrencyLimit(1, clock: clock)
        let next = next(through: list(totalTimeout: nil, limit: limit, attemptTimeout: .seconds(10))) { [clock] _ in
            try await clock.sleep(for: .seconds(8))
            return DataResponse(statusCode: 200)
        }
        let tasks = [Task { try await next(limitedRequest()) }, Task { try await next(limitedRequest()) }]
        for second in [8, 16] {
            try await clock.waitForSleeper(until: .init(offset: .seconds(second)))
            clock.advance(to: .init(offset: .seconds(second)))
        }
        for task in tasks { #expect(try await task.value.statusCode == 200) }
    }

    @Test func `an attempt that takes too long is repeated`() async throws {
        let next = next(through: list(totalTimeout: nil, retry: immediateRetry(), attemptTimeout: .seconds(10))) {
            [clock] number in
            if number == 1 { try await clock.sleep(for: .seconds(100)) }
            return DataResponse(statusCode: 200)
        }
        let task = Task { try await next(limitedRequest()) }
        try await clock.waitForSleeper(until: .init(offset: .seconds(10)))
        try await clock.waitForSleeper(until: .init(offset: .seconds(100)))
        clock.advance(by: .seconds(10))
        #expect(try await task.value.statusCode == 200)
        #expect(sent.elements.count == 2)
    }

    @Test func `retries stop when the budget of all requests is used up`() async throws {
        let next = next(through: list(retry: immediateRetry())) { _ in DataResponse(statusCode: 503) }
        for _ in 0..<100 { _ = try await next(limitedRequest()) }
        // Ten at first, and one for ten requests.
        #expect(sent.elements.count == 100 + 10 + 10 - 1 || sent.elements.count == 100 + 10 + 10)
    }
}
