/// The state machine of ``ConcurrencyLimit``: for each account of the scope how many are under way, and who waits.
struct ConcurrencyLimitState: TurnTaking {
    private struct Account {
        /// When each of those under way began.
        var running: [Int: Duration] = [:]
        var line: WaitingLine
    }

    private let initial: AdaptiveLimit
    private let queueLimit: Int
    private let ageing: Duration?

    private var accounts: [String: Account] = [:]
    /// The limits that have been learned.
    private var limits: [String: AdaptiveLimit] = [:]
    /// When there are more learned limits than this, those of idle accounts are forgotten.
    private var limitCount = 64
    /// The account of everybody who waits or is under way.
    private var names: [Int: String] = [:]
    private var alarm = AlarmPlan()

    init(limit: Int, queueLimit: Int, ageing: Duration? = nil) {
        self.init(AdaptiveLimit(limit, in: limit...limit, decrease: 1), queueLimit: queueLimit, ageing: ageing)
    }

    init(_ initial: AdaptiveLimit, queueLimit: Int, ageing: Duration? = nil) {
        self.initial = initial
        self.queueLimit = queueLimit
        self.ageing = ageing
    }

    /// How many are under way.
    var runningCount: Int { accounts.values.reduce(0) { $0 + $1.running.count } }
    /// Whether nobody is under way or waits.
    var isEmpty: Bool { accounts.isEmpty && names.isEmpty }

    /// How many may be under way in an account.
    func limit(of account: String) -> Int { (limits[account] ?? initial).limit }

    mutating func arrive(_ arrival: Arrival, now: Duration) -> [TurnAction] {
        var actions = advance(arrival.account, now: now)
        var account = accounts[arrival.account] ?? Account(line: WaitingLine(ageing: ageing))
        let hasRoom = account.running.count < limit(of: arrival.account) && account.line.isEmpty
        if !hasRoom, let refusal = refusal(of: arrival, in: &account, now: now, &actions) {
            return actions + [.refuse(arrival.ticket, refusal)] + plan()
        }
        names[arrival.ticket] = arrival.account
        account.line.join(
            arrival.ticket, priority: arrival.priority, deadline: hasRoom ? nil : arrival.deadline, now: now)
        accounts[arrival.account] = account
        actions += advance(arrival.account, now: now)
        return actions + plan()
    }

    mutating func withdraw(_ ticket: Int, now: Duration) -> [TurnAction] {
        finish(ticket, now: now)
    }

    /// A request under way has its response, or failed: what that says about the server.
    ///
    /// - Parameter slowAfter: How long a request may take that is no overload.
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

    /// Why a request may not wait. Where the line is full, one of a lower priority gives way to it.
    private mutating func refusal(
        of arrival: Arrival, in account: inout Account, now: Duration, _ actions: inout [TurnAction]
    ) -> Refusal? {
        if let deadline = arrival.deadline, deadline <= now { return .timeIsOver }
        guard account.line.count >= queueLimit else { return nil }
        guard let other = account.line.takeLast(below: arrival.priority) else {
            return .queueIsFull(account.line.count)
        }
        names[other] = nil
        actions.append(.refuse(other, .gaveWay))
        return nil
    }

    /// Refuses whoever is late, and admits whoever there is a place for.
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

    private mutating func plan() -> [TurnAction] {
        let deadlines = accounts.values.compactMap(\.line.earliestDeadline)
        return alarm.plan(deadlines.min()).map { [.setAlarm($0)] } ?? []
    }

    private mutating func forgetLimits() {
        guard limits.count > limitCount else { return }
        limits = limits.filter { accounts[$0.key] != nil }
        limitCount = max(64, 2 * limits.count)
    }
}
