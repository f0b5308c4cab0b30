import Errand

/// The state machine of ``ManualClock``. Each event returns the continuations to resume after the lock is released.
struct ManualClockState: Sendable {
    typealias Waiter = CheckedContinuation<Void, any Error>
    typealias Action = (waiter: Waiter, result: Result<Void, any Error>)

    /// The condition that a task waits for.
    enum Condition {
        case time(ManualClock.Instant, name: String?)
        case sleepers(Int)
        /// A task that sleeps until exactly this deadline.
        case sleeper(ManualClock.Instant)
    }

    private(set) var now = ManualClock.Instant(offset: .zero)
    private var waiters: [Int: (condition: Condition, waiter: Waiter)] = [:]
    /// The tickets that do not wait yet, and whether each was cancelled.
    private var unused: [Int: Bool] = [:]
    private var tickets = 0

    /// Whether no ticket is held.
    var isEmpty: Bool { waiters.isEmpty && unused.isEmpty }

    var sleeperCount: Int {
        waiters.values.count { if case .time = $0.condition { true } else { false } }
    }

    /// The sleeping tasks, the earliest deadline first.
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
        unused[tickets] = false
        return tickets
    }

    mutating func wait(for condition: Condition, ticket: Int, waiter: Waiter) -> [Action] {
        if unused.removeValue(forKey: ticket) == true { return [(waiter, .failure(failure(of: condition)))] }
        waiters[ticket] = (condition, waiter)
        return resumeFinished()
    }

    mutating func cancel(_ ticket: Int) -> [Action] {
        guard let waiting = waiters.removeValue(forKey: ticket) else {
            // A wait that has ended can be cancelled too.
            if unused[ticket] != nil { unused[ticket] = true }
            return []
        }
        return [(waiting.waiter, .failure(failure(of: waiting.condition)))]
    }

    mutating func advance(by duration: Duration) -> [Action] {
        advance(to: now.advanced(by: duration.bounded))
    }

    mutating func advance(to moment: ManualClock.Instant) -> [Action] {
        now = max(now, moment)
        return resumeFinished()
    }

    /// Describes the awaited sleepers and the present ones; `nil` for a sleeping task.
    func delay(of condition: Condition) -> String? {
        expectation(of: condition).map { "\($0) waited for; \(description)" }
    }

    /// The error for a cancelled wait.
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

    private mutating func resumeFinished() -> [Action] {
        let sleeping = sleepers.map(\.deadline)
        let done = waiters.filter { _, waiting in
            switch waiting.condition {
            case .time(let deadline, _): deadline <= now
            case .sleepers(let count): count <= sleeping.count
            case .sleeper(let deadline): sleeping.contains(deadline)
            }
        }
        for ticket in done.keys { waiters[ticket] = nil }
        // Tasks with equal deadlines wake in the order of their tickets.
        return done.sorted { ($0.value.condition.order, $0.key) < ($1.value.condition.order, $1.key) }
            .map { ($0.value.waiter, .success(())) }
    }
}

extension ManualClockState.Condition {
    /// The order in which tasks are resumed: first those that wait for sleepers, then the sleeping tasks by their
    /// deadlines.
    fileprivate var order: Duration {
        switch self {
        case .time(let deadline, _): deadline.offset
        case .sleepers, .sleeper: .zero
        }
    }
}
