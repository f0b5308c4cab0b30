public import Errand

extension [any Interceptor] {
    /// Interceptors that keep a client working while its server is slow, overloaded or unavailable.
    ///
    /// ```swift
    /// class CatalogueAPI: APIBase {
    ///     static let resilience: [any Interceptor] = .standardResilience()
    ///     override init() {
    ///         super.init()
    ///         interceptors = Self.resilience
    ///     }
    /// }
    /// ```
    ///
    /// The parts in their order, each of which can be replaced or left out with `nil`:
    ///
    /// | part | default |
    /// |---|---|
    /// | total time | 30 seconds for all attempts and waits |
    /// | retry | `RetryPolicy.standard()` |
    /// | circuit breaker | ``CircuitBreaker/standard(clock:)`` |
    /// | limit | ``ConcurrencyLimit/standard(clock:)`` |
    /// | attempt timeout | 10 seconds |
    ///
    /// Call it once, for a `static let` or a service: the limit, the retry budget and the circuits must be shared by
    /// all requests. List authentication, caches and ``Coalescing`` before it, and logs of attempts after it.
    ///
    /// If the request also has an ``/Errand/APIBase/retryPolicy``, that policy decides about retries, and the retry of
    /// this list is not used. So a leaf can have another policy, or none with `.never`. The total time includes the
    /// attempts of that policy. The policy itself knows only the `resourceTimeout`: set that too, so that the policy
    /// does not wait longer.
    ///
    /// For a transfer that needs more than 10 seconds, such as an upload of a large body, make another list with larger
    /// values of `totalTimeout` and `attemptTimeout`, or with `nil`. Both times of a stream end with its head.
    ///
    /// - Parameters:
    ///   - totalTimeout: The maximum time of all attempts and waits, until the end of a collected response or the head
    ///     of a streamed one. The interceptors after it learn of it as the request's `resourceTimeout`, so that they do
    ///     not begin a wait that would end too late.
    ///   - retry: The policy by which failed attempts are repeated.
    ///   - breaker: The breaker, which counts each attempt.
    ///   - limit: The limit of concurrent attempts. A request holds no place while it waits for its next attempt.
    ///   - attemptTimeout: The maximum time of an attempt, without the wait for a place.
    ///   - clock: The clock for both times. The other parts have their own.
    public static func standardResilience(
        totalTimeout: Duration? = .seconds(30), retry: RetryPolicy? = .standard(),
        breaker: CircuitBreaker? = .standard(), limit: ConcurrencyLimit? = .standard(),
        attemptTimeout: Duration? = .seconds(10), clock: any Clock<Duration> = ContinuousClock()
    ) -> [any Interceptor] {
        let parts: [(any Interceptor)?] = [
            totalTimeout.map { TotalTimeout(limit: $0, clock: clock) },
            retry.map { UnlessRetried(retry: RetryInterceptor($0)) },
            breaker, limit,
            attemptTimeout.map { AttemptTimeout($0, clock: clock) },
        ]
        return parts.compactMap(\.self)
    }
}

extension RetryPolicy {
    /// The retry of ``Swift/Array/standardResilience(totalTimeout:retry:breaker:limit:attemptTimeout:clock:)``: three
    /// attempts with exponential backoff from 200 ms, which obey `Retry-After`, and a new ``/Errand/RetryBudget``.
    public static func standard(clock: any Clock<Duration> = ContinuousClock()) -> RetryPolicy {
        var policy = exponential(base: .milliseconds(200))
        policy.budget = RetryBudget()
        policy.clock = clock
        return policy
    }
}

extension CircuitBreaker {
    /// The breaker of ``Swift/Array/standardResilience(totalTimeout:retry:breaker:limit:attemptTimeout:clock:)``: it
    /// opens for 2 seconds when at least half of at least 20 attempts in 10 seconds failed.
    public static func standard(clock: any Clock<Duration> = ContinuousClock()) -> CircuitBreaker {
        CircuitBreaker(
            tripping: .failureRatio(0.5, over: .seconds(10), minimumCount: 20), openDuration: .seconds(2), clock: clock)
    }
}

extension ConcurrencyLimit {
    /// The limit of ``Swift/Array/standardResilience(totalTimeout:retry:breaker:limit:attemptTimeout:clock:)``: it
    /// adapts from 1 to 200 concurrent attempts for each origin, and lets 10,000 wait.
    public static func standard(clock: any Clock<Duration> = ContinuousClock()) -> ConcurrencyLimit {
        ConcurrencyLimit(adaptingIn: 1...200, queueLimit: 10_000, clock: clock)
    }
}

/// Limits the time of a request with all its attempts, also those of a retry before it.
private struct TotalTimeout: Interceptor {
    /// The time since the first attempt of a run.
    private struct Start: Sendable { let timeline: Timeline }

    let limit: Duration
    let clock: any Clock<Duration>
    var placement: InterceptorPlacement { .asListed }

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let left = limit - request.sharedByAttempts(Start(timeline: Timeline(clock))).timeline.now
        var limited = request
        // The `resourceTimeout` of a stream includes its body, which may be endless.
        if !request.streamsResponse { limited.resourceTimeout = min(request.resourceTimeout ?? left, left) }
        let failure = ErrandError(.timedOut, reason: "all attempts together took longer than \(limit.secondsText)")
            .with(request: request.urlRequest)
        return try await Pipeline { [limited] () async throws(any Error) in try await next(limited) }
            .timeout(left, clock: clock, failure: failure)
            .value
    }
}

/// Retries, unless a retry before this one makes the attempts.
private struct UnlessRetried: Interceptor {
    let retry: RetryInterceptor
    var placement: InterceptorPlacement { .asListed }

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        request.attempt == nil ? try await retry.intercept(request, next: next) : try await next(request)
    }
}
