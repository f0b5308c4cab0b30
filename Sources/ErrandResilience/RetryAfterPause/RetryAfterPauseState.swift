import Errand

/// The state machine of ``RetryAfterPause``: for each account of the scope, the end of its pause and the waiting
/// requests.
///
/// After a pause, the account recovers: one request is sent, and each response sends the next one. Every fourth
/// response allows one more at the same time. The account has recovered when no request waits.
struct RetryAfterPauseState: AdmissionPolicy {
    /// An account that pauses or recovers.
    private struct Account {
        /// The end of the pause.
        var end: Duration
        var line = WaitingLine()
        /// The requests without a response that were sent after the pause.
        var running: Set<Int> = []
        /// The number of responses after the pause that do not reject the request.
        var successes = 0

        var hasRoom: Bool { running.count < 1 + successes / 4 }
        var isIdle: Bool { running.isEmpty && line.isEmpty }
    }

    /// A limit for the length of a pause. Otherwise one wrong response could stop all requests for good.
    private static let longestPause = Duration.seconds(86_400)

    private let maximumWait: Duration
    private let queueLimit: Int

    private var accounts: [String: Account] = [:]
    /// The account of each waiting request, and of each running one of a recovering account.
    private var names: [Int: String] = [:]
    private var alarm = AlarmPlan()

    init(maximumWait: Duration, queueLimit: Int) {
        self.maximumWait = maximumWait
        self.queueLimit = queueLimit
    }

    /// Whether no account pauses or recovers.
    var isEmpty: Bool { accounts.isEmpty && names.isEmpty }

    /// Begins or extends a pause.
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
        let refusal: Refusal =
            end - now > maximumWait ? .serverAsksForTooLong(end - now) : .recoveryTakesTooLong
        return expired.map { .refuse($0, refusal) } + plan(now: now)
    }

    mutating func arrive(_ arrival: Arrival, now: Duration) -> [TurnAction] {
        guard var account = accounts[arrival.account] else { return [.admit(arrival.ticket)] }
        var actions: [TurnAction] = []
        if let refusal = refusal(of: arrival, in: &account, now: now, &actions) {
            return actions + [.refuse(arrival.ticket, refusal)]
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

    /// Returns the reason why a request may not wait. If the line is full, a waiting request of a lower priority is
    /// refused in its place.
    private mutating func refusal(
        of arrival: Arrival, in account: inout Account, now: Duration, _ actions: inout [TurnAction]
    ) -> Refusal? {
        let wait = account.end - now
        if wait > maximumWait { return .serverAsksForTooLong(wait) }
        if let deadline = arrival.deadline, deadline <= max(account.end, now) {
            return .turnComesTooLate(max(wait, .zero))
        }
        let mustWait = wait > .zero || !account.hasRoom || !account.line.isEmpty
        guard mustWait, account.line.count >= queueLimit else { return nil }
        guard let other = account.line.takeLast(below: arrival.priority) else {
            return .queueIsFull(account.line.count)
        }
        names[other] = nil
        actions.append(.refuse(other, .displaced))
        return nil
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
        accounts[name] = account.isIdle && account.successes > 0 ? nil : account
        return actions
    }

    private mutating func plan(now: Duration) -> [TurnAction] {
        let times = accounts.values.compactMap { account in
            account.line.isEmpty ? nil : account.end > now ? account.end : account.line.earliestDeadline
        }
        return alarm.plan(times.min()).map { [.setAlarm($0)] } ?? []
    }

    /// Forgets accounts to which nothing was sent in the time after their pause.
    private mutating func forgetIdleAccounts(now: Duration) {
        accounts = accounts.filter { !$0.value.isIdle || now < $0.value.end + maximumWait }
    }
}
