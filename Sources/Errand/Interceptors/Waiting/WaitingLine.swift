/// Who waits for a turn: the higher priority first, and within one the earlier. Whoever leaves leaves no gap.
struct WaitingLine: Sendable {
    /// Those of one priority, in order of arrival. One that has left stays until it is come upon, or until half are gone.
    private struct Lane {
        var tickets: [Int] = []
        /// How many of the tickets have been passed over already.
        var head = 0
        /// How many of the rest still wait.
        var count = 0
    }

    private var lanes = RequestPriority.allCases.map { _ in Lane() }
    private var priorities: [Int: RequestPriority] = [:]
    private var deadlines: [Int: Duration] = [:]

    var count: Int { priorities.count }
    var isEmpty: Bool { priorities.isEmpty }

    /// When the first of them gives up.
    var earliestDeadline: Duration? { deadlines.values.min() }

    /// How many go before one of this priority that comes now.
    func count(before priority: RequestPriority) -> Int {
        lanes[priority.rawValue...].reduce(0) { $0 + $1.count }
    }

    mutating func join(_ ticket: Int, priority: RequestPriority, deadline: Duration?) {
        priorities[ticket] = priority
        deadlines[ticket] = deadline
        lanes[priority.rawValue].tickets.append(ticket)
        lanes[priority.rawValue].count += 1
    }

    /// - Returns: Whether it was in the line.
    @discardableResult
    mutating func leave(_ ticket: Int) -> Bool {
        guard let priority = priorities.removeValue(forKey: ticket) else { return false }
        deadlines[ticket] = nil
        lanes[priority.rawValue].count -= 1
        tidy(priority.rawValue)
        return true
    }

    /// The next in line, who leaves it with that.
    mutating func takeFirst() -> Int? {
        for lane in lanes.indices.reversed() {
            while lanes[lane].head < lanes[lane].tickets.count {
                let ticket = lanes[lane].tickets[lanes[lane].head]
                lanes[lane].head += 1
                if leave(ticket) { return ticket }
            }
        }
        return nil
    }

    /// Those whose time is over, in order of arrival, who leave the line with that.
    mutating func takeExpired(at now: Duration) -> [Int] {
        let expired = deadlines.filter { $0.value <= now }.keys.sorted()
        for ticket in expired { leave(ticket) }
        return expired
    }

    private mutating func tidy(_ lane: Int) {
        guard lanes[lane].tickets.count > 2 * lanes[lane].count + 16 else { return }
        lanes[lane].tickets = lanes[lane].tickets.dropFirst(lanes[lane].head).filter { priorities[$0] != nil }
        lanes[lane].head = 0
    }
}
