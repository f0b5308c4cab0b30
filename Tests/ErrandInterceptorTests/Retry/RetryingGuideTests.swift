import Errand
import ErrandTesting
import Testing

/// The samples of `Retrying.md`.
private class ShopAPI: APIBase {
    private static let budget = RetryBudget()

    override init() {
        super.init()
        baseURL = URL(string: "https://shop.example.com")
        retryPolicy = .exponential(base: .milliseconds(100))
        retryPolicy?.budget = Self.budget
    }
}

private actor WaitingForStock: Retrier {
    private var remaining = 2

    func decide(after attempt: FailedAttempt) async -> RetryDecision {
        guard attempt.response?.statusCode == 404, remaining > 0 else { return .stop }
        remaining -= 1
        return .retry(after: .seconds(5))
    }
}

private final class StockRequest: ShopAPI, Request {
    override init() {
        super.init()
        path = "/stock"
        interceptors.append(RetryInterceptor { _ in WaitingForStock() })
    }

    func start() -> Pipeline<Data, any Error> {
        sendRequest().validateStatusCode(in: [200]).map(\.data)
    }
}

struct `The guide to retrying` {
    @Test func `a request is retried after the time that the server sends`() async throws {
        let clock = ManualClock()
        let request = StockRequest()
        request.retryPolicy?.clock = clock
        request.retryPolicy?.random = { 1 }
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stubResponse(statusCode: 503, headers: ["Retry-After": "7"]),
            request.stubResponse(data: Data("12".utf8)),
        ])
        let response = request.schedule()
        async let stock = response.value
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(7))
        #expect(try await stock == Data("12".utf8))
    }

    /// Compiled but not run, because it would send requests to a real host.
    func retriedStock() async throws -> Data {
        let stock = StockRequest().start()
            .retry(3, where: { ($0 as? ErrandError)?.statusCode == 409 }, delay: .milliseconds(200))
        return try await stock.value
    }

    @Test func `the guide: a retry policy is configured`() async throws {
        var policy = RetryPolicy.decorrelated(base: .milliseconds(200), maximumAttempts: 5)
        policy.statusCodes.insert(409)
        policy.addsIdempotencyKey = true
        policy.maximumTotalWait = .seconds(30)
        policy.onRetry = { attempt, wait in print("attempt \(attempt.number) failed, the next after \(wait)") }

        policy.backoff = .immediate
        let request = Retried(policy, method: .post)
        request.respond(409, 409, 409, 409, 201)
        #expect(try await request.start().value.attempts == 5)
    }
}
