import Errand
import ErrandTesting
import TestSupport
import Testing

@testable import ErrandResilience

struct `A hedged request` {
    private let clock = ManualClock()

    /// Responds to each attempt after its own delay, with its own status.
    private struct Server: Sendable {
        struct Response: Sendable {
            var latency: Duration
            var status = 200
        }

        let clock: ManualClock
        let responses: [Response]
        let began = Recorder<Int>()
        let cancelled = Recorder<Int>()

        var next: Next {
            Next { _ in
                began.record(began.elements.count)
                let number = began.elements.count - 1
                do {
                    try await clock.sleep(for: responses[number].latency)
                } catch {
                    cancelled.record(number)
                    throw error
                }
                return DataResponse(statusCode: responses[number].status, headers: ["X-Attempt": "\(number)"])
            }
        }
    }

    private func hedging(_ delay: Duration = .seconds(1), attempts: Int = 2, tokens: Int = 10) -> Hedging {
        Hedging(
            after: .fixed(delay), maximumAttempts: attempts, budget: RetryBudget(ratio: 0, capacity: tokens),
            clock: clock)
    }

    private func attempt(of response: DataResponse) -> String? { response.headers["X-Attempt"] }

    @Test func `a request with a response within the delay is sent once`() async throws {
        let server = Server(clock: clock, responses: [.init(latency: .milliseconds(999))])
        let hedging = hedging()
        let task = Task { try await hedging.intercept(limitedRequest(), next: server.next) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .milliseconds(999))
        #expect(attempt(of: try await task.value) == "0")
        #expect(server.began.elements == [0])
        #expect(hedging.budget.tokens == 10)
    }

    @Test func `the first response is used, and the other attempt is cancelled`() async throws {
        let server = Server(clock: clock, responses: [.init(latency: .seconds(60)), .init(latency: .seconds(1))])
        let hedging = hedging()
        let task = Task { try await hedging.intercept(limitedRequest(), next: server.next) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        try await waitUntil { server.began.elements.count == 2 }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        #expect(attempt(of: try await task.value) == "1")
        try await waitUntil { server.cancelled.elements == [0] }
        #expect(hedging.budget.tokens == 9)
    }

    @Test func `a failed attempt waits for the response of the other attempt`() async throws {
        let server = Server(
            clock: clock, responses: [.init(latency: .seconds(3)), .init(latency: .seconds(1), status: 503)])
        let hedging = hedging()
        let task = Task { try await hedging.intercept(limitedRequest(), next: server.next) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        try await waitUntil { server.began.elements.count == 2 }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        let response = try await task.value
        #expect(response.statusCode == 200)
        #expect(attempt(of: response) == "0")
    }

    @Test func `a request that fails within the delay is not hedged`() async throws {
        let server = Server(clock: clock, responses: [.init(latency: .milliseconds(1), status: 500)])
        let hedging = hedging()
        let task = Task { try await hedging.intercept(limitedRequest(), next: server.next) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .milliseconds(1))
        #expect(try await task.value.statusCode == 500)
        #expect(server.began.elements == [0])
    }

    @Test func `the number of hedged attempts is limited by the maximum and the budget`() async throws {
        for (attempts, tokens, count) in [(3, 10, 3), (4, 1, 2)] {
            let clock = ManualClock()
            let server = Server(
                clock: clock, responses: Array(repeating: .init(latency: .seconds(100)), count: 5))
            let hedging = Hedging(
                after: .fixed(.seconds(1)), maximumAttempts: attempts,
                budget: RetryBudget(ratio: 0, capacity: tokens), clock: clock)
            let task = Task { try await hedging.intercept(limitedRequest(), next: server.next) }
            // The sleepers are the attempts, and the next delay if another attempt is allowed.
            for sent in 1..<count {
                try await clock.waitForSleepers(sent + 1)
                clock.advance(by: .seconds(1))
                try await waitUntil { server.began.elements.count == sent + 1 }
            }
            try await clock.waitForSleepers(count)
            // The response to the first arrives at 100 seconds, and to the next a second later.
            clock.advance(to: .init(offset: .seconds(99)))
            #expect(server.began.elements.count == count)
            clock.advance(to: .init(offset: .seconds(100)))
            #expect(attempt(of: try await task.value) == "0")
            #expect(server.began.elements.count == count)
        }
    }

    @Test(arguments: ["POST", "PATCH", "PUT", "DELETE"])
    func `a request with an unsafe method is not hedged`(_ method: String) async throws {
        let server = Server(clock: clock, responses: [.init(latency: .seconds(10))])
        let hedging = hedging()
        let task = Task { try await hedging.intercept(limitedRequest(method: method), next: server.next) }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(10))
        #expect(try await task.value.statusCode == 200)
        #expect(server.began.elements == [0])
    }

    @Test func `a WebSocket is not hedged`() async throws {
        let server = Server(clock: clock, responses: [.init(latency: .seconds(10)), .init(latency: .seconds(10))])
        var request = limitedRequest()
        request.opensWebSocket = true
        let hedging = hedging()
        let task = Task { [request] in try await hedging.intercept(request, next: server.next) }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(10))
        #expect(try await task.value.statusCode == 200)
    }

