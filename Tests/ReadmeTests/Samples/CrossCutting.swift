import Errand
import ErrandResilience

struct Grant: Codable, Sendable {
    var accessToken: String
    var lifetime: TimeInterval
}

final class GrantRequest: LibraryAPI, Request {
    override init() {
        super.init()
        method = .post
        path = "/grants"
    }

    func start() -> Pipeline<Grant, any Error> {
        sendRequest().decode(Grant.self)
    }
}

let requestLog = RequestHook(didEnd: { outcome in
    print(outcome, "in", outcome.duration, "with", outcome.head?.attempts ?? 0, "attempts")
})

class MembersAPI: LibraryAPI {
    static let logging = LoggingInterceptor(level: .debug)
    static let authentication = TokenAuthentication { _ in
        let grant = try await GrantRequest().start().value
        return AccessToken(grant.accessToken, expiresAt: Date() + grant.lifetime)
    }
    static let cache = HTTPCache()
    static let coalescing = Coalescing()
    static let breaker = CircuitBreaker(tripping: .consecutiveFailures(5), openDuration: .seconds(30))
    static let rate = RateLimit(requests: 10, per: .seconds(1))
    static let concurrency = ConcurrencyLimit(4)

    override init() {
        super.init()
        hook = requestLog
        retryPolicy = .exponential(base: .milliseconds(100))
        interceptors = [
            Self.logging, Self.authentication, Self.cache, Self.coalescing, Self.breaker, Self.rate, Self.concurrency,
        ]
        observers = [TraceContext()]
    }
}

struct Versioned: Interceptor {
    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        var request = request
        request.urlRequest.setValue("2026-11-01", forHTTPHeaderField: "API-Version")
        return try await next(request)
    }
}

struct CountedRequests: Interceptor {
    let count: @Sendable () -> Void
    var placement: InterceptorPlacement { .asListed }
    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        count()
        return try await next(request)
    }
}
