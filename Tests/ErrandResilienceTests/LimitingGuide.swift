import Errand
import ErrandResilience
import ErrandTesting
import TestSupport
import Testing

/// The samples of the guide to limiting.
class ArchiveAPI: APIBase {
    static let coalescing = Coalescing()
    static let breaker = CircuitBreaker(tripping: .consecutiveFailures(5), openDuration: .seconds(30))
    static let rate = RateLimit(requests: 10, per: .seconds(1), burst: 5)
    static let concurrency = ConcurrencyLimit(4)

    override init() {
        super.init()
        baseURL = URL(string: "https://archive.example.com")
        interceptors = [Self.coalescing, Self.breaker, Self.rate, Self.concurrency]
    }
}

final class ArchiveRequest: ArchiveAPI, Request {
    convenience init(_ interceptor: any Interceptor, statusCode: Int = 204) {
        self.init()
        interceptors = [interceptor]
        dataTaskPipeline = stubResponse(statusCode: statusCode)
    }

    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}

struct `The page on limiting` {
    @Test func `the guide: the interceptors can be combined`() async throws {
        let request = ArchiveRequest()
        request.dataTaskPipeline = request.stubResponse(statusCode: 204)
        #expect(try await request.start().value.statusCode == 204)
    }

    @Test func `the guide: a closure excludes requests from coalescing`() async throws {
        let coalescing = Coalescing { $0.urlRequest.url?.path.hasPrefix("/live/") == false }
        let gate = Gate()
        let next = Next { _ in
            try await gate.pass()
            return DataResponse(statusCode: 204)
        }
        let requests = ["live/1", "live/1", "1", "1"].map { limitedRequest("https://archive.example.com/\($0)") }
        let tasks = requests.map { request in Task { try await coalescing.intercept(request, next: next) } }
        try await gate.waitForArrivals(3)
        try await waitUntil { coalescing.waitingCount == 2 }
        gate.open()
        for task in tasks { _ = try await task.value }
        #expect(gate.arrivals == 3)
    }

    @Test func `the guide: a named scope limits each tenant separately`() async throws {
        let perTenant = RateLimit(
            requests: 100, per: .seconds(60),
            scope: .named { $0.urlRequest.value(forHTTPHeaderField: "X-Tenant") ?? "" })
        let next = Next { _ in DataResponse(statusCode: 204) }
        for tenant in ["a", "b"] {
            for _ in 1...100 {
                let request = limitedRequest(headers: ["X-Tenant": tenant], resourceTimeout: .milliseconds(1))
                _ = try await perTenant.intercept(request, next: next)
            }
        }
        let request = limitedRequest(headers: ["X-Tenant": "a"], resourceTimeout: .milliseconds(1))
        // A token becomes available every 0.6 s, so one more request may pass.
        await expectFailure(.rateLimited) {
            while true { _ = try await perTenant.intercept(request, next: next) }
        }
    }

    @Test func `the guide: a circuit breaker is configured`() async throws {
        let breaker = CircuitBreaker(
            tripping: .failureRatio(0.5, over: .seconds(60), minimumCount: 20), openDuration: .seconds(30),
            trialRequests: 2,
            onTransition: { print($0.circuit, $0.to) })
        let strict = CircuitBreaker(judge: { outcome in
            if case .success(let answer) = outcome, answer.statusCode == 429 { return .failure }
            return CircuitBreaker.verdict(on: outcome)
        })
        for _ in 1...5 { _ = try await ArchiveRequest(strict, statusCode: 429).start().value }
        for _ in 1...20 { _ = try await ArchiveRequest(breaker, statusCode: 503).start().value }
        await expectFailure(.circuitOpen) { try await ArchiveRequest(breaker).start().value }
        await expectFailure(.circuitOpen) { try await ArchiveRequest(strict).start().value }
        try await report(ArchiveRequest(strict))
    }

    private func report(_ request: ArchiveRequest) async throws {
        do {
            print(try await request.start().value)
        } catch let error as ErrandError where error.code == .circuitOpen {
            print("try again in", (error.underlyingError as? CircuitBreaker.OpenCircuit)?.retryAfter ?? .seconds(1))
        }
    }

    @Test func `a request waits for a rate limit token`() async throws {
        let clock = ManualClock()
        let limit = RateLimit(requests: 1, per: .seconds(60), clock: clock)
        let second = ArchiveRequest(limit).start()
        _ = try await ArchiveRequest(limit).start().value
        async let waiting = second.value
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(60))
        #expect(try await waiting.statusCode == 204)
    }
}
