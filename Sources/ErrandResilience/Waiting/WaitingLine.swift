import Errand

/// The queue of waiting requests. A higher priority comes first, and within one priority the earlier request.
///
/// With `ageing`, a request counts as one priority higher each time it has waited for that duration.
struct WaitingLine: Sendable {
    /// The requests of one priority, in order of arrival. A removed request stays until it is reached, or until
    /// `tidy(_:)` drops it.
    private struct Lane {
        var tickets = Queue<Int>()
        /// The number of those that still wait.
        var count = 0
    }

    private let ageing: Duration?
    /// The waiting requests by the raw value of their priority.
    private var lanes = RequestPriority.allCases.map { _ in Lane() }
    private var priorities: [Int: RequestPriority] = [:]
    private var deadlines: [Int: Duration] = [:]
    /// The arrival time of each request; empty without ageing.
    private var arrivals: [Int: Duration] = [:]

    /// - Parameter ageing: A positive time; `nil` for a queue in which no request overtakes a higher priority.
    init(ageing: Duration? = nil) {
        self.ageing = ageing
    }

    var count: Int { priorities.count }
    var isEmpty: Bool { priorities.isEmpty }

    /// The earliest deadline of the waiting requests; `nil` without deadlines.
    var earliestDeadline: Duration? { deadlines.values.min() }

    /// Returns the number of requests before a new one of this priority, if none overtakes it.
    func count(before priority: RequestPriority) -> Int {
        lanes[priority.rawValue...].reduce(0) { $0 + $1.count }
    }

    mutating func join(_ ticket: Int, priority: RequestPriority, deadline: Duration?, now: Duration = .zero) {
        priorities[ticket] = priority
        if ageing != nil { arrivals[ticket] = now }
        deadlines[ticket] = deadline
        lanes[priority.rawValue].tickets.append(ticket)
        lanes[priority.rawValue].count += 1
    }

    /// - Returns: `true` if the request was in the queue.
    @discardableResult
    mutating func leave(_ ticket: Int) -> Bool {
        guard let priority = priorities.removeValue(forKey: ticket) else { return false }
        deadlines[ticket] = nil
        arrivals[ticket] = nil
        lanes[priority.rawValue].count -= 1
        tidy(priority.rawValue)
        return true
    }

    /// Removes and returns the next request.
    mutating func takeFirst(now: Duration = .zero) -> Int? {
        // Within a lane, the first request has waited the longest.
        var next: (ticket: Int, rank: Int)?
        for lane in lanes.indices.reversed() {
            guard let ticket = first(of: lane) else { continue }
            let rank = min(lane + risen(ticket, now: now), lanes.count - 1)
            // Of two requests with the same rank, the earlier one has the smaller ticket.
            if let next, (next.rank, -next.ticket) > (rank, -ticket) { continue }
            next = (ticket, rank)
            // Without ageing, no lane overtakes a higher one.
            if ageing == nil { break }
        }
        guard let ticket = next?.ticket, let lane = priorities[ticket]?.rawValue else { return nil }
        lanes[lane].tickets.popFirst()
        leave(ticket)
        return ticket
    }

    /// Makes room for a request. In a full queue, it removes the last request of the lowest priority, if the arriving
    /// one has a higher priority.
    ///
    /// - Returns: The request that gets no turn: the removed one, or else the arriving one; `nil` if there is room.
    mutating func makeRoom(for arrival: Arrival, limit: Int) -> (ticket: Int, refusal: Refusal)? {
        guard count >= limit else { return nil }
        guard let lane = lanes[..<arrival.priority.rawValue].firstIndex(where: { $0.count > 0 }),
            let ticket = lanes[lane].tickets.last(where: { priorities[$0] != nil })
        else { return (arrival.ticket, .queueIsFull(count)) }
        leave(ticket)
        return (ticket, .displaced)
    }

    /// Removes and returns the requests whose time has passed, in order of arrival.
    mutating func takeExpired(at now: Duration) -> [Int] {
        let expired = deadlines.filter { $0.value <= now }.keys.sorted()
        for ticket in expired { leave(ticket) }
        return expired
    }

    /// Returns the first request of a lane that still waits, and drops the removed ones before it.
    private mutating func first(of lane: Int) -> Int? {
        while let ticket = lanes[lane].tickets.first {
            if priorities[ticket] != nil { return ticket }
            lanes[lane].tickets.popFirst()
        }
        return nil
    }

    /// Returns the number of priorities by which a request has risen while it waited.
    private func risen(_ ticket: Int, now: Duration) -> Int {
        guard let ageing, let arrival = arrivals[ticket] else { return 0 }
        return Int(min((now - arrival) / ageing, Double(lanes.count)))
    }

    /// Drops the tickets of removed requests when they are more than half of a lane that is not short.
    private mutating func tidy(_ lane: Int) {
        guard lanes[lane].tickets.count > 2 * lanes[lane].count + 16 else { return }
        lanes[lane].tickets = Queue(lanes[lane].tickets.filter { priorities[$0] != nil })
    }
}
