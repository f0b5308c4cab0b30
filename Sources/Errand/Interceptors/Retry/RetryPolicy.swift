/// The rules for retries: which requests are sent again, how often, and after what time.
///
/// ```swift
/// retryPolicy = .exponential(base: .milliseconds(100))
/// ```
///
/// A request is sent again after a temporary failure (``errorCodes``, ``statusCodes``), if repeating it is safe: its
/// method is in ``methods``, or it has an `Idempotency-Key`. If the server specifies a time to wait, with `Retry-After`
/// or its `RateLimit` fields, the retry waits at least as long. If a body that can be read only once, a limit of the
/// waits, the time or the budget prevents a retry, the reason of the request's error says so.
///
/// Invalid values are corrected: counts below 1 count as 1, negative waits as zero, and factors below 1 or NaN as 1.
public struct RetryPolicy: Sendable {
    /// The growth of the waits.
    public enum Backoff: Hashable, Sendable {
        /// No wait.
        case immediate
        /// The same wait each time.
        case constant(Duration)
        /// A random part of a wait that grows by the factor each time: full jitter, as the AWS Architecture Blog
        /// defines it in "Exponential Backoff And Jitter".
        ///
        /// It prevents clients that failed together from retrying together.
        case exponential(base: Duration, factor: Double = 2)
        /// A random wait from the base to the last wait times the factor: decorrelated jitter, from the same source.
        ///
        /// Unlike ``exponential(base:factor:)``, it is at least the base, unless ``RetryPolicy/maximumWait`` is less.
        case decorrelated(base: Duration, factor: Double = 3)
    }

    /// The growth of the waits, before the server's own wait is applied.
    public var backoff: Backoff
    /// The maximum number of attempts, including the first; 3 by default.
    public var maximumAttempts: Int
    /// The maximum wait of the backoff; 20 seconds by default.
    public var maximumWait = Duration.seconds(20)
    /// The maximum wait that a server may request; 60 seconds by default.
    ///
    /// If a server requests more, the request is not sent again. For longer waits, also increase ``maximumTotalWait``.
    /// Zero ignores the servers' requests.
    public var maximumServerWait = Duration.seconds(60)
    /// The maximum total of all waits of one request; 2 minutes by default. A wait that would exceed it is not started.
    public var maximumTotalWait = Duration.seconds(120)
    /// The status codes after which a request is sent again: 408, 425, 429, 500, 502, 503 and 504 by default.
    ///
    /// A status that the request accepts is not a failure, even if it is listed. If `acceptedStatusCodes` is not set,
    /// each status below 400 is accepted.
    public var statusCodes = ErrandError.transientStatusCodes
    /// The transport errors after which a request is sent again: a failed name lookup, a failed or lost connection, no
    /// network, or a timeout.
    public var errorCodes = ErrandError.transientURLErrorCodes
    /// The methods that are sent again without an `Idempotency-Key`: those that are idempotent (RFC 9110, section
    /// 9.2.2).
    public var methods = RequestMethod.idempotent
    /// Whether a request with another method gets an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header) if
    /// it has none. The key is a UUID in quotes, the same for all its attempts.
    ///
    /// The server must support the field. A request that is started again, such as by `retry(_:)` of a pipeline, gets
    /// another key.
    public var addsIdempotencyKey = false
    /// The budget that limits retries in an outage; `nil` for no limit.
    ///
    /// It is an object: keep it in a `static let` or in the service, so that all requests share it.
    public var budget: RetryBudget?
    /// Called before the wait of each retry, with the failed attempt and the wait, for logs and metrics; `nil` by
    /// default.
    ///
    /// It is called on the task of the request, which waits until it returns. A download does not call it when it
    /// resumes.
    public var onRetry: (@Sendable (FailedAttempt, Duration) -> Void)?
    /// The clock for the waits between attempts.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Returns the current date, for servers that specify a date until which to wait.
    public var now: @Sendable () -> Date = { Date() }
    /// The source of random numbers from 0 to 1. Numbers outside this range count as the nearest bound, and NaN as 1.
    public var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// Creates a policy with this growth of the waits and this maximum number of attempts.
    public init(backoff: Backoff, maximumAttempts: Int = 3) {
        self.backoff = backoff
        self.maximumAttempts = maximumAttempts
    }
}

