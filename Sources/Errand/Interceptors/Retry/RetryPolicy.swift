/// Which requests are sent again, how often, and after how long.
///
/// ```swift
/// retryPolicy = .exponential(base: .milliseconds(100))
/// ```
///
/// Sent again is what failed for a reason that may pass (``errorCodes``, ``statusCodes``), if doing it twice does no harm:
/// with a method of ``methods``, or with an `Idempotency-Key`. When the server says how long to wait, by `Retry-After` or
/// by its `RateLimit` fields, it is not asked before. What cannot be sent again fails as it did, and the error says why.
///
/// Nonsense is set right: counts below 1 are 1, negative waits are none, and factors below 1 or that are no numbers are 1.
public struct RetryPolicy: Sendable {
    /// How the waits grow.
    public enum Backoff: Hashable, Sendable {
        /// No wait.
        case immediate
        /// The same wait each time.
        case constant(Duration)
        /// A random part of a wait that grows by the factor each time: full jitter, as the AWS Architecture Blog defines
        /// it in "Exponential Backoff And Jitter".
        ///
        /// Clients that failed together do not come back together.
        case exponential(base: Duration, factor: Double = 2)
        /// A random wait from the base to so many times the last wait: decorrelated jitter, by the same source.
        ///
        /// Unlike ``exponential(base:factor:)``, it is never shorter than the base.
        case decorrelated(base: Duration, factor: Double = 3)
    }

    /// How the waits grow, before what the server asks for.
    public var backoff: Backoff
    /// How often a request is sent at most, the first time included; 3 by default.
    public var maximumAttempts: Int
    /// The longest wait of the backoff; 20 seconds by default.
    public var maximumWait = Duration.seconds(20)
    /// The longest wait that a server may ask for; 60 seconds by default.
    ///
    /// Where one asks for more, the request is not sent again. To wait longer, make ``maximumTotalWait`` longer too. With
    /// zero, servers are not heeded.
    public var maximumServerWait = Duration.seconds(60)
    /// The longest that all waits of one request may be together; 2 minutes by default. A wait that would make them
    /// longer is not begun.
    public var maximumTotalWait = Duration.seconds(120)
    /// The answers after which a request is sent again: 408, 425, 429, 500, 502, 503 and 504 by default.
    ///
    /// A status below 400 is no failure, also where it is listed.
    public var statusCodes = ErrandError.transientStatusCodes
    /// What the transport may have said for a request to be sent again: that there was no name, no connection, no
    /// network, none any more, or no answer in time.
    public var errorCodes = ErrandError.transientURLErrorCodes
    /// The methods that are sent again without an `Idempotency-Key`: those that are idempotent (RFC 9110, section 9.2.2).
    public var methods = RequestMethod.idempotent
    /// Whether a request with another method gets an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header), where
    /// it has none: a UUID in quotes, the same for all its attempts.
    ///
    /// The server has to know the field. A request that is started anew, as by `retry(_:)` of a pipeline, gets another.
    public var addsIdempotencyKey = false
    /// What keeps an outage from being multiplied; nil for nothing.
    ///
    /// It is an object: keep it in a `static let` or in the service, so that all requests share it.
    public var budget: RetryBudget?
    /// Who tells the time between attempts.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// What time it is, for servers that say until when to wait.
    public var now: @Sendable () -> Date = { Date() }
    /// Where chance comes from: numbers from 0 to 1. Others count as the nearest of these, and no number at all as 1.
    public var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// A policy that waits like this.
    public init(backoff: Backoff, maximumAttempts: Int = 3) {
        self.backoff = backoff
        self.maximumAttempts = maximumAttempts
    }
}

extension RetryPolicy {
    /// Nothing is sent again: for a service, to switch off what the class of a request says.
    public static let never = RetryPolicy(backoff: .immediate, maximumAttempts: 1)
    /// Sent again at once.
    public static let immediate = RetryPolicy(backoff: .immediate)

    /// Sent again after the same wait each time.
    public static func constant(_ wait: Duration, maximumAttempts: Int = 3) -> RetryPolicy {
        RetryPolicy(backoff: .constant(wait), maximumAttempts: maximumAttempts)
    }

    /// Sent again after waits that grow, with full jitter.
    public static func exponential(
        base: Duration = .milliseconds(100), factor: Double = 2, maximumAttempts: Int = 3
    ) -> RetryPolicy {
        RetryPolicy(backoff: .exponential(base: base, factor: factor), maximumAttempts: maximumAttempts)
    }

    /// Sent again after waits that grow, with decorrelated jitter.
    public static func decorrelated(
        base: Duration = .milliseconds(100), factor: Double = 3, maximumAttempts: Int = 3
    ) -> RetryPolicy {
        RetryPolicy(backoff: .decorrelated(base: base, factor: factor), maximumAttempts: maximumAttempts)
    }
}
