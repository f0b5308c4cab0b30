/// The state machine of ``ManualClock``: every event returns who is to be resumed once the lock is released.
struct ManualClockState: Sendable {
    typealias Waiter = CheckedContinuation<Void, any Error>
    typealias Action = (waiter: Waiter, result: Result<Void, any Error>)

    /// What a waiter waits for.
    enum Condition {
        case time(ManualClock.Instant)
        case sleepers(Int)
    }

    private(set) var now = ManualClock.Instant(offset: .zero)
    private var waiters: [Int: (condition: Condition, waiter: Waiter)] = [:]
    /// Those that were cancelled before they waited.
    private var cancelled: Set<Int> = []
    private var tickets = 0

    var sleeperCount: Int {
        waiters.values.count { if case .time = $0.condition { true } else { false } }
    }

    mutating func nextTicket() -> Int {
        tickets += 1
        return tickets
    }

    mutating func wait(for condition: Condition, ticket: Int, waiter: Waiter) -> [Action] {
        if cancelled.remove(ticket) != nil { return [(waiter, .failure(CancellationError()))] }
        waiters[ticket] = (condition, waiter)
        return releaseWhoeverIsDone()
    }

    mutating func cancel(_ ticket: Int) -> [Action] {
        guard let waiting = waiters.removeValue(forKey: ticket) else {
            cancelled.insert(ticket)
            return []
        }
        return [(waiting.waiter, .failure(CancellationError()))]
    }

    mutating func advance(by duration: Duration) -> [Action] {
        now = now.advanced(by: duration)
        return releaseWhoeverIsDone()
    }

    private mutating func releaseWhoeverIsDone() -> [Action] {
        let sleeping = sleeperCount
        let done = waiters.filter { _, waiting in
            switch waiting.condition {
            case .time(let deadline): deadline <= now
            case .sleepers(let count): count <= sleeping
            }
        }
        for ticket in done.keys { waiters[ticket] = nil }
        return done.sorted { $0.value.condition.order < $1.value.condition.order }.map {
            ($0.value.waiter, .success(()))
        }
    }
}

extension ManualClockState.Condition {
    /// Sleepers in the order of their deadlines, behind those who only count them.
    fileprivate var order: Duration {
        switch self {
        case .time(let deadline): deadline.offset
        case .sleepers: .zero
        }
    }
}
