public import Errand

/// An interceptor that limits the rate of requests. Further requests wait for their turn.
///
/// ```swift
/// class LibraryAPI: APIBase {
///     static let rateLimit = RateLimit(requests: 10, per: .seconds(1))
///     override init() {
///         super.init()
///         interceptors = [Self.rateLimit]
///     }
/// }
/// ```
///
/// It is a token bucket with `burst` tokens. A request takes one, and tokens are added evenly, `requests` in each
/// `duration`. After a pause, `requests` plus `burst` requests may therefore be sent within one `duration`; for a
/// server that counts strictly, choose a small burst. Without a token, a request waits: a higher
/// ``/Errand/RequestPriority`` comes first, and within one priority the earlier request. A request that is cancelled
/// while it waits takes no token. The request for a new access token is limited like any other.
///
/// A request fails immediately with `rateLimited` if ``queueLimit`` requests already wait, or if its turn would come
/// after its ``/Errand/APIBase/resourceTimeout``. A request whose time passes while others overtake it fails in the
/// same way. In a full queue, a request of a higher priority replaces the last one of the lowest priority. The waiting
/// time is subtracted from the request's time.
///
/// All requests that list the same object share it. Unlike ``ConcurrencyLimit``, it ignores the duration of requests.
public final class RateLimit: Interceptor {
    /// The maximum number of waiting requests for each name of the scope.
    public let queueLimit: Int
    private let queue: AdmissionQueue<RateLimitState>

    /// Creates a rate limit.
    ///
    /// - Parameters:
    ///   - requests: The number of requests in each `duration`; less than 1 counts as 1.
    ///   - duration: The time for that number of requests; zero or less means no limit.
    ///   - burst: The number of requests that may be sent at once after a pause; `nil` means `requests`. Less than 1
    ///     counts as 1, and more than 1,000,000 as 1,000,000.
    ///   - scope: The requests that are limited together.
    ///   - queueLimit: The maximum number of waiting requests; a negative value counts as 0.
    ///   - ageing: The waiting time after which a request counts as one priority higher. `nil`, the default, and zero
    ///     or less mean never.
    ///   - clock: The clock for these times.
    public init(
        requests: Int, per duration: Duration, burst: Int? = nil, scope: LimitScope = .all, queueLimit: Int = 1000,
        ageing: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.queueLimit = max(queueLimit, 0)
        let machine = RateLimitState(
            requests: requests, per: duration, burst: burst ?? requests, queueLimit: max(queueLimit, 0),
            ageing: ageing.flatMap { $0 > .zero ? $0 : nil })
        queue = AdmissionQueue(machine, scope: scope, refusalCode: .rateLimited, clock: clock)
    }

    /// The number of requests that currently wait, for all names of the scope.
    public var waitingCount: Int { queue.waitingCount }

    /// As listed: it adds no credentials.
    public var placement: InterceptorPlacement { .asListed }

    /// Waits for a token, and sends the request.
    ///
    /// - Throws: ``/Errand/ErrandError`` with `rateLimited` or `cancelled` if nothing was sent, or the error of `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let turn = try await queue.enter(request)
        queue.finish(turn.ticket)
        return try await next(turn.request)
    }
}

/// The state machine of ``RateLimit``, with a bucket and a queue for each name of the scope.
///
/// A bucket is represented by the time when it will be full again. Taking a token delays this time by one interval. The
/// bucket is empty if this time is as far away as the whole burst. This is the generic cell rate algorithm of ITU-T
/// I.371, a token bucket without a counter.
struct RateLimitState: AdmissionPolicy {
    struct Bucket {
        /// The time when the bucket will be full, or has become full.
        var fullAt = Duration.zero
        var line: WaitingLine
    }

    /// The time after which a token is added.
    private let interval: Duration
    /// A token can be taken if the bucket will be full within this time.
    private let tolerance: Duration
    private let queueLimit: Int
    private let ageing: Duration?

    private(set) var buckets: [String: Bucket] = [:]
    /// The number of buckets above which full ones are discarded.
    private var bucketLimit = 64
    /// The accounts with waiting requests. An account is a name of the scope.
    private var crowded: Set<String> = []
    /// The account of each request that waits, or that was admitted and not yet informed.
    private var accounts: [Int: String] = [:]
    /// Remembers the time to which the alarm is set, so that it is set only when the time changes.
    private var alarm = AlarmPlan()