extension RetryPolicy {
    /// A policy without retries, with which a service disables the policy of the request's class.
    public static let never = RetryPolicy(backoff: .immediate, maximumAttempts: 1)
    /// A policy that sends a request again immediately.
    public static let immediate = RetryPolicy(backoff: .immediate)

    /// Returns a policy that sends a request again after the same wait each time.
    public static func constant(_ wait: Duration, maximumAttempts: Int = 3) -> RetryPolicy {
        RetryPolicy(backoff: .constant(wait), maximumAttempts: maximumAttempts)
    }

    /// Returns a policy that sends a request again after waits that grow, with full jitter.
    public static func exponential(
        base: Duration = .milliseconds(100), factor: Double = 2, maximumAttempts: Int = 3
    ) -> RetryPolicy {
        RetryPolicy(backoff: .exponential(base: base, factor: factor), maximumAttempts: maximumAttempts)
    }

    /// Returns a policy that sends a request again after waits that grow, with decorrelated jitter.
    public static func decorrelated(
        base: Duration = .milliseconds(100), factor: Double = 3, maximumAttempts: Int = 3
    ) -> RetryPolicy {
        RetryPolicy(backoff: .decorrelated(base: base, factor: factor), maximumAttempts: maximumAttempts)
    }

    /// Returns the request, with an `Idempotency-Key` header field if the policy adds one.
    func prepare(_ request: TransportRequest) -> TransportRequest {
        guard addsIdempotencyKey, !isSafeToRepeat(request.urlRequest) else { return request }
        var request = request
        request.urlRequest.setValue("\"\(UUID().uuidString.lowercased())\"", forHTTPHeaderField: Self.keyField)
        return request
    }

    /// Creates a retrier for this policy, and makes a deposit in the budget if there is one.
    func makeRetrier() -> any Retrier {
        budget?.deposit()
        return PolicyRetrier(policy: self)
    }

    private static let keyField = "Idempotency-Key"

    /// Returns `true` if repeating the request has no additional effect on the server.
    func isSafeToRepeat(_ request: URLRequest) -> Bool {
        methods.contains(RequestMethod(rawValue: request.httpMethod ?? "GET"))
            || request.value(forHTTPHeaderField: Self.keyField) != nil
    }

    /// Returns `true` if the failure may be transient.
    fileprivate func isTemporary(_ outcome: Result<DataResponse, any Error>) -> Bool {
        switch outcome {
        case .success(let response): statusCodes.contains(response.statusCode)
        case .failure(let error): error.transportCode.map(errorCodes.contains) ?? false
        }
    }

    /// Returns the wait that the server asks for. `Retry-After` has precedence over the quota.
    fileprivate func requestedWait(in response: DataResponse?) -> Duration? {
        guard let response, maximumServerWait > .zero else { return nil }
        let now = now()
        return response.headers.retryAfter(now: now)
            ?? response.headers.rateLimitReset(statusCode: response.statusCode, now: now)
    }
}

/// The retrier of one request: applies a ``RetryPolicy`` with a ``RetrySchedule``.
private final class PolicyRetrier: Retrier {
    private let policy: RetryPolicy
    private let schedule: Locked<RetrySchedule>

    init(policy: RetryPolicy) {
        self.policy = policy
        schedule = Locked(RetrySchedule(policy))
    }

    func decide(after attempt: FailedAttempt) async -> RetryDecision {
        guard policy.isTemporary(attempt.outcome), attempt.number < policy.maximumAttempts else { return .stop }
        let request = attempt.request.urlRequest
        guard policy.isSafeToRepeat(request) else { return .methodNotRepeatable(request.httpMethod ?? "GET") }
        guard attempt.request.canBeSentAgain else { return .bodyNotRepeatable }
        let serverWait = policy.requestedWait(in: attempt.response)
        let chance = policy.random()
        let decision = schedule.withLock { $0.decide(serverWait: serverWait, chance: chance) }
        guard case .retry(let wait) = decision else { return decision }
        guard attempt.timeLeft.map({ $0 > wait }) ?? true else { return .outOfTime }
        // Checked last, so that a token is taken only if the request is repeated. Therefore this method also checks the
        // body and the time, as the interceptor does after each retrier.
        guard policy.budget?.withdraw() ?? true else { return .budgetIsUsedUp }
        return decision
    }
}

