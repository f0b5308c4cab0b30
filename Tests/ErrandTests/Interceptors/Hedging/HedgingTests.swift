import ErrandTesting
import TestSupport
import Testing

@testable import Errand

struct `A hedged request` {
    private let clock = ManualClock()

    /// Responds to each attempt after its own delay, with its own status.
    private struct Server: Sendable {
        struct Answer: Sendable {
            var latency: Duration
            var status = 200
        }

        let clock: ManualClock
        let answers: [Answer]
        let began = Recorder<Int>()
        let cancelled = Recorder<Int>()

        var next: Next {
            Next { _ in
                began.record(began.elements.count)
                let number = began.elements.count - 1
                do {
                    try await clock.sleep(for: answers[number].latency)
                } catch {
                    cancelled.record(number)
                    throw error
                }
                return DataResponse(statusCode: answers[number].status, headers: ["X-Attempt": "\(number)"])
            }
        }
    }

    private func hedging(_ delay: Duration = .seconds(1), attempts: Int = 2, tokens: Int = 10) -> Hedging {
        Hedging(
            after: .fixed(delay), maximumAttempts: attempts, budget: RetryBudget(ratio: 0, capacity: tokens),
            clock: clock)
    }

    private func attempt(of response: DataResponse) -> String? { response.headers["X-Attempt"] }

    @Test func `sends nothing twice that comes in time`() async throws {
        let server = Server(clock: clock, answers: [.init(latency: .milliseconds(999))])
        let hedging = hedging()
        let task = Task { try await hedging.intercept(limitedRequest(), next: server.next) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .milliseconds(999))
        #expect(attempt(of: try await task.value) == "0")
        #expect(server.began.elements == [0])
        #expect(hedging.budget.tokens == 10)
    }

    @Test func `takes the second response if that comes first, and cancels the other attempt`() async throws {
        let server = Server(clock: clock, answers: [.init(latency: .seconds(60)), .init(latency: .seconds(1))])
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

    @Test func `waits for the other attempt when one fails`() async throws {
        let server = Server(
            clock: clock, answers: [.init(latency: .seconds(3)), .init(latency: .seconds(1), status: 503)])
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

    @Test func `does not send a failed request once more`() async throws {
        let server = Server(clock: clock, answers: [.init(latency: .milliseconds(1), status: 500)])
        let hedging = hedging()
        let task = Task { try await hedging.intercept(limitedRequest(), next: server.next) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .milliseconds(1))
        #expect(try await task.value.statusCode == 500)
        #expect(server.began.elements == [0])
    }

    @Test func `sends as often as it may, and as the budget allows`() async throws {
        for (attempts, tokens, count) in [(3, 10, 3), (4, 1, 2)] {
            let clock = ManualClock()
            let server = Server(
                clock: clock, answers: Array(repeating: .init(latency: .seconds(100)), count: 5))
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

    @Test(arguments: ["POST", "PATCH", "PUT", "DELETE"]) func `sends nothing twice that is not safe`(_ method: String)
        async throws
    {
        let server = Server(clock: clock, answers: [.init(latency: .seconds(10))])
        let hedging = hedging()
        let task = Task { try await hedging.intercept(limitedRequest(method: method), next: server.next) }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(10))
        #expect(try await task.value.statusCode == 200)
        #expect(server.began.elements == [0])
    }

    @Test func `does not open a WebSocket twice`() async throws {
        let server = Server(clock: clock, answers: [.init(latency: .seconds(10)), .init(latency: .seconds(10))])
        var request = limitedRequest()
        request.opensWebSocket = true
        let hedging = hedging()
        let task = Task { [request] in try await hedging.intercept(request, next: server.next) }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(10))
        #expect(try await task.value.statusCode == 200)
    }

    @Test func `does not learn from responses of a cache, or pay for what it cannot send twice`() async throws {
        let hedging = Hedging(after: .percentile(0.5), budget: RetryBudget(ratio: 1, capacity: 10), clock: clock)
        while hedging.budget.withdraw() {}
        var cached = DataResponse(statusCode: 200)
        cached.source = .cache
        let next = Next { [cached] _ in cached }
        for _ in 1...30 { _ = try await hedging.intercept(limitedRequest(), next: next) }
        #expect(hedging.delay(for: try #require(URL(string: "https://api.example.com"))) == nil)
        #expect(hedging.budget.tokens == 0)
    }

    @Test func `cancels all attempts with the request`() async throws {
        let server = Server(clock: clock, answers: Array(repeating: .init(latency: .seconds(60)), count: 2))
        let hedging = hedging()
        let task = Task { try await hedging.intercept(limitedRequest(), next: server.next) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        try await waitUntil { server.began.elements.count == 2 }
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        try await waitUntil { server.cancelled.elements.sorted() == [0, 1] }
    }

    @Test func `does not wait for an attempt that ignores its cancellation`() async throws {
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

    @Test func `takes its delay from the responses before`() async throws {
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

    @Test func `uses the delay to begin with until it knows better`() throws {
        let hedging = Hedging(after: .percentile(0.9, initially: .seconds(2)), clock: clock)
        #expect(hedging.delay(for: try #require(URL(string: "https://api.example.com"))) == .seconds(2))
    }

    @Test func `passes each attempt through the limits after it`() async throws {
        let server = Server(clock: clock, answers: [.init(latency: .seconds(60)), .init(latency: .seconds(1))])
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
    @Test func `gives the nearest rank`() {
        var window = LatencyWindow()
        for number in 1...19 { window.add(.seconds(number)) }
        #expect(window.quantile(0.5) == nil)
        window.add(.seconds(20))
        let quantiles = [0, 0.5, 0.95, 1].map { window.quantile($0) }
        #expect(quantiles == [.seconds(1), .seconds(10), .seconds(19), .seconds(20)])
    }

    @Test func `forgets what is long ago`() {
        var window = LatencyWindow()
        for _ in 1...LatencyWindow.capacity { window.add(.seconds(100)) }
        for _ in 1...LatencyWindow.capacity { window.add(.seconds(1)) }
        #expect(window.quantile(1) == .seconds(1))
    }

    @Test func `is kept for so many accounts`() {
        var state = HedgingState(.percentile(1))
        for account in 0...HedgingState.maximumAccounts {
            for _ in 1...LatencyWindow.minimumCount { state.add(.seconds(1), to: "\(account)") }
        }
        #expect(state.delay(for: "0") == nil)
        #expect(state.delay(for: "1") == .seconds(1))
        #expect(state.delay(for: "\(HedgingState.maximumAccounts)") == .seconds(1))
    }
}