    @Test func `responses of a cache do not count as latencies or fill the budget`() async throws {
        let hedging = Hedging(after: .percentile(0.5), budget: RetryBudget(ratio: 1, capacity: 10), clock: clock)
        while hedging.budget.withdraw() {}
        var cached = DataResponse(statusCode: 200)
        cached.source = .cache
        let next = Next { [cached] _ in cached }
        for _ in 1...30 { _ = try await hedging.intercept(limitedRequest(), next: next) }
        #expect(hedging.delay(for: try #require(URL(string: "https://api.example.com"))) == nil)
        #expect(hedging.budget.tokens == 0)
    }

    @Test func `cancelling a hedged request cancels all attempts`() async throws {
        let server = Server(clock: clock, responses: Array(repeating: .init(latency: .seconds(60)), count: 2))
        let hedging = hedging()
        let task = Task { try await hedging.intercept(limitedRequest(), next: server.next) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        try await waitUntil { server.began.elements.count == 2 }
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        try await waitUntil { server.cancelled.elements.sorted() == [0, 1] }
    }

    @Test func `a hedged request does not wait for an attempt that ignores its cancellation`() async throws {
        let gate = Gate()
        let began = Recorder<Int>()
        let hedging = hedging(.zero)
        let next = Next { _ in
            began.record(0)
            if began.elements.count == 1 {
                await Task { try? await gate.pass() }.value
            }
            return DataResponse(statusCode: 204)
        }
        let response = try await hedging.intercept(limitedRequest(), next: next)
        #expect(response.statusCode == 204)
        gate.open()
    }

    @Test func `a percentile delay is computed from earlier responses`() async throws {
        let hedging = Hedging(after: .percentile(0.9), clock: clock)
        let url = try #require(URL(string: "https://api.example.com"))
        for number in 1...20 {
            #expect(hedging.delay(for: url) == nil)
            let next = Next { [clock] _ in
                try await clock.sleep(for: .milliseconds(number))
                return DataResponse(statusCode: 200)
            }
            let task = Task { try await hedging.intercept(limitedRequest(), next: next) }
            try await clock.waitForSleepers(1)
            clock.advance(by: .milliseconds(number))
            _ = try await task.value
        }
        #expect(hedging.delay(for: url) == .milliseconds(18))
        #expect(hedging.delay(for: try #require(URL(string: "https://other.example.com"))) == nil)
    }

    @Test func `the initial delay is used until there are enough latencies`() throws {
        let hedging = Hedging(after: .percentile(0.9, initially: .seconds(2)), clock: clock)
        #expect(hedging.delay(for: try #require(URL(string: "https://api.example.com"))) == .seconds(2))
    }

    @Test func `each hedged attempt passes the limits after hedging`() async throws {
        let server = Server(clock: clock, responses: [.init(latency: .seconds(60)), .init(latency: .seconds(1))])
        let limit = ConcurrencyLimit(1, clock: clock)
        let hedging = hedging()
        let limited = Next { request in try await limit.intercept(request, next: server.next) }
        let task = Task { try await hedging.intercept(limitedRequest(), next: limited) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        try await waitUntil { limit.waitingCount == 1 }
        #expect(server.began.elements == [0])
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
    }
}

struct `A window of latencies` {
    @Test func `a latency window returns the nearest-rank quantile`() {
        var window = LatencyWindow()
        for number in 1...19 { window.add(.seconds(number)) }
        #expect(window.quantile(0.5) == nil)
        window.add(.seconds(20))
        let quantiles = [0, 0.5, 0.95, 1].map { window.quantile($0) }
        #expect(quantiles == [.seconds(1), .seconds(10), .seconds(19), .seconds(20)])
    }

    @Test func `a latency window drops old latencies`() {
        var window = LatencyWindow()
        for _ in 1...LatencyWindow.capacity { window.add(.seconds(100)) }
        for _ in 1...LatencyWindow.capacity { window.add(.seconds(1)) }
        #expect(window.quantile(1) == .seconds(1))
    }

    @Test func `latencies are kept for a limited number of accounts`() {
        var state = HedgingState(.percentile(1))
        for account in 0...HedgingState.maximumAccounts {
            for _ in 1...LatencyWindow.minimumCount { state.add(.seconds(1), to: "\(account)") }
        }
        #expect(state.delay(for: "0") == nil)
        #expect(state.delay(for: "1") == .seconds(1))
        #expect(state.delay(for: "\(HedgingState.maximumAccounts)") == .seconds(1))
    }
}
