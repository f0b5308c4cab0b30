import Errand

/// A queue in which requests wait for a turn: a thin shell around a state machine that assigns the turns.
final class AdmissionQueue<Machine: AdmissionPolicy>: Sendable {
    private struct State: Sendable {
        var machine: Machine
        /// The number of tickets so far, which is also the latest ticket.
        var tickets = 0
        /// The promises that waiting requests await, by ticket.
        var waiting: [Int: PipelinePromise<Void, any Error>] = [:]
    }

    /// The turn of a request.
    struct Turn {
        let ticket: Int
        let account: String
        let request: TransportRequest
    }

    /// Guards the state machine and the list of waiting requests.
    private let state: Locked<State>
    private let scope: LimitScope
    private let refusalCode: ErrandError.Code
    private let timeline: Timeline
    /// Wakes the state machine at the time that it has set.
    private let alarm: Alarm

    /// - Parameter refusalCode: The error code of requests that get no turn.
    init(_ machine: Machine, scope: LimitScope, refusalCode: ErrandError.Code, clock: any Clock<Duration>) {
        state = Locked(State(machine: machine))
        self.scope = scope
        self.refusalCode = refusalCode
        timeline = Timeline(clock)
        alarm = Alarm(timeline)
    }

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Returns the account of a request, which is its name in the scope.
    func account(of request: TransportRequest) -> String { scope.name(request) }

    /// Waits for a turn, which the caller must end with ``finish(_:)``.
    ///
    /// - Returns: The turn, with the request and its remaining time.
    /// - Throws: ``/Errand/ErrandError`` with `cancelled`, or with the code of a refusal.
    func enter(_ request: TransportRequest) async throws -> Turn {
        do {
            // A task that is already cancelled must not take a turn.
            if Task.isCancelled { throw ErrandError(.cancelled) }
            return try await turn(for: request)
        } catch let error as ErrandError {
            throw error.with(request: request.urlRequest)
        }
    }

    private func turn(for request: TransportRequest) async throws -> Turn {
        let now = timeline.now
        // Calls a closure of the user, which must not run while the state is locked.
        let account = account(of: request)
        let promise = PipelinePromise<Void, any Error>()
        let (ticket, actions) = state.withLock { state in
            state.tickets += 1
            state.waiting[state.tickets] = promise
            let arrival = Arrival(
                ticket: state.tickets, account: account, priority: request.priority,
                deadline: request.resourceTimeout.map { now + $0.bounded })
            return (state.tickets, state.machine.arrive(arrival, now: now))
        }
        promise.onCancel { self.withdraw(ticket) }
        perform(actions)
        try await promise.value
        // A request that was admitted at once keeps its exact time.
        let isDelayed = !actions.contains(.admit(ticket))
        return Turn(
            ticket: ticket, account: account, request: isDelayed ? request.after(timeline.now - now) : request)
    }

    func finish(_ ticket: Int) {
        let now = timeline.now
        perform(state.withLock { $0.machine.finish(ticket, now: now) })
    }

    /// Reports an event that only this kind of state machine has.
    func update(_ change: (inout Machine, _ now: Duration) -> [TurnAction]) {
        let now = timeline.now
        perform(state.withLock { change(&$0.machine, now) })
    }

    func read<Value>(_ value: (Machine) -> Value) -> Value {
        state.withLock { value($0.machine) }
    }

    /// Removes the request of a task that was cancelled before its promise was resolved.
    private func withdraw(_ ticket: Int) {
        let now = timeline.now
        let actions = state.withLock { state in
            state.waiting[ticket] = nil
            return state.machine.withdraw(ticket, now: now)
        }
        perform(actions)
    }

    private func wake() {
        let now = timeline.now
        perform(state.withLock { $0.machine.wake(now: now) })
    }

    private func perform(_ actions: [TurnAction]) {
        for action in actions {
            switch action {
            case .admit(let ticket):
                take(ticket)?.resolve(with: .success(()))
            case .refuse(let ticket, let refusal):
                take(ticket)?.resolve(with: .failure(ErrandError.refused(refusalCode, reason: refusal.reason)))
            case .setAlarm(let setting):
                alarm.set(setting) { self.wake() }
            }
        }
    }

    private func take(_ ticket: Int) -> PipelinePromise<Void, any Error>? {
        state.withLock { $0.waiting.removeValue(forKey: ticket) }
    }
}

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

    /// Makes room for a request. In a full queue, it removes the last request of the lowest priority, if that is lower.
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

    /// Drops the tickets of removed requests when they are more than half of a lane that is not short.
    private mutating func tidy(_ lane: Int) {
        guard lanes[lane].tickets.count > 2 * lanes[lane].count + 16 else { return }
        lanes[lane].tickets = Queue(lanes[lane].tickets.filter { priorities[$0] != nil })
    }
}
