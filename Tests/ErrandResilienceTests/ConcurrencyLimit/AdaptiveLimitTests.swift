import Errand
import ErrandTesting
import TestSupport
import Testing

@testable import ErrandResilience

struct `An adaptive limit` {
    private func limits(_ limit: AdaptiveLimit, after steps: Int, isOverload: Bool, running: Int) -> [Int] {
        var limit = limit
        return (1...steps).map { step in
            limit.learn(isOverload: isOverload, began: .seconds(step), running: running, now: .seconds(step))
            return limit.limit
        }
    }

    @Test func `a fully used adaptive limit of n grows by about one after n responses`() {
        let limit = AdaptiveLimit(4, in: 1...100, decrease: 0.5)
        let limits = limits(limit, after: 10, isOverload: false, running: 4)
        #expect(limits == [4, 4, 4, 4, 5, 5, 5, 5, 5, 6])
    }

    @Test func `an adaptive limit grows only while it is fully used, up to its maximum`() {
        let limit = AdaptiveLimit(4, in: 1...5, decrease: 0.5)
        #expect(limits(limit, after: 100, isOverload: false, running: 5).last == 5)
        #expect(limits(limit, after: 100, isOverload: false, running: 1).last == 4)
    }

    @Test func `an adaptive limit decreases by its factor, down to its minimum`() {
        let limit = AdaptiveLimit(16, in: 3...100, decrease: 0.5)
        #expect(limits(limit, after: 5, isOverload: true, running: 16) == [8, 4, 3, 3, 3])
    }

    @Test func `an adaptive limit decreases once for requests that ran at the same time`() {
        var limit = AdaptiveLimit(16, in: 1...100, decrease: 0.5)
        for began in 1...5 {
            limit.learn(isOverload: true, began: .seconds(began), running: 16, now: .seconds(5 + began))
        }
        #expect(limit.limit == 8)
        limit.learn(isOverload: true, began: .seconds(7), running: 16, now: .seconds(11))
        #expect(limit.limit == 4)
    }

    @Test func `an adaptive limit accepts the largest integer`() {
        var limit = AdaptiveLimit(.max, in: 1...Int.max, decrease: 0.5)
        #expect(limit.limit == .max)
        limit.learn(isOverload: true, began: .zero, running: 1, now: .zero)
        #expect(limit.limit > 1 << 61)
    }

    @Test func `the initial value of an adaptive limit is limited to its range`() {
        #expect(AdaptiveLimit(500, in: 1...5, decrease: 0.5).limit == 5)
        #expect(AdaptiveLimit(0, in: 2...5, decrease: 0.5).limit == 2)
    }
}

struct `A concurrency limit that adapts` {
    private let clock = ManualClock()
    private let url = URL(string: "https://api.example.com/users") ?? URL(fileURLWithPath: "/")

    private func limit(initially: Int = 8, slowAfter: Duration? = nil) -> ConcurrencyLimit {
        ConcurrencyLimit(adaptingIn: 1...100, initially: initially, slowAfter: slowAfter, clock: clock)
    }

    @Test(arguments: [429, 503])
    func `an adaptive concurrency limit decreases when the server is overloaded`(_ status: Int) async throws {
        let limit = limit()
        let next = Next { _ in DataResponse(statusCode: status) }
        #expect(try await limit.intercept(limitedRequest(), next: next).statusCode == status)
        #expect(limit.limit(for: url) == 6)
        #expect(limit.limit(for: try #require(URL(string: "https://other.example.com"))) == 8)
    }

