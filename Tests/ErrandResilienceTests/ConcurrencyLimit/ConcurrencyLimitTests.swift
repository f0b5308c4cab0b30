import Errand
import ErrandResilience
import ErrandTesting
import TestSupport
import Testing

struct `A concurrency limit` {
    private let sent = Recorder<String>()

    /// Responds to every request that passes the gate.
    private func next(_ gate: Gate) -> Next {
        Next { [sent] request in
            sent.record(request.urlRequest.url?.path ?? "")
            try await gate.pass()
            return DataResponse(statusCode: 200)
        }
    }

    @Test func `a concurrency limit sends at most its number of requests at once`() async throws {
        let limit = ConcurrencyLimit(2)
        let gate = Gate()
        let tasks = (1...3).map { number in
            Task { [next = next(gate)] in
                try await limit.intercept(limitedRequest("https://a.example/\(number)"), next: next)
            }
        }
        try await gate.waitForArrivals(2)
        try await waitUntil { limit.waitingCount == 1 }
        #expect(gate.arrivals == 2)
        gate.open()
        for task in tasks { #expect(try await task.value.statusCode == 200) }
        #expect(Set(sent.elements) == ["/1", "/2", "/3"])
    }

    @Test func `a concurrency limit admits waiting requests by priority`() async throws {
        let limit = ConcurrencyLimit(1)
        let gate = Gate()
        let first = Task { [next = next(gate)] in
            try await limit.intercept(limitedRequest("https://a.example/0"), next: next)
        }
        try await gate.waitForArrivals(1)
        let requests = [
            limitedRequest("https://a.example/low", priority: .low), limitedRequest("https://a.example/normal"),
            limitedRequest("https://a.example/high", priority: .high),
        ]
        let tasks = try await begin(requests, waiting: limit.waitingCount) { [next = next(gate)] in
            try await limit.intercept($0, next: next)
        }
        gate.open()
        for task in [first] + tasks { _ = try await task.value }
        #expect(sent.elements == ["/0", "/high", "/normal", "/low"])
    }

    @Test(arguments: [nil, Duration.seconds(1e20)])
    func `a failed request frees its slot`(_ resourceTimeout: Duration?) async throws {
        let limit = ConcurrencyLimit(1, queueLimit: 0)
        let failing = Next { _ in throw URLError(.networkConnectionLost) }
        var request = limitedRequest()
        request.resourceTimeout = resourceTimeout
        for _ in 1...2 {
            await #expect(throws: URLError.self) { try await limit.intercept(request, next: failing) }
        }
    }

    @Test func `a cancelled running request frees its slot`() async throws {
        let limit = ConcurrencyLimit(1)
        let gate = Gate()
        let running = Task { [next = next(gate)] in try await limit.intercept(limitedRequest(), next: next) }
        try await gate.waitForArrivals(1)
        let waiting = Task { [next = next(Gate.opened)] in try await limit.intercept(limitedRequest(), next: next) }
        try await waitUntil { limit.waitingCount == 1 }
        running.cancel()
        #expect(try await waiting.value.statusCode == 200)
        await #expect(throws: CancellationError.self) { try await running.value }
    }

    @Test func `a cancelled waiting request fails at once, and the others continue to wait`() async throws {
        let limit = ConcurrencyLimit(1)
        let gate = Gate()
        let running = Task { [next = next(gate)] in try await limit.intercept(limitedRequest(), next: next) }
        try await gate.waitForArrivals(1)
        let requests = (1...2).map { limitedRequest("https://a.example/\($0)") }
        let tasks = try await begin(requests, waiting: limit.waitingCount) { [next = next(gate)] in
            try await limit.intercept($0, next: next)
        }
        tasks[0].cancel()
        await expectFailure(.cancelled) { try await tasks[0].value }
        gate.open()
        _ = try await (running.value, tasks[1].value)
        #expect(sent.elements == ["/users", "/2"])
    }

    @Test func `a concurrency limit with a full queue fails a request with concurrencyLimited`() async throws {
        let limit = ConcurrencyLimit(1, queueLimit: 0)
        let gate = Gate()
        let running = Task { [next = next(gate)] in try await limit.intercept(limitedRequest(), next: next) }
        try await gate.waitForArrivals(1)
        let error = await expectFailure(.concurrencyLimited) { [next = next(gate)] in
            try await limit.intercept(limitedRequest(), next: next)
        }
        #expect(error?.url?.host == "api.example.com")
        gate.open()
        _ = try await running.value
    }

    @Test func `a request that waits too long is rejected, and waiting reduces its resource timeout`() async throws {
        let clock = ManualClock()
        let limit = ConcurrencyLimit(1, clock: clock)
        let gate = Gate()
        let running = Task { [next = next(gate)] in try await limit.intercept(limitedRequest(), next: next) }
        try await gate.waitForArrivals(1)
        let left = Recorder<Duration?>()
        let requests = [limitedRequest(resourceTimeout: .seconds(3)), limitedRequest(resourceTimeout: .seconds(30))]
        let tasks = try await begin(requests, waiting: limit.waitingCount) { request in
            try await limit.intercept(
                request,
                next: Next { request in
                    left.record(request.resourceTimeout)
                    return DataResponse(statusCode: 200)
                })
        }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(3))
        await expectFailure(.concurrencyLimited) { try await tasks[0].value }
        gate.open()
        _ = try await (running.value, tasks[1].value)
        #expect(left.elements == [.seconds(27)])
    }

