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

    /// A task that sleeps.
    private struct Sleeper: Sendable {
        let deadline: ManualClock.Instant
        let ticket: Int
        let name: String?
        let waiter: Waiter
    }

    private(set) var now = ManualClock.Instant(offset: .zero)
    /// The sleeping tasks, the earliest deadline first, and tasks with equal deadlines in the order of their tickets.
    private var sleeping: [Sleeper] = []
    /// The deadlines of the sleeping tasks by their tickets.
    private var deadlines: [Int: ManualClock.Instant] = [:]
    /// The tasks that wait for sleepers, by their tickets.
    private var observers: [Int: (condition: Condition, waiter: Waiter)] = [:]
    /// The tickets that do not wait yet, and whether each was cancelled.
    private var unused: [Int: Bool] = [:]
    private var tickets = 0

    /// Whether no ticket is held.
    var isEmpty: Bool { sleeping.isEmpty && observers.isEmpty && unused.isEmpty }

    var sleeperCount: Int { sleeping.count }

    /// The earliest deadline of a sleeping task; `nil` if no task sleeps.
    var nextDeadline: ManualClock.Instant? { sleeping.first?.deadline }

    /// The sleeping tasks, the earliest deadline first.
    var sleepers: [(deadline: ManualClock.Instant, name: String?)] { sleeping.map { ($0.deadline, $0.name) } }

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
        if case .time(let deadline, let name) = condition {
            let sleeper = Sleeper(deadline: deadline, ticket: ticket, name: name, waiter: waiter)
            sleeping.insert(sleeper, at: index(of: deadline, ticket))
            deadlines[ticket] = deadline
        } else {
            observers[ticket] = (condition, waiter)
        }
        return resumeFinished()
    }

    mutating func cancel(_ ticket: Int) -> [Action] {
        if let deadline = deadlines.removeValue(forKey: ticket) {
            return [(sleeping.remove(at: index(of: deadline, ticket)).waiter, .failure(CancellationError()))]
        }
        if let observer = observers.removeValue(forKey: ticket) {
            return [(observer.waiter, .failure(failure(of: observer.condition)))]
        }
        // A wait that has ended can be cancelled too.
        if unused[ticket] != nil { unused[ticket] = true }
        return []
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

    /// Returns the tasks whose waits have ended: first those that wait for sleepers, then the sleeping ones.
    private mutating func resumeFinished() -> [Action] {
        let observed = observers.filter { isMet($0.value.condition) }.sorted { $0.key < $1.key }
        for (ticket, _) in observed { observers[ticket] = nil }
        // A slice would keep the array, so that removing its elements would copy it.
        let awake = Array(sleeping.prefix { $0.deadline <= now })
        for sleeper in awake { deadlines[sleeper.ticket] = nil }
        sleeping.removeFirst(awake.count)
        return observed.map { ($0.value.waiter, .success(())) } + awake.map { ($0.waiter, .success(())) }
    }

    private func isMet(_ condition: Condition) -> Bool {
        switch condition {
        case .time(let deadline, _): deadline <= now
        case .sleepers(let count): count <= sleeping.count
        case .sleeper(let deadline): deadlines.values.contains(deadline)
        }
    }

    /// The place of a sleeping task in ``sleeping``, by binary search.
    private func index(of deadline: ManualClock.Instant, _ ticket: Int) -> Int {
        var (low, high) = (0, sleeping.count)
        while low < high {
            let middle = (low + high) / 2
            let other = sleeping[middle]
            if (other.deadline, other.ticket) < (deadline, ticket) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
