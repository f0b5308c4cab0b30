/// The state machine of ``ConcurrencyLimit``: for each account of the scope how many are under way, and who waits.
struct ConcurrencyLimitState: TurnTaking {
    private struct Account {
        var running: Set<Int> = []
        var line = WaitingLine()
    }

    private let limit: Int
    private let queueLimit: Int

    private var accounts: [String: Account] = [:]
    /// The account of everybody who waits or is under way.
    private var names: [Int: String] = [:]
    private var alarm = AlarmPlan()

    init(limit: Int, queueLimit: Int) {
        self.limit = limit
        self.queueLimit = queueLimit
    }

    /// How many are under way.
    var runningCount: Int { accounts.values.reduce(0) { $0 + $1.running.count } }
    /// Whether nobody is under way or waits, and nothing is remembered.
    var isEmpty: Bool { accounts.isEmpty && names.isEmpty }

    mutating func arrive(_ arrival: Arrival, now: Duration) -> [TurnAction] {
        var actions = advance(arrival.account, now: now)
        let account = accounts[arrival.account] ?? Account()
        let hasRoom = account.running.count < limit && account.line.isEmpty
        if !hasRoom, let refusal = refusal(of: arrival, in: account, now: now) {
            return actions + [.refuse(arrival.ticket, refusal)] + plan()
        }
        names[arrival.ticket] = arrival.account
        accounts[arrival.account, default: Account()].line
            .join(arrival.ticket, priority: arrival.priority, deadline: hasRoom ? nil : arrival.deadline)
        actions += advance(arrival.account, now: now)
        return actions + plan()
    }

    mutating func withdraw(_ ticket: Int, now: Duration) -> [TurnAction] {
        finish(ticket, now: now)
    }

    mutating func finish(_ ticket: Int, now: Duration) -> [TurnAction] {
        guard let name = names.removeValue(forKey: ticket) else { return [] }
        accounts[name]?.running.remove(ticket)
        accounts[name]?.line.leave(ticket)
        return advance(name, now: now) + plan()
    }

    mutating func wake(now: Duration) -> [TurnAction] {
        alarm.hasGoneOff()
        return accounts.keys.sorted().flatMap { advance($0, now: now) } + plan()
    }

    private func refusal(of arrival: Arrival, in account: Account, now: Duration) -> Refusal? {
        if account.line.count >= queueLimit { return .queueIsFull(account.line.count) }
        if let deadline = arrival.deadline, deadline <= now { return .timeIsOver }
        return nil
    }

    /// Refuses whoever is late, and admits whoever there is a place for.
    private mutating func advance(_ name: String, now: Duration) -> [TurnAction] {
        guard var account = accounts[name] else { return [] }
        let expired = account.line.takeExpired(at: now)
        for ticket in expired { names[ticket] = nil }
        var actions: [TurnAction] = expired.map { .refuse($0, .timeIsOver) }
        while account.running.count < limit, let ticket = account.line.takeFirst() {
            account.running.insert(ticket)
            actions.append(.admit(ticket))
        }
        accounts[name] = account.running.isEmpty && account.line.isEmpty ? nil : account
        return actions
    }

    private mutating func plan() -> [TurnAction] {
        let deadlines = accounts.values.compactMap(\.line.earliestDeadline)
        return alarm.plan(deadlines.min()).map { [.setAlarm($0)] } ?? []
    }
}
