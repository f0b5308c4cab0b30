import Errand

/// The state machine of ``ManualClock``: every event returns who is to be resumed once the lock is released.
struct ManualClockState: Sendable {
    typealias Waiter = CheckedContinuation<Void, any Error>
    typealias Action = (waiter: Waiter, result: Result<Void, any Error>)

    /// What a waiter waits for.
    enum Condition {
        case time(ManualClock.Instant, name: String?)
        case sleepers(Int)
        /// One that wakes exactly then.
        case sleeper(ManualClock.Instant)
    }

    private(set) var now = ManualClock.Instant(offset: .zero)
    private var waiters: [Int: (condition: Condition, waiter: Waiter)] = [:]
    /// Those that were cancelled before they waited.
    private var cancelled: Set<Int> = []
    private var tickets = 0

    var sleeperCount: Int {
        waiters.values.count { if case .time = $0.condition { true } else { false } }
    }

    /// Who sleeps, the first to wake first.
    var sleepers: [(deadline: ManualClock.Instant, name: String?)] {
        waiters.sorted { ($0.value.condition.order, $0.key) < ($1.value.condition.order, $1.key) }
            .compactMap { _, waiting in
                if case .time(let deadline, let name) = waiting.condition { (deadline, name) } else { nil }
            }
    }

    var description: String {
        let sleepers = sleepers.map { "until \($0.deadline.offset)" + ($0.name.map { " (\($0))" } ?? "") }
        let count = sleepers.count == 1 ? "1 sleeps" : "\(sleepers.count) sleep"
        return "\(count) at \(now.offset)" + (sleepers.isEmpty ? "" : ": \(sleepers.joined(separator: ", "))")
    }

    mutating func nextTicket() -> Int {
        tickets += 1
        return tickets
    }

    mutating func wait(for condition: Condition, ticket: Int, waiter: Waiter) -> [Action] {
        if cancelled.remove(ticket) != nil { return [(waiter, .failure(failure(of: condition)))] }
        waiters[ticket] = (condition, waiter)
        return releaseWhoeverIsDone()
    }

    mutating func cancel(_ ticket: Int) -> [Action] {
        guard let waiting = waiters.removeValue(forKey: ticket) else {
            cancelled.insert(ticket)
            return []
        }
        return [(waiting.waiter, .failure(failure(of: waiting.condition)))]
    }

    mutating func advance(by duration: Duration) -> [Action] {
        now = now.advanced(by: max(duration.bounded, .zero))
        return releaseWhoeverIsDone()
    }

    /// What a wait is still waiting for, and who sleeps; `nil` for a sleeper.
    func delay(of condition: Condition) -> String? {
        expectation(of: condition).map { "\($0) waited for; \(description)" }
    }

    /// The error of a wait that is cancelled.
    private func failure(of condition: Condition) -> any Error {
        guard let description = delay(of: condition) else { return CancellationError() }
        return ManualClock.TooFewSleepers(deadlines: sleepers.map(\.deadline), description: description)
    }

    private func expectation(of condition: Condition) -> String? {
        switch condition {
        case .time: nil
        case .sleepers(let count): "\(count) \(count == 1 ? "sleeper was" : "sleepers were")"
        case .sleeper(let deadline): "a sleeper until \(deadline.offset) was"
        }
    }

    private mutating func releaseWhoeverIsDone() -> [Action] {
        let sleeping = sleepers.map(\.deadline)
        let done = waiters.filter { _, waiting in
            switch waiting.condition {
            case .time(let deadline, _): deadline <= now
            case .sleepers(let count): count <= sleeping.count
            case .sleeper(let deadline): sleeping.contains(deadline)
            }
        }
        for ticket in done.keys { waiters[ticket] = nil }
        // Sleepers with equal deadlines wake in the order of their tickets.
        return done.sorted { ($0.value.condition.order, $0.key) < ($1.value.condition.order, $1.key) }
            .map { ($0.value.waiter, .success(())) }
    }
}

extension ManualClockState.Condition {
    /// Sleepers in the order of their deadlines, after the tasks that only count them.
    fileprivate var order: Duration {
        switch self {
        case .time(let deadline, _): deadline.offset
        case .sleepers, .sleeper: .zero
        }
    }
}
