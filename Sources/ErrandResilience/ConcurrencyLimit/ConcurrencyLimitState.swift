import Errand

/// The state machine of ``ConcurrencyLimit``: the running and waiting requests of each account, which is a name of the
/// scope.
struct ConcurrencyLimitState: AdmissionPolicy {
    /// An account with running or waiting requests.
    struct Account {
        /// The start times of the running requests, by ticket.
        var running: [Int: Duration] = [:]
        var line: WaitingLine
    }

    private let initial: AdaptiveLimit
    private let queueLimit: Int
    private let ageing: Duration?

    private(set) var accounts: [String: Account] = [:]
    /// The limits that have been learned.
    private var limits: [String: AdaptiveLimit] = [:]
    /// The number of learned limits above which those of idle accounts are discarded.
    private var maximumLimits = 64
    /// The account of each waiting or running request.
    private(set) var names: [Int: String] = [:]
    /// Remembers the time to which the alarm is set, so that it is set only when the time changes.
    private var alarm = AlarmPlan()

    init(limit: Int, queueLimit: Int, ageing: Duration? = nil) {
        self.init(AdaptiveLimit(limit, in: limit...limit, decrease: 1), queueLimit: queueLimit, ageing: ageing)
    }

    init(_ initial: AdaptiveLimit, queueLimit: Int, ageing: Duration? = nil) {
        self.initial = initial
        self.queueLimit = queueLimit
        self.ageing = ageing
    }

    /// Returns the limit for the running requests of an account.
    func limit(of account: String) -> Int { (limits[account] ?? initial).limit }

    mutating func arrive(_ arrival: Arrival, now: Duration) -> [TurnAction] {
        var actions = advance(arrival.account, now: now)
        var account = accounts[arrival.account] ?? Account(line: WaitingLine(ageing: ageing))
        let hasRoom = account.running.count < limit(of: arrival.account) && account.line.isEmpty
        if !hasRoom, let (ticket, refusal) = makeRoom(for: arrival, in: &account, now: now) {
            names[ticket] = nil
            actions.append(.refuse(ticket, refusal))
            if ticket == arrival.ticket { return actions + plan() }
        }
        names[arrival.ticket] = arrival.account
        // A request for which there is room needs no deadline, because it is admitted immediately.
        account.line.join(
            arrival.ticket, priority: arrival.priority, deadline: hasRoom ? nil : arrival.deadline, now: now)
        accounts[arrival.account] = account
        actions += advance(arrival.account, now: now)
        return actions + plan()
    }

    mutating func withdraw(_ ticket: Int, now: Duration) -> [TurnAction] {
        finish(ticket, now: now)
    }

    /// Adjusts the limit of an account by the outcome of a running request.
    ///
    /// - Parameter slowAfter: The duration above which a request counts as a sign of overload.
    mutating func learn(from ticket: Int, isOverload: Bool, slowAfter: Duration?, now: Duration) -> [TurnAction] {
        guard let name = names[ticket], let account = accounts[name], let began = account.running[ticket] else {
            return []
        }
        let isSlow = slowAfter.map { now - began > $0 } ?? false
        forgetLimits()
        limits[name, default: initial]
            .learn(isOverload: isOverload || isSlow, began: began, running: account.running.count, now: now)
        return advance(name, now: now) + plan()
    }

    mutating func finish(_ ticket: Int, now: Duration) -> [TurnAction] {
        guard let name = names.removeValue(forKey: ticket) else { return [] }
        accounts[name]?.running[ticket] = nil
        accounts[name]?.line.leave(ticket)
        return advance(name, now: now) + plan()
    }

    mutating func wake(now: Duration) -> [TurnAction] {
        alarm.hasGoneOff()
        return accounts.keys.sorted().flatMap { advance($0, now: now) } + plan()
    }

    /// Returns the request that is refused because the arriving one must wait: that one, or one of a lower priority,
    /// which has left the queue; `nil` if there is room in the queue.
    private func makeRoom(
        for arrival: Arrival, in account: inout Account, now: Duration
    ) -> (ticket: Int, refusal: Refusal)? {
        if let deadline = arrival.deadline, deadline <= now { return (arrival.ticket, .timeIsOver) }
        return account.line.makeRoom(for: arrival, limit: queueLimit)
    }

    /// Refuses the waiting requests whose deadline has passed, and admits others while the limit allows it.
    private mutating func advance(_ name: String, now: Duration) -> [TurnAction] {
        guard var account = accounts[name] else { return [] }
        let expired = account.line.takeExpired(at: now)
        for ticket in expired { names[ticket] = nil }
        var actions: [TurnAction] = expired.map { .refuse($0, .timeIsOver) }
        let limit = limit(of: name)
        while account.running.count < limit, let ticket = account.line.takeFirst(now: now) {
            account.running[ticket] = now
            actions.append(.admit(ticket))
        }
        accounts[name] = account.running.isEmpty && account.line.isEmpty ? nil : account
        return actions
    }

    /// Returns the action that sets the alarm to the next deadline, if it is not set already.
    private mutating func plan() -> [TurnAction] {
        let deadlines = accounts.values.compactMap(\.line.earliestDeadline)
        return alarm.plan(deadlines.min()).map { [.setAlarm($0)] } ?? []
    }

    private mutating func forgetLimits() {
        guard limits.count > maximumLimits else { return }
        limits = limits.filter { accounts[$0.key] != nil }
        maximumLimits = max(64, 2 * limits.count)
    }
}

/// The number of concurrent requests that a server handles, found by additive increase and multiplicative decrease.
/// TCP's congestion avoidance uses the same algorithm (RFC 5681, section 3.1).
struct AdaptiveLimit: Hashable, Sendable {
    private let range: ClosedRange<Int>
    private let decrease: Double
    private var value: Double
    /// The time of the last decrease. Requests that did not begin later belong to an overload that is already handled.
    private var lastDecrease: Duration?

    /// - Parameter decrease: The factor by which an overload multiplies the limit, from 0 to 1.
    init(_ initial: Int, in range: ClosedRange<Int>, decrease: Double) {
        self.range = range
        self.decrease = decrease
        value = Double(min(max(initial, range.lowerBound), range.upperBound))
    }

    /// The current limit, which is fractional inside. The upper bound is returned as it is, because not every `Int` is
    /// a `Double`.
    var limit: Int { value < Double(range.upperBound) ? Int(value) : range.upperBound }

    /// Adjusts the limit by the outcome of a request.
    ///
    /// - Parameters:
    ///   - began: The time when the request began.
    ///   - running: The number of concurrent requests, including this one. If less than half of the limit is in use, a
    ///     success says nothing about the server.
    mutating func learn(isOverload: Bool, began: Duration, running: Int, now: Duration) {
        if isOverload {
            if let lastDecrease, began <= lastDecrease { return }
            value = max(value * decrease, Double(range.lowerBound))
            lastDecrease = now
        } else if running * 2 >= limit {
            // As many successes as there are places add about 1 together.
            value = min(value + 1 / value, Double(range.upperBound))
        }
    }
}
