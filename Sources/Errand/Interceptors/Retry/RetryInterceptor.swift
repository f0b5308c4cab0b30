/// An interceptor that repeats failed requests, as often and after the waits that a ``Retrier`` decides.
///
/// ```swift
/// request.interceptors = [RetryInterceptor(RetryPolicy.exponential(base: .milliseconds(100)))]
/// request.interceptors = [RetryInterceptor { _ in OnceAfterConflict() }]
/// ```
///
/// To use only a ``RetryPolicy``, set ``APIBase/retryPolicy`` or ``RequestSettings/retryPolicy``. This puts the retry
/// interceptor before all listed interceptors, so that each attempt passes through them. In contrast to `retry(_:)` of
/// a pipeline, which repeats all operators before it, this interceptor sees each response before it is validated and
/// decoded.
///
/// An attempt fails if no response arrives, or one whose status or media type the request does not accept. If the
/// request does not set `acceptedStatusCodes`, each status below 400 is accepted. A ``RetryPolicy`` repeats a request
/// with a wrong media type only if ``RetryPolicy/statusCodes`` contain its status. Asynchronous header fields are
/// awaited again before each further attempt.
///
/// Before a wait, the response of the failed attempt is discarded; for a stream, its connection is closed. A stream is
/// repeated only until its head has been returned to the caller. If there is a ``TransportRequest/resourceTimeout``,
/// all attempts and waits share it. Cancelling the request ends a wait immediately with
/// ``ErrandError/Code-swift.struct/cancelled``.
public struct RetryInterceptor: Interceptor {
    private let makeRetrier: @Sendable (TransportRequest) -> any Retrier
    /// Changes the request before its first attempt: a policy may add an `Idempotency-Key`.
    private let prepare: @Sendable (TransportRequest) -> TransportRequest
    private let onRetry: (@Sendable (FailedAttempt, Duration) -> Void)?
    private let maximumAttempts: Int
    private let clock: any Clock<Duration>

    /// Creates an interceptor for a policy, with the policy's clock.
    public init(_ policy: RetryPolicy) {
        makeRetrier = { _ in policy.makeRetrier() }
        prepare = policy.prepare
        onRetry = policy.onRetry
        maximumAttempts = policy.maximumAttempts
        clock = policy.clock
    }

    /// Creates an interceptor with custom retriers.
    ///
    /// - Parameters:
    ///   - maximumAttempts: The maximum number of attempts, including the first; 10 by default. The retrier is not
    ///     called after the last one, so with 2 it is called at most once.
    ///   - clock: The clock for the waits and the time limit.
    ///   - makeRetrier: Makes a retrier. It is called once for each request, before the first attempt.
    public init(
        maximumAttempts: Int = 10, clock: any Clock<Duration> = ContinuousClock(),
        _ makeRetrier: @escaping @Sendable (TransportRequest) -> any Retrier
    ) {
        self.makeRetrier = makeRetrier
        prepare = { $0 }
        onRetry = nil
        self.maximumAttempts = maximumAttempts
        self.clock = clock
    }

    /// As listed: it adds no credentials.
    public var placement: InterceptorPlacement { .asListed }

    /// Sends the request, and repeats it while the retrier decides so.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        var attempts = Attempts(request: prepare(request), clock: clock, next: next)
        let retrier = makeRetrier(attempts.request)
        while true {
            switch try await attempts.run(decidedBy: retrier, atMost: maximumAttempts) {
            case .done(let response): return response
            case .again(let failed, let wait):
                onRetry?(failed, wait)
                try await attempts.pause(for: wait)
            }
        }
    }
}

/// The consecutive attempts of one request.
private struct Attempts {
    /// The result of an attempt. The stream of a failed attempt is released before ``again(_:after:)`` is returned,
    /// which closes its connection.
    enum Step {
        case done(DataResponse)
        case again(FailedAttempt, after: Duration)
    }

    private(set) var request: TransportRequest
    private let next: Next
    private let clock: any Clock<Duration>
    private let timeline: Timeline
    /// The time limit for all attempts and waits.
    private let limit: Duration?
    private var number = 0

    init(request: TransportRequest, clock: any Clock<Duration>, next: Next) {
        self.request = request
        self.next = next
        self.clock = clock
        timeline = Timeline(clock)
        limit = request.resourceTimeout?.bounded
    }

    private var timeLeft: Duration? { limit.map { $0 - timeline.now } }

    /// Makes one attempt. If it fails and there may be another, calls the retrier for a decision.
    mutating func run(decidedBy retrier: any Retrier, atMost maximumAttempts: Int) async throws -> Step {
        number += 1
        request.attempt = number
        if number > 1 {
            // At least 1 ms: the wait ends in time by the clock, but the task may resume late.
            request.resourceTimeout = timeLeft.map { max($0, .milliseconds(1)) }
            request = try await request.renewed()
        }
        let result: Result<DataResponse, any Error>
        do { result = .success(try await next(request)) } catch { result = .failure(error) }
        guard number < maximumAttempts, let outcome = failedOutcome(of: result) else { return .done(try result.get()) }
        let failed = FailedAttempt(request: request, number: number, outcome: outcome, timeLeft: timeLeft)
        switch try await decision(of: retrier, after: failed) {
        case .retry(let wait): return .again(failed, after: wait)
        case .stop(let reason):
            switch result {
            case .success(let response): return .done(response.noting(reason))
            case .failure(let error): throw error.noting(reason)
            }
        }
    }