    @Test(arguments: ["ended", "failed", "released"])
    func `a streamed response keeps its slot until its body ends`(_ end: String) async throws {
        let limit = ConcurrencyLimit(1, queueLimit: 0)
        let pieces = Locked([Data("a".utf8), Data("b".utf8)])
        let next = Next { _ in
            DataResponse(
                statusCode: 200, headers: ["X": "1"],
                body: ResponseBody {
                    let piece = pieces.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                    if piece == nil, end == "failed" { throw URLError(.networkConnectionLost) }
                    return piece
                })
        }
        var response: DataResponse? = try await limit.intercept(limitedRequest(), next: next)
        #expect(response?.headers["x"] == "1")
        var iterator = response?.body.makeAsyncIterator()
        #expect(try await iterator?.next() == Data("a".utf8))
        await expectFailure(.concurrencyLimited) { try await limit.intercept(limitedRequest(), next: next) }
        if end != "released" {
            #expect(try await iterator?.next() == Data("b".utf8))
            #expect((try? await iterator?.next()) == nil)
        } else {
            iterator = nil
            response = nil
        }
        _ = try await limit.intercept(limitedRequest(), next: next)
    }

    @Test func `a concurrency limit with origin scope limits each origin separately`() async throws {
        let limit = ConcurrencyLimit(1, scope: .origin, queueLimit: 0)
        let gate = Gate()
        let running = Task { [next = next(gate)] in
            try await limit.intercept(limitedRequest("https://a.example"), next: next)
        }
        try await gate.waitForArrivals(1)
        _ = try await limit.intercept(limitedRequest("https://b.example"), next: next(.opened))
        await expectFailure(.concurrencyLimited) { [next = next(.opened)] in
            try await limit.intercept(limitedRequest("https://a.example"), next: next)
        }
        gate.open()
        _ = try await running.value
    }

    @Test func `an invalid concurrency limit is replaced with 1, and an invalid queue limit with 0`() {
        let limit = ConcurrencyLimit(-3, queueLimit: -1)
        #expect(limit.limit == 1)
        #expect(limit.queueLimit == 0)
    }

    @Test func `a concurrency limit keeps all of its slots when many requests are cancelled`() async throws {
        let limit = ConcurrencyLimit(3)
        let running = Locked((now: 0, most: 0))
        let next = Next { _ in
            running.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            await Task.yield()
            running.withLock { $0.now -= 1 }
            return DataResponse(statusCode: 200)
        }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<600 {
                group.addTask {
                    let task = Task { try await limit.intercept(limitedRequest(), next: next) }
                    if number % 3 == 0 { task.cancel() }
                    _ = await task.result
                }
            }
        }
        #expect(running.withLock { $0.most } <= 3)
        #expect(limit.waitingCount == 0)
        // All three places are still available.
        let gate = Gate()
        let last = (1...3).map { _ in
            Task { [next = self.next(gate)] in try await limit.intercept(limitedRequest(), next: next) }
        }
        try await gate.waitForArrivals(3)
        gate.open()
        for task in last { _ = try await task.value }
    }
}

extension Gate {
    fileprivate static var opened: Gate {
        let gate = Gate()
        gate.open()
        return gate
    }
}
