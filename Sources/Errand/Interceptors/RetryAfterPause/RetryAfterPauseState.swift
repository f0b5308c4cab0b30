/// The state machine of ``RetryAfterPause``: the end of the pause and the waiting requests of each account of the
/// scope.
struct RetryAfterPauseState: AdmissionPolicy {
    private struct Pause {
        var end: Duration
        var line = WaitingLine()
    }

    /// A limit for the length of a pause. Otherwise one wrong response could stop all requests for good.
    private static let longestPause = Duration.seconds(86_400)

    private let maximumWait: Duration
    private let queueLimit: Int

    private var pauses: [String: Pause] = [:]
    /// The account of each waiting request.
    private var accounts: [Int: String] = [:]
    private var alarm = AlarmPlan()

    init(maximumWait: Duration, queueLimit: Int) {
        self.maximumWait = maximumWait
        self.queueLimit = queueLimit
    }

    /// Whether there are no pauses and no waiting requests.
    var isEmpty: Bool { pauses.isEmpty && accounts.isEmpty }

    /// Begins or extends a pause.
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
                // The limit is inclusive: a wait of exactly `maximumWait` is allowed.
                let limit = now + maximumWait + .nanoseconds(1)
                let deadline = min(arrival.deadline ?? limit, limit)
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

    /// Returns the reason why a request may not wait. If the line is full, a waiting request of a lower priority is
    /// refused in its place.
    private mutating func refusal(
        of arrival: Arrival, in pause: inout Pause, now: Duration, _ actions: inout [TurnAction]
    ) -> Refusal? {
        let wait = pause.end - now
        if wait > maximumWait { return .serverAsksForTooLong(wait) }
        if let deadline = arrival.deadline, deadline <= pause.end { return .turnComesTooLate(wait) }
        guard pause.line.count >= queueLimit else { return nil }
        guard let other = pause.line.takeLast(below: arrival.priority) else { return .queueIsFull(pause.line.count) }
        accounts[other] = nil
        actions.append(.refuse(other, .displaced))
        return nil
    }

    /// Ends the pauses whose time has come, and admits their waiting requests.
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