/// The waits of one request: the part of a ``RetryPolicy`` that changes between attempts.
package struct RetrySchedule: Sendable {
    private let backoff: RetryPolicy.Backoff
    private let maximumWait: Duration
    private let maximumServerWait: Duration
    private let maximumTotalWait: Duration
    /// The number of waits so far.
    private var waits = 0
    /// The last wait of the backoff, before the server's wait was applied.
    private var previous: Duration?
    /// The total of the waits so far.
    private var total = Duration.zero

    package init(_ policy: RetryPolicy) {
        backoff = policy.backoff
        maximumWait = policy.maximumWait.asWait
        maximumServerWait = policy.maximumServerWait.asWait
        maximumTotalWait = policy.maximumTotalWait.asWait
    }

    /// Creates a schedule with any number of waits, such as for reconnections.
    package init(reconnecting backoff: RetryPolicy.Backoff, maximumWait: Duration) {
        var policy = RetryPolicy(backoff: backoff)
        policy.maximumWait = maximumWait
        policy.maximumTotalWait = .seconds(Int64.max)
        self.init(policy)
    }

    /// Returns the next wait, or a decision to stop: if the server asks for a longer wait than allowed, or the total of
    /// the waits is too long.
    ///
    /// - Parameters:
    ///   - serverWait: The wait that the server asks for.
    ///   - chance: A random number from 0 to 1.
    mutating func decide(serverWait: Duration?, chance: Double) -> RetryDecision {
        let serverWait = serverWait?.asWait ?? .zero
        guard serverWait <= maximumServerWait else { return .serverAsksForTooLong }
        let chance = chance.isNaN ? 1 : min(max(chance, 0), 1)
        let backoffWait = min(nextBackoff(chance: chance), maximumWait)
        let wait = max(backoffWait, serverWait)
        guard total + wait <= maximumTotalWait else { return .waitsAreUsedUp }
        waits += 1
        previous = backoffWait
        total += wait
        return .retry(after: wait)
    }

    /// Returns the next wait; `nil` if the request is not repeated.
    package mutating func next(serverWait: Duration?, chance: Double) -> Duration? {
        guard case .retry(let wait) = decide(serverWait: serverWait, chance: chance) else { return nil }
        return wait
    }

    /// Returns the next wait of the backoff, before ``maximumWait`` limits it.
    private func nextBackoff(chance: Double) -> Duration {
        switch backoff {
        case .immediate: return .zero
        case .constant(let wait): return wait.asWait
        case .exponential(let base, let factor):
            let ceiling = base.asWait.times(pow(factor.asFactor, Double(waits)), atMost: maximumWait)
            return ceiling.times(chance, atMost: ceiling)
        case .decorrelated(let base, let factor):
            let base = min(base.asWait, maximumWait)
            // The cap is applied after the draw, as in the source. Therefore, many long waits are equal to the cap.
            let ceiling = max(base, (previous ?? base).times(factor.asFactor, atMost: .century))
            return base + (ceiling - base).times(chance, atMost: .century)
        }
    }
}

extension Duration {
    /// The longest wait, a hundred years: clocks trap when they add longer durations to an instant.
    fileprivate static let century = Duration.seconds(Int64.max).bounded

    /// This duration, limited to the range from zero to ``century``.
    fileprivate var asWait: Duration { Swift.max(.zero, bounded) }

    /// Multiplies by a factor. The limit is applied before the conversion to `Duration`, which cannot hold every
    /// `Double`.
    fileprivate func times(_ factor: Double, atMost limit: Duration) -> Duration {
        let seconds = self / .seconds(1) * factor
        // Zero times infinity is NaN.
        guard !seconds.isNaN else { return .zero }
        return seconds < limit / .seconds(1) ? .seconds(seconds) : limit
    }
}

extension Double {
    /// This number as a factor by which waits grow; 1 if it is less, or NaN.
    fileprivate var asFactor: Double { isNaN ? 1 : Swift.max(1, self) }
}
