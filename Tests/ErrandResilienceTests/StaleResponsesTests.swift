import Errand
import ErrandResilience
import ErrandTesting
import TestSupport
import Testing

/// A cache before a limit returns a stale response when the limit refuses the request.
struct `A stale response` {
    enum Limit: CaseIterable {
        case rate, concurrency, breaker

        /// Returns a limit that refuses every request.
        func refusing() async throws -> any Interceptor {
            let request = limitedRequest("https://api.example.com/other")
            switch self {
            case .rate:
                let limit = RateLimit(requests: 1, per: .seconds(60), queueLimit: 0, clock: ManualClock())
                _ = try await limit.intercept(request, next: Next { _ in DataResponse(statusCode: 200) })
                return limit
            case .concurrency:
                let limit = ConcurrencyLimit(1, queueLimit: 0)
                let held = DataResponse(statusCode: 200, headers: [:], body: ResponseBody { Data("x".utf8) })
                return Holding(
                    limit: limit, kept: try await limit.intercept(request, next: Next { _ in held }))
            case .breaker:
                let breaker = CircuitBreaker(tripping: .consecutiveFailures(1), clock: ManualClock())
                _ = try await breaker.intercept(request, next: Next { _ in DataResponse(statusCode: 500) })
                return breaker
            }
        }
    }

    /// Keeps a response whose body is not read, so that its place is not free.
    private struct Holding: Interceptor {
        let limit: ConcurrencyLimit
        let kept: DataResponse

        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            try await limit.intercept(request, next: next)
        }
    }

    @Test(arguments: Limit.allCases)
    func `a stale response replaces an error of a limit after the cache`(_ limit: Limit) async throws {
        let clock = ManualClock()
        let cache = HTTPCache(now: { clock.date })
        let fresh = Next { _ in
            DataResponse(
                statusCode: 200, headers: ["Cache-Control": "max-age=60, stale-if-error=60"], data: Data("one".utf8))
        }
        _ = try await cache.intercept(limitedRequest(), next: fresh)
        clock.advance(by: .seconds(61))
        let refusing = try await limit.refusing()
        let stale = try await cache.intercept(limitedRequest(), next: fresh.preceded(by: [refusing]))
        #expect(stale.source == .stale)
        #expect(stale.data == Data("one".utf8))
    }
}
