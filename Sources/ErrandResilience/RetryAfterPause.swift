public import Errand

/// An interceptor that delays all requests to a server while the server asks to wait, not only the request that got the
/// `Retry-After`.
///
/// ```swift
/// class LibraryAPI: APIBase {
///     static let pause = RetryAfterPause()
///     override init() {
///         super.init()
///         retryPolicy = .exponential()
///         interceptors = [Self.pause]
///     }
/// }
/// ```
///
/// A response begins a pause if its status is 429 or 503, and it has a `Retry-After` header field (RFC 9110, section
/// 10.2.3) or `RateLimit` header fields whose quota is used up. The pause applies to all requests with the same name in
/// the scope; by default, to those of the same origin. Requests during the pause wait for its end; those with a higher
/// ``/Errand/RequestPriority`` go first. A response that asks for a later end extends the pause. No response delays
/// requests for more than one day.
///
/// A request fails immediately with `rateLimited` if it would wait longer than ``maximumWait`` or its
/// ``/Errand/APIBase/resourceTimeout``, or if ``queueLimit`` requests already wait and none has a lower priority. It
/// fails later if its wait becomes too long. The time spent waiting counts towards the resource timeout. A request for
/// a new token does not wait, because a request that is sent after the pause may need the token.
///
/// After a pause, the waiting requests are not sent all at once, because many servers accept only one request at that
/// time. One is sent, and each response or failure sends the next one. Every fourth response with a status other than
/// 429 and 503 allows one more at the same time. A response that asks to wait begins another pause. The request whose
/// response began a pause receives that response; a ``/Errand/RetryPolicy`` can send it again.
///
/// List a ``RateLimit`` or ``ConcurrencyLimit`` before this interceptor. In the other order, a request that waits at
/// the limit has passed the pause already, and would be sent during a pause that begins meanwhile.
///
/// All requests that list the same object share its pauses.
public final class RetryAfterPause: Interceptor {
    /// The longest time that a request waits, also for its turn after a pause.
    public let maximumWait: Duration
    /// The maximum number of waiting requests, for each name of the scope.
    public let queueLimit: Int
    private let queue: AdmissionQueue<RetryAfterPauseState>
    private let now: @Sendable () -> Date

    /// Creates the interceptor, without a pause.
    ///
    /// - Parameters:
    ///   - maximumWait: The longest time that a request waits; a minute by default. During a longer pause, requests
    ///     fail immediately.
    ///   - scope: The requests that share a pause.
    ///   - queueLimit: The maximum number of waiting requests; 1,000 by default, and less than 0 counts as 0.
    ///   - clock: The clock for the waits.
    ///   - now: Returns the current time, for header fields with a date.
    public init(
        maximumWait: Duration = .seconds(60), scope: LimitScope = .origin, queueLimit: Int = 1000,
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.maximumWait = max(maximumWait.bounded, .zero)
        self.queueLimit = max(queueLimit, 0)
        self.now = now
        let machine = RetryAfterPauseState(
            maximumWait: max(maximumWait.bounded, .zero), queueLimit: max(queueLimit, 0))
        queue = AdmissionQueue(machine, scope: scope, refusalCode: .rateLimited, clock: clock)
    }

    /// The number of requests that wait now, for all names of the scope.
    public var waitingCount: Int { queue.waitingCount }

    /// As listed: it adds no credentials.
    public var placement: InterceptorPlacement { .asListed }

    /// Waits for the end of a pause, sends the request, and begins a pause if the response asks for it.
    ///
    /// - Throws: ``/Errand/ErrandError`` with `rateLimited` or `cancelled` if nothing was sent; otherwise the errors of
    ///   `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        // The request that is sent alone after a pause may wait for the token that this request gets.
        if ProviderCall.isActive { return try await next(request) }
        let turn = try await queue.enter(request)
        defer { queue.finish(turn.ticket) }
        let response = try await next(turn.request)
        if [429, 503].contains(response.statusCode) {
            if let wait = requestedWait(in: response) {
                queue.update { machine, now in machine.pause(turn.account, for: wait, now: now) }
            }
        } else {
            queue.update { machine, now in machine.succeed(turn.ticket, now: now) }
        }
        return response
    }

    /// Returns the time for which a response with the status 429 or 503 asks to wait; `nil` if it is from a cache or
    /// names none.
    private func requestedWait(in response: DataResponse) -> Duration? {
        guard response.source == .network else { return nil }
        let now = now()
        return response.headers.retryAfter(now: now)
            ?? response.headers.rateLimitReset(statusCode: response.statusCode, now: now)
    }
}

/// The state machine of ``RetryAfterPause``: for each account, which is a name of the scope, the end of its pause and
/// the waiting requests.
///
/// After a pause, the account recovers: one request is sent, and each response or failure sends the next one. Every
/// fourth success allows one more at the same time. The account has recovered when, after a success, no request runs or
/// waits.
struct RetryAfterPauseState: AdmissionPolicy {
    /// An account that pauses or recovers.
    struct Account {
        /// The end of the pause.
        var end: Duration
        var line = WaitingLine()
        /// The requests without a response that were sent after the pause.
        var running: Set<Int> = []
        /// The number of responses after the pause that do not reject the request.
        var successes = 0

        /// Whether another request may be sent.
        var hasRoom: Bool { running.count < 1 + successes / 4 }
        var isIdle: Bool { running.isEmpty && line.isEmpty }
    }