    /// Waits, unless the wait is zero or less.
    func pause(for wait: Duration) async throws {
        do {
            if wait > .zero { try await clock.sleep(for: wait.bounded) }
            try Task.checkCancellation()
        } catch let error where error.isCancellation {
            throw cancelled
        }
    }

    /// Returns the outcome that the retrier decides about; `nil` for a success and for a cancelled request.
    private func failedOutcome(of result: Result<DataResponse, any Error>) -> Result<DataResponse, any Error>? {
        switch result {
        case .success(let response): request.rules.isFailure(response) ? .success(response.withoutStream) : nil
        case .failure(let error): error.isCancellation || Task.isCancelled ? nil : .failure(error)
        }
    }

    /// Returns the retrier's decision, or a decision to stop if the request cannot be sent again or has no time for the
    /// wait.
    private func decision(
        of retrier: any Retrier, after attempt: FailedAttempt
    ) async throws -> RetryDecision {
        let decision: RetryDecision
        do {
            decision = try await waitingCancellably { await retrier.decide(after: attempt) }
        } catch {
            throw cancelled
        }
        guard case .retry(let wait) = decision else { return decision }
        guard request.canBeSentAgain else { return .bodyNotRepeatable }
        guard timeLeft.map({ $0 > max(wait, .zero) }) ?? true else { return .outOfTime }
        return decision
    }

    private var cancelled: ErrandError {
        ErrandError(.cancelled).with(request: request.urlRequest, attempts: number)
    }
}

/// An interceptor that limits the time of each attempt of a request.
///
/// ```swift
/// retryPolicy = .exponential()
/// interceptors = [AttemptTimeout(.seconds(2))]
/// resourceTimeout = .seconds(10)
/// ```
///
/// Each attempt of the retry passes the other interceptors, and with them this limit: an attempt that takes too long
/// fails with ``ErrandError/Code-swift.struct/timedOut``, after which a ``RetryPolicy`` may send the request again.
/// ``APIBase/resourceTimeout`` limits all attempts and waits together.
///
/// The time ends with the response: with the body of a collected response, or with the head of a streamed one. It
/// includes the time of interceptors after this one. After the limit, the attempt is cancelled without waiting for its
/// end.
public struct AttemptTimeout: Interceptor {
    private let limit: Duration
    private let clock: any Clock<Duration>

    /// Creates an interceptor that limits each attempt.
    ///
    /// - Parameters:
    ///   - limit: The maximum time of an attempt; zero or less fails it immediately.
    ///   - clock: The clock that measures the time.
    public init(_ limit: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.limit = limit
        self.clock = clock
    }

    /// As listed: it adds no credentials.
    public var placement: InterceptorPlacement { .asListed }

    /// Sends the request, and waits no longer than the limit.
    ///
    /// - Throws: ``ErrandError`` with `timedOut` or `cancelled`, or the error of `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let failure = ErrandError(.timedOut, reason: "the attempt took longer than \(limit.secondsText)")
            .with(request: request.urlRequest)
        return try await Pipeline { () async throws(any Error) in try await next(request) }
            .timeout(limit, clock: clock, failure: failure)
            .value
    }
}

extension Pipeline {
    /// Repeats the pipeline when it fails, after the waits of a backoff.
    ///
    /// ```swift
    /// sendRequest().decode([Book].self).retry(3, backoff: .exponential(base: .milliseconds(100)))
    /// ```
    ///
    /// In contrast to ``RetryPolicy``, it also repeats the operators before it, and ignores `Retry-After`.
    ///
    /// - Parameters:
    ///   - times: The maximum number of repetitions; 0 or less means none.
    ///   - shouldRetry: As in ``retry(_:where:delay:clock:)-(_,_,Duration,_)``.
    ///   - backoff: The rule for the waits.
    ///   - maximumWait: The maximum length of a wait; 20 seconds by default.
    ///   - clock: The clock for the waits.
    ///   - random: Returns random numbers from 0 to 1, as ``RetryPolicy/random``.
    public func retry(
        _ times: Int, where shouldRetry: (@Sendable (Failure) -> Bool)? = nil, backoff: RetryPolicy.Backoff,
        maximumWait: Duration = .seconds(20), clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) -> Pipeline {
        retry(times, where: shouldRetry, clock: clock) {
            let schedule = Locked(RetrySchedule(reconnecting: backoff, maximumWait: maximumWait))
            return { _ in
                let chance = random()
                // Never `nil` in practice, because the schedule allows a total wait of a hundred years.
                return schedule.withLock { $0.next(serverWait: nil, chance: chance) } ?? .zero
            }
        }
    }
}
