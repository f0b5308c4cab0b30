import Errand
import ErrandResilience
import ErrandTesting
import TestSupport
import Testing

struct `A rate limit` {
    private let clock = ManualClock()
    private let sent = Recorder<String>()

    private func next() -> Next {
        Next { [sent] request in
            sent.record(request.urlRequest.url?.path ?? "")
            return DataResponse(statusCode: 200)
        }
    }

    @Test func `a rate limit sends a waiting request when its token is available`() async throws {
        let limit = RateLimit(requests: 1, per: .seconds(2), clock: clock)
        _ = try await limit.intercept(limitedRequest("https://a.example/1"), next: next())
        let later = Task { [next = next()] in
            try await limit.intercept(limitedRequest("https://a.example/2"), next: next)
        }
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(1999))
        #expect(sent.elements == ["/1"])
        clock.advance(by: .milliseconds(1))
        #expect(try await later.value.statusCode == 200)
        #expect(sent.elements == ["/1", "/2"])
    }

    @Test func `a rate limit admits waiting requests by priority`() async throws {
        let limit = RateLimit(requests: 1, per: .seconds(1), clock: clock)
        _ = try await limit.intercept(limitedRequest("https://a.example/0"), next: next())
        let requests = [
            limitedRequest("https://a.example/low", priority: .low), limitedRequest("https://a.example/normal"),
            limitedRequest("https://a.example/high", priority: .high),
        ]
        let tasks = try await begin(requests, waiting: limit.waitingCount) { [next = next()] in
            try await limit.intercept($0, next: next)
        }
        for count in 1...3 {
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            try await waitUntil { sent.elements.count == count + 1 }
        }
        for task in tasks { _ = try await task.value }
        #expect(sent.elements == ["/0", "/high", "/normal", "/low"])
    }

    @Test func `a cancelled waiting request fails at once, and the next takes its turn`() async throws {
        let limit = RateLimit(requests: 1, per: .seconds(1), clock: clock)
        _ = try await limit.intercept(limitedRequest("https://a.example/0"), next: next())
        let requests = (1...2).map { limitedRequest("https://a.example/\($0)") }
        let tasks = try await begin(requests, waiting: limit.waitingCount) { [next = next()] in
            try await limit.intercept($0, next: next)
        }
        tasks[0].cancel()
        let error = await expectFailure(.cancelled) { try await tasks[0].value }
        #expect(error?.url?.path == "/1")
        #expect(limit.waitingCount == 1)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        _ = try await tasks[1].value
        #expect(sent.elements == ["/0", "/2"])
    }

    @Test func `the clock is released when the last waiting request is cancelled`() async throws {
        let limit = RateLimit(requests: 1, per: .seconds(1), clock: clock)
        _ = try await limit.intercept(limitedRequest(), next: next())
        let task = Task { [next = next()] in try await limit.intercept(limitedRequest(), next: next) }
        try await clock.waitForSleepers()
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        try await waitUntil { clock.sleeperCount == 0 }
    }

    @Test func `a rate limit sends nothing for a task that is already cancelled`() async {
        let limit = RateLimit(requests: 1, per: .seconds(1), clock: clock)
        let task = Task { [next = next()] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await limit.intercept(limitedRequest(), next: next)
        }
        await expectFailure(.cancelled) { try await task.value }
        #expect(sent.elements.isEmpty)
    }

    @Test func `a rate limit with a full queue fails a request with rateLimited`() async throws {
        let limit = RateLimit(requests: 1, per: .seconds(1), queueLimit: 0, clock: clock)
        _ = try await limit.intercept(limitedRequest(), next: next())
        let error = await expectFailure(.rateLimited) { [next = next()] in
            try await limit.intercept(limitedRequest(), next: next)
        }
        #expect(error?.url?.host == "api.example.com")
        #expect(error?.attempts == 0)
        #expect(sent.elements.count == 1)
        #expect(error.map { "\($0)".contains("the queue is full") } == true)
    }

    @Test func `a request that would wait beyond its resource timeout fails at once`() async throws {
        let limit = RateLimit(requests: 1, per: .seconds(10), clock: clock)
        _ = try await limit.intercept(limitedRequest(), next: next())
        await expectFailure(.rateLimited) { [next = next()] in
            try await limit.intercept(limitedRequest(resourceTimeout: .seconds(9)), next: next)
        }
        #expect(clock.sleeperCount == 0)
    }

    @Test func `waiting for a rate limit reduces the resource timeout of the request`() async throws {
        let limit = RateLimit(requests: 1, per: .seconds(10), clock: clock)
        let left = Recorder<Duration?>()
        let next = Next { request in
            left.record(request.resourceTimeout)
            return DataResponse(statusCode: 200)
        }
        let request = limitedRequest(resourceTimeout: .seconds(30))
        _ = try await limit.intercept(request, next: next)
        let task = Task { try await limit.intercept(request, next: next) }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        _ = try await task.value
        #expect(left.elements == [.seconds(30), .seconds(20)])
    }

    @Test func `a rate limit with origin scope limits each origin separately`() async throws {
        let limit = RateLimit(requests: 1, per: .seconds(1), scope: .origin, queueLimit: 0, clock: clock)
        for url in ["https://a.example/", "https://b.example/", "http://a.example/", "https://a.example:8443/"] {
            _ = try await limit.intercept(limitedRequest(url), next: next())
        }
        await expectFailure(.rateLimited) { [next = next()] in
            try await limit.intercept(limitedRequest("HTTPS://A.example:443/other"), next: next)
        }
    }

    @Test func `the closure that names a request may read the limit`() async throws {
        let limits = Recorder<RateLimit>()
        let scope = LimitScope.named { _ in "\(limits.elements.map(\.waitingCount))" }
        let limit = RateLimit(requests: 1, per: .seconds(1), scope: scope, clock: clock)
        limits.record(limit)
        #expect(try await limit.intercept(limitedRequest(), next: next()).statusCode == 200)
    }

    @Test func `streamed requests are rate limited`() async throws {
        let limit = RateLimit(requests: 1, per: .seconds(1), queueLimit: 0, clock: clock)
        let next = Next { _ in
            DataResponse(statusCode: 200, headers: [:], body: ResponseBody(Data()))
        }
        _ = try await limit.intercept(limitedRequest(), next: next)
        await expectFailure(.rateLimited) { try await limit.intercept(limitedRequest(), next: next) }
    }

    @Test func `a rate limit is shared by all requests that list it`() async throws {
        final class Limited: APIBase, Request {
            static let limit = RateLimit(requests: 1, per: .seconds(60), queueLimit: 0, clock: ManualClock())
            override init() {
                super.init()
                baseURL = URL(string: "https://api.example.com")
                interceptors = [Self.limit]
                dataTaskPipeline = stubResponse(statusCode: 204)
            }
            func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
        }
        #expect(try await Limited().start().value.statusCode == 204)
        await expectFailure(.rateLimited) { try await Limited().start().value }
    }
}