    init(requests: Int, per duration: Duration, burst: Int, queueLimit: Int, ageing: Duration? = nil) {
        interval = max(duration.bounded, .zero) / max(requests, 1)
        // The limit of 1,000,000 prevents an overflow in calculations with this duration.
        tolerance = interval * (min(max(burst, 1), 1_000_000) - 1)
        self.queueLimit = queueLimit
        self.ageing = ageing
    }

    mutating func arrive(_ arrival: Arrival, now: Duration) -> [TurnAction] {
        forgetFullBuckets(now: now)
        var actions = advance(arrival.account, now: now)
        var bucket = buckets[arrival.account] ?? Bucket(line: WaitingLine(ageing: ageing))
        let isFree = bucket.line.isEmpty && nextTurn(of: bucket) <= now
        if !isFree, let (ticket, refusal) = makeRoom(for: arrival, in: &bucket, now: now) {
            accounts[ticket] = nil
            actions.append(.refuse(ticket, refusal))
            if ticket == arrival.ticket { return actions + plan() }
        }
        accounts[arrival.ticket] = arrival.account
        // A request for which there is a token needs no deadline, because it is admitted immediately.
        bucket.line.join(
            arrival.ticket, priority: arrival.priority, deadline: isFree ? nil : arrival.deadline, now: now)
        buckets[arrival.account] = bucket
        actions += advance(arrival.account, now: now)
        return actions + plan()
    }

    mutating func withdraw(_ ticket: Int, now: Duration) -> [TurnAction] {
        guard let account = accounts.removeValue(forKey: ticket), var bucket = buckets[account] else { return [] }
        // An admitted request returns its token.
        if !bucket.line.leave(ticket) { bucket.fullAt -= interval }
        buckets[account] = bucket
        return advance(account, now: now) + plan()
    }

    mutating func finish(_ ticket: Int, now: Duration) -> [TurnAction] {
        accounts[ticket] = nil
        return []
    }

    mutating func wake(now: Duration) -> [TurnAction] {
        alarm.hasGoneOff()
        return crowded.sorted().flatMap { advance($0, now: now) } + plan()
    }

    /// Returns the request that is refused because the arriving one must wait: that one, or one of a lower priority,
    /// which has left the queue; `nil` if there is room in the queue.
    private func makeRoom(
        for arrival: Arrival, in bucket: inout Bucket, now: Duration
    ) -> (ticket: Int, refusal: Refusal)? {
        let turn = nextTurn(of: bucket) + interval * bucket.line.count(before: arrival.priority)
        if let deadline = arrival.deadline, turn >= deadline { return (arrival.ticket, .turnComesTooLate(turn - now)) }
        return bucket.line.makeRoom(for: arrival, limit: queueLimit)
    }

    /// Returns the time of the next token.
    private func nextTurn(of bucket: Bucket) -> Duration { bucket.fullAt - tolerance }

    /// Refuses requests whose time has passed, and admits requests for which there is a token.
    private mutating func advance(_ account: String, now: Duration) -> [TurnAction] {
        guard var bucket = buckets[account] else { return [] }
        let expired = bucket.line.takeExpired(at: now)
        for ticket in expired { accounts[ticket] = nil }
        var actions: [TurnAction] = expired.map { .refuse($0, .timeIsOver) }
        while nextTurn(of: bucket) <= now, let ticket = bucket.line.takeFirst(now: now) {
            bucket.fullAt = max(bucket.fullAt, now) + interval
            actions.append(.admit(ticket))
        }
        buckets[account] = bucket
        if bucket.line.isEmpty { crowded.remove(account) } else { crowded.insert(account) }
        return actions
    }

    /// Returns the action that sets the alarm to the next token or deadline, if it is not set already.
    private mutating func plan() -> [TurnAction] {
        let times = crowded.compactMap { buckets[$0] }.map { bucket in
            min(nextTurn(of: bucket), bucket.line.earliestDeadline ?? nextTurn(of: bucket))
        }
        return alarm.plan(times.min()).map { [.setAlarm($0)] } ?? []
    }

    private mutating func forgetFullBuckets(now: Duration) {
        guard buckets.count > bucketLimit else { return }
        buckets = buckets.filter { $0.value.fullAt > now || !$0.value.line.isEmpty }
        bucketLimit = max(64, 2 * buckets.count)
    }
}
