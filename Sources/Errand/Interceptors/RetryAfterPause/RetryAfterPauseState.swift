/// The state machine of ``RetryAfterPause``: for each account of the scope until when it pauses, and who waits.
struct RetryAfterPauseState: TurnTaking {
    private struct Pause {
        var end: Duration
        var line = WaitingLine()
    }

    /// A server that asks for more is asked again after this time: otherwise one bad response would end all requests.
    private static let longestPause = Duration.seconds(86_400)

    private let maximumWait: Duration
    private let queueLimit: Int

    private var pauses: [String: Pause] = [:]
    /// The account of everybody who waits.
    private var accounts: [Int: String] = [:]
    private var alarm = AlarmPlan()

    init(maximumWait: Duration, queueLimit: Int) {
        self.maximumWait = maximumWait
        self.queueLimit = queueLimit
    }

    /// Whether nobody pauses or waits.
    var isEmpty: Bool { pauses.isEmpty && accounts.isEmpty }

    /// The server wants no request for so long.
    mutating func pause(_ account: String, for wait: Duration, now: Duration) -> [TurnAction] {
        var actions = endPauses(now: now)
        let end = now + min(wait, Self.longestPause)
        guard end > now, end > pauses[account]?.end ?? .zero else { return actions + plan() }
        var pause = pauses[account] ?? Pause(end: end)
        pause.end = end
        for ticket in pause.line.takeExpired(at: end) {
            accounts[ticket] = nil
            actions.append(.refuse(ticket, .serverAsksForTooLong(end - now)))
        }
        pauses[account] = pause
        return actions + plan()
    }

    mutating func arrive(_ arrival: Arrival, now: Duration) -> [TurnAction] {
        var actions = endPauses(now: now)
        if var pause = pauses[arrival.account] {
            if let refusal = refusal(of: arrival, in: &pause, now: now, &actions) {
                actions.append(.refuse(arrival.ticket, refusal))
            } else {
                accounts[arrival.ticket] = arrival.account
                // A wait of exactly the longest is allowed.
                let patience = now + maximumWait + .nanoseconds(1)
                let deadline = min(arrival.deadline ?? patience, patience)
                pause.line.join(arrival.ticket, priority: arrival.priority, deadline: deadline)
                pauses[arrival.account] = pause
            }
        } else {
            actions.append(.admit(arrival.ticket))
        }
        return actions + plan()
    }

    mutating func withdraw(_ ticket: Int, now: Duration) -> [TurnAction] {
        guard let account = accounts.removeValue(forKey: ticket) else { return [] }
        pauses[account]?.line.leave(ticket)
        return endPauses(now: now) + plan()
    }

    mutating func finish(_ ticket: Int, now: Duration) -> [TurnAction] { [] }

    mutating func wake(now: Duration) -> [TurnAction] {
        alarm.hasGoneOff()
        return endPauses(now: now) + plan()
    }

    /// Why a request may not wait. Where the line is full, one of a lower priority gives way to it.
    private mutating func refusal(
        of arrival: Arrival, in pause: inout Pause, now: Duration, _ actions: inout [TurnAction]
    ) -> Refusal? {
        let wait = pause.end - now
        if wait > maximumWait { return .serverAsksForTooLong(wait) }
        if let deadline = arrival.deadline, deadline <= pause.end { return .turnComesTooLate(wait) }
        guard pause.line.count >= queueLimit else { return nil }
        guard let other = pause.line.takeLast(below: arrival.priority) else { return .queueIsFull(pause.line.count) }
        accounts[other] = nil
        actions.append(.refuse(other, .gaveWay))
        return nil
    }

    /// Ends the pauses whose time has come, and admits who has waited for that.
    private mutating func endPauses(now: Duration) -> [TurnAction] {
        var actions: [TurnAction] = []
        for account in pauses.filter({ $0.value.end <= now }).keys.sorted() {
            guard var pause = pauses.removeValue(forKey: account) else { continue }
            while let ticket = pause.line.takeFirst() {
                accounts[ticket] = nil
                actions.append(.admit(ticket))
            }
        }
        return actions
    }

    private mutating func plan() -> [TurnAction] {
        let ends = pauses.values.filter { !$0.line.isEmpty }.map(\.end)
        return alarm.plan(ends.min()).map { [.setAlarm($0)] } ?? []
    }
}