    /// A limit for the length of a pause. Otherwise one wrong response could stop all requests for good.
    private static let longestPause = Duration.seconds(86_400)

    private let maximumWait: Duration
    private let queueLimit: Int

    private(set) var accounts: [String: Account] = [:]
    /// The account of each waiting request, and of each running one of a recovering account.
    private(set) var names: [Int: String] = [:]
    /// Remembers the time to which the alarm is set, so that it is set only when the time changes.
    private var alarm = AlarmPlan()

    init(maximumWait: Duration, queueLimit: Int) {
        self.maximumWait = maximumWait
        self.queueLimit = queueLimit
    }

    /// Begins or extends a pause. Requests that were sent before it no longer count toward the recovery after it.
    /// Waiting requests whose deadline does not come after its new end fail.
    mutating func pause(_ name: String, for wait: Duration, now: Duration) -> [TurnAction] {
        let end = now + min(wait, Self.longestPause)
        guard end > now, end > accounts[name]?.end ?? .zero else { return [] }
        forgetIdleAccounts(now: now)
        var account = accounts[name] ?? Account(end: end)
        account.end = end
        account.successes = 0
        for ticket in account.running { names[ticket] = nil }
        account.running = []
        let expired = account.line.takeExpired(at: end)
        for ticket in expired { names[ticket] = nil }
        accounts[name] = account
        let refusal: Refusal = end - now > maximumWait ? .serverAsksForTooLong(end - now) : .recoveryTakesTooLong
        return expired.map { .refuse($0, refusal) } + plan(now: now)
    }

    mutating func arrive(_ arrival: Arrival, now: Duration) -> [TurnAction] {
        guard var account = accounts[arrival.account] else { return [.admit(arrival.ticket)] }
        var actions: [TurnAction] = []
        if let (ticket, refusal) = makeRoom(for: arrival, in: &account, now: now) {
            names[ticket] = nil
            actions.append(.refuse(ticket, refusal))
            if ticket == arrival.ticket { return actions }
        }
        names[arrival.ticket] = arrival.account
        // The limit is inclusive: a wait of exactly `maximumWait` is allowed.
        let limit = now + maximumWait + .nanoseconds(1)
        account.line.join(
            arrival.ticket, priority: arrival.priority, deadline: min(arrival.deadline ?? limit, limit))
        accounts[arrival.account] = account
        return actions + advance(arrival.account, now: now) + plan(now: now)
    }

    mutating func withdraw(_ ticket: Int, now: Duration) -> [TurnAction] {
        finish(ticket, now: now)
    }

    /// Records a response that does not reject its request.
    mutating func succeed(_ ticket: Int, now: Duration) -> [TurnAction] {
        guard let name = names[ticket] else { return [] }
        accounts[name]?.successes += 1
        return finish(ticket, now: now)
    }

    mutating func finish(_ ticket: Int, now: Duration) -> [TurnAction] {
        guard let name = names.removeValue(forKey: ticket) else { return [] }
        accounts[name]?.running.remove(ticket)
        accounts[name]?.line.leave(ticket)
        return advance(name, now: now) + plan(now: now)
    }

    mutating func wake(now: Duration) -> [TurnAction] {
        alarm.hasGoneOff()
        return accounts.keys.sorted().flatMap { advance($0, now: now) } + plan(now: now)
    }

    /// Returns the request that is refused because of the arriving one: that one, or one of a lower priority, which has
    /// left the queue; `nil` if there is room.
    private func makeRoom(
        for arrival: Arrival, in account: inout Account, now: Duration
    ) -> (ticket: Int, refusal: Refusal)? {
        let wait = account.end - now
        if wait > maximumWait { return (arrival.ticket, .serverAsksForTooLong(wait)) }
        if let deadline = arrival.deadline, deadline <= max(account.end, now) {
            return (arrival.ticket, .turnComesTooLate(max(wait, .zero)))
        }
        let mustWait = wait > .zero || !account.hasRoom || !account.line.isEmpty
        return mustWait ? account.line.makeRoom(for: arrival, limit: queueLimit) : nil
    }

    /// After a pause, refuses the requests that have waited for too long, and admits others while there is room.
    private mutating func advance(_ name: String, now: Duration) -> [TurnAction] {
        guard var account = accounts[name], account.end <= now else { return [] }
        let expired = account.line.takeExpired(at: now)
        for ticket in expired { names[ticket] = nil }
        var actions: [TurnAction] = expired.map { .refuse($0, .recoveryTakesTooLong) }
        while account.hasRoom, let ticket = account.line.takeFirst() {
            account.running.insert(ticket)
            actions.append(.admit(ticket))
        }
        // Without a success after the pause, the account has not recovered.
        accounts[name] = account.isIdle && account.successes > 0 ? nil : account
        return actions
    }

    /// Returns the action that sets the alarm to the next end of a pause or deadline, if it is not set already.
    private mutating func plan(now: Duration) -> [TurnAction] {
        let times = accounts.values.compactMap { account in
            account.line.isEmpty ? nil : account.end > now ? account.end : account.line.earliestDeadline
        }
        return alarm.plan(times.min()).map { [.setAlarm($0)] } ?? []
    }

    /// Forgets accounts without running and waiting requests, if the longest wait has passed since their pause.
    private mutating func forgetIdleAccounts(now: Duration) {
        accounts = accounts.filter { !$0.value.isIdle || now < $0.value.end + maximumWait }
    }
}
