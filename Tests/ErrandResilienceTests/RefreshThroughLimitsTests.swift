import Errand
import ErrandMockServer
import ErrandResilience
import ErrandTesting
import TestSupport
import Testing

/// The request for a new token passes limits whose places are held by the requests that wait for it.
@Suite(.hangGuard) struct `A refresh that goes through a limit` {
    /// Rejects the old token, and accepts every other request.
    private static let server = Next { request in
        DataResponse(statusCode: request.authorization == "Bearer old" ? 401 : 200)
    }

    private static func refreshing(
        through limit: any Interceptor, clock: ManualClock = ManualClock(), refreshTimeout: Duration = .seconds(60)
    ) -> Next {
        let authentication = TokenAuthentication(
            token: AccessToken("old"), refreshTimeout: refreshTimeout, clock: clock
        ) { _ in
            _ = try await limit.intercept(limitedRequest("https://a.example/token"), next: server)
            return AccessToken("new")
        }
        return server.preceded(by: [limit, authentication])
    }

    @Test func `a refresh needs no concurrency slot`() async throws {
        let limit = ConcurrencyLimit(1, queueLimit: 0)
        let send = Self.refreshing(through: limit)
        #expect(try await send(limitedRequest("https://a.example/books")).statusCode == 200)
    }

    @Test func `a refresh needs no concurrency slot if the request with the only one waits later`() async throws {
        let (limit, entry, refusal) = (ConcurrencyLimit(1), Gate(), Gate())
        let authentication = TokenAuthentication(token: nil, clock: ManualClock()) { _ in
            try await entry.pass()
            _ = try await limit.intercept(limitedRequest("https://a.example/token"), next: Self.server)
            return AccessToken("new")
        }
        // This request has the only slot. It is rejected after the refresh has begun.
        let holding = Next { request in
            if request.authorization == "Custom" {
                try await refusal.pass()
                var request = request
                request.urlRequest.setValue(nil, forHTTPHeaderField: "Authorization")
                return try await authentication.intercept(request, next: Self.server)
            }
            return try await Self.server(request)
        }.preceded(by: [limit])
        let waiting = WaitingTasks(for: AccessToken.self)
        let holder = waiting.observing {
            Task {
                try await holding(limitedRequest("https://a.example/1", headers: ["Authorization": "Custom"]))
                    .statusCode
            }
        }
        try await refusal.waitForArrivals(1)
        let outside = Self.server.preceded(by: [authentication])
        let first = waiting.observing {
            Task { try await outside(limitedRequest("https://a.example/2")).statusCode }
        }
        try await entry.waitForArrivals(1)
        refusal.open()
        try await waitUntil { waiting.count == 2 }
        entry.open()
        #expect(try await first.value == 200)
        #expect(try await holder.value == 200)
        #expect(limit.waitingCount == 0)
    }

    @Test func `a refresh passes during the trial of a circuit breaker`() async throws {
        let breaker = CircuitBreaker(tripping: .consecutiveFailures(1), openDuration: .zero, clock: ManualClock())
        let failing = Next { _ in DataResponse(statusCode: 500) }
        _ = try await breaker.intercept(limitedRequest("https://a.example/books"), next: failing)
        let send = Self.refreshing(through: breaker)
        #expect(try await send(limitedRequest("https://a.example/books")).statusCode == 200)
        let url = try #require(URL(string: "https://a.example"))
        #expect(breaker.state(of: url) == .closed)
    }

    @Test func `a refresh passes while its request is sent alone after a pause`() async throws {
        let clock = ManualClock()
        let pause = RetryAfterPause(clock: clock)
        let refusing = Next { _ in DataResponse(statusCode: 429, headers: ["Retry-After": "5"]) }
        _ = try await pause.intercept(limitedRequest("https://a.example/books"), next: refusing)
        let send = Self.refreshing(through: pause)
        let task = Task { try await send(limitedRequest("https://a.example/books")).statusCode }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        #expect(try await task.value == 200)
    }

    @Test func `a refresh waits for its own rate limit token`() async throws {
        let clock = ManualClock()
        let limit = RateLimit(requests: 1, per: .seconds(60), clock: clock)
        let send = Self.refreshing(through: limit, clock: clock, refreshTimeout: .seconds(100))
        let task = Task { try await send(limitedRequest("https://a.example/books")).statusCode }
        try await waitUntil { limit.waitingCount == 1 }
        // The sleepers are the limit's alarm and the time limit of the refresh.
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(60))
        #expect(try await task.value == 200)
    }
}