    @Test func `an adaptive concurrency limit decreases when a request times out`() async throws {
        let limit = limit()
        await #expect(throws: URLError.self) {
            _ = try await limit.intercept(limitedRequest(), next: Next { _ in throw URLError(.timedOut) })
        }
        #expect(limit.limit(for: url) == 6)
    }

    @Test func `a timeout caused by waiting does not decrease an adaptive concurrency limit`() async throws {
        let limit = limit(initially: 1)
        let gate = Gate()
        let holding = Task {
            let next = Next { _ in
                try await gate.pass()
                return DataResponse(statusCode: 404)
            }
            return try await limit.intercept(limitedRequest(), next: next)
        }
        try await gate.waitForArrivals(1)
        let late = Next { _ in throw URLError(.timedOut) }
        let waiting = try await begin([limitedRequest(resourceTimeout: .seconds(10))], waiting: limit.waitingCount) {
            try await limit.intercept($0, next: late)
        }
        clock.advance(by: .seconds(6))
        gate.open()
        _ = try await holding.value
        await #expect(throws: URLError.self) { _ = try await waiting[0].value }
        #expect(limit.limit(for: url) == 2)
    }

    @Test func `an adaptive concurrency limit decreases when a response is slow`() async throws {
        let limit = limit(slowAfter: .seconds(2))
        for (seconds, expected) in [(2, 8), (3, 6)] {
            let next = Next { [clock] _ in
                try await clock.sleep(for: .seconds(seconds))
                return DataResponse(statusCode: 200)
            }
            let task = Task { try await limit.intercept(limitedRequest(), next: next) }
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(seconds))
            _ = try await task.value
            #expect(limit.limit(for: url) == expected)
        }
    }

    @Test func `other failures and cached responses do not change an adaptive concurrency limit`() async throws {
        let limit = limit()
        var cached = DataResponse(statusCode: 503)
        cached.source = .cache
        for response in [DataResponse(statusCode: 500), cached] {
            _ = try await limit.intercept(limitedRequest(), next: Next { _ in response })
        }
        await #expect(throws: URLError.self) {
            _ = try await limit.intercept(limitedRequest(), next: Next { _ in throw URLError(.cannotFindHost) })
        }
        #expect(limit.limit(for: url) == 8)
    }

    @Test func `an adaptive concurrency limit admits waiting requests when it grows`() async throws {
        let limit = limit(initially: 1)
        let gate = Gate()
        let next = Next { request in
            if request.urlRequest.url?.path == "/held" { try await gate.pass() }
            return DataResponse(statusCode: 200)
        }
        let held = Task { try await limit.intercept(limitedRequest("https://api.example.com/held"), next: next) }
        try await gate.waitForArrivals(1)
        let waiting = try await begin([limitedRequest()], waiting: limit.waitingCount) {
            try await limit.intercept($0, next: next)
        }
        gate.open()
        _ = try await held.value
        _ = try await waiting[0].value
        #expect(limit.limit(for: url) == 2)
    }

    @Test func `idle adaptive limits are remembered for a limited number of accounts`() {
        var state = ConcurrencyLimitState(AdaptiveLimit(8, in: 1...100, decrease: 0.5), queueLimit: 10)
        for ticket in 1...100 {
            _ = state.arrive(Arrival(ticket: ticket, account: "\(ticket)"), now: .seconds(ticket))
            _ = state.learn(from: ticket, isOverload: true, slowAfter: nil, now: .seconds(ticket))
            _ = state.finish(ticket, now: .seconds(ticket))
            #expect(state.limit(of: "\(ticket)") == 4)
        }
        #expect(state.isEmpty)
        #expect(state.limit(of: "1") == 8)
        #expect(state.limit(of: "100") == 4)
    }

    @Test func `the number of running requests never exceeds the latest adaptive limit`() {
        var state = ConcurrencyLimitState(AdaptiveLimit(4, in: 1...10, decrease: 0.5), queueLimit: 1000)
        var running: [Int] = []
        var seed: UInt64 = 7
        func random(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        for step in 1...5_000 {
            let now = Duration.milliseconds(step)
            var actions: [TurnAction] = []
            let before = running.count
            switch random(3) {
            case 0 where !running.isEmpty:
                let ticket = running[random(running.count)]
                actions += state.learn(from: ticket, isOverload: random(5) == 0, slowAfter: nil, now: now)
                running.removeAll { $0 == ticket }
                actions += state.finish(ticket, now: now)
            default: actions += state.arrive(Arrival(ticket: step), now: now)
            }
            for case .admit(let ticket) in actions { running.append(ticket) }
            #expect(running.count <= max(before, state.limit(of: "")))
            #expect(state.runningCount == running.count)
        }
    }
}
