/// The state machine of ``Coalescing``: which transfers are under way, and who waits for each.
struct CoalescingState: Sendable {
    enum Action {
        case none
        case cancel(Task<Void, Never>)
    }

    /// What comes of asking for a transfer: its number, and whether it is to be begun.
    struct Joining: Hashable, Sendable {
        let ticket: Int
        let run: Int
        let isFirst: Bool
    }

    private struct Run {
        let key: CoalescingKey
        let priority: RequestPriority
        var waiters: Set<Int>
        /// Nil until it has started.
        var task: Task<Void, Never>?
    }

    private var runs: [Int: Run] = [:]
    /// The transfer that whoever comes joins.
    private var current: [CoalescingKey: Int] = [:]
    /// Which transfer each waits for.
    private var places: [Int: Int] = [:]
    private var numbers = 0

    /// Whether nothing is under way, and nothing is remembered.
    var isEmpty: Bool { runs.isEmpty && current.isEmpty && places.isEmpty }

    /// Somebody wants an answer.
    mutating func join(_ key: CoalescingKey, priority: RequestPriority) -> Joining {
        numbers += 1
        let ticket = numbers
        if let number = current[key], let run = runs[number], run.priority >= priority {
            runs[number]?.waiters.insert(ticket)
            places[ticket] = number
            return Joining(ticket: ticket, run: number, isFirst: false)
        }
        runs[ticket] = Run(key: key, priority: priority, waiters: [ticket])
        current[key] = ticket
        places[ticket] = ticket
        return Joining(ticket: ticket, run: ticket, isFirst: true)
    }

    /// A transfer has begun: it is cancelled where nobody waits for it any more.
    mutating func started(_ number: Int, task: Task<Void, Never>) -> Action {
        guard runs[number] != nil else { return .none }
        runs[number]?.task = task
        return abandoned(number)
    }

    /// Somebody does not want the answer any more.
    mutating func leave(_ ticket: Int) -> Action {
        guard let number = places.removeValue(forKey: ticket) else { return .none }
        runs[number]?.waiters.remove(ticket)
        return abandoned(number)
    }

    /// A transfer has ended.
    ///
    /// - Returns: Who waits for its outcome.
    mutating func finish(_ number: Int) -> [Int] {
        guard let run = runs.removeValue(forKey: number) else { return [] }
        if current[run.key] == number { current[run.key] = nil }
        for ticket in run.waiters { places[ticket] = nil }
        return run.waiters.sorted()
    }

    /// A transfer that nobody waits for takes nobody in any more, and is cancelled once it has begun.
    private mutating func abandoned(_ number: Int) -> Action {
        guard let run = runs[number], run.waiters.isEmpty else { return .none }
        if current[run.key] == number { current[run.key] = nil }
        return run.task.map(Action.cancel) ?? .none
    }
}
