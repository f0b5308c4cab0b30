import Errand

/// A queue in which requests wait for a turn: a thin shell around a state machine that assigns the turns.
final class AdmissionQueue<Machine: AdmissionPolicy>: Sendable {
    private struct State: Sendable {
        var machine: Machine
        /// The ticket of the latest request. Tickets are consecutive numbers.
        var latestTicket = 0
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
            state.latestTicket += 1
            state.waiting[state.latestTicket] = promise
            let arrival = Arrival(
                ticket: state.latestTicket, account: account, priority: request.priority,
                deadline: request.resourceTimeout.map { now + $0.bounded })
            return (state.latestTicket, state.machine.arrive(arrival, now: now))
        }
        promise.onCancel { self.withdraw(ticket) }
        perform(actions)
        try await promise.value
        // A request that was admitted at once keeps its exact time.
        let isDelayed = !actions.contains(.admit(ticket))
        return Turn(
            ticket: ticket, account: account, request: isDelayed ? request.after(timeline.now - now) : request)
    }

    /// Ends the turn of a request.
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

    /// Removes and returns the promise of a waiting request; `nil` if the request was cancelled.
    private func take(_ ticket: Int) -> PipelinePromise<Void, any Error>? {
        state.withLock { $0.waiting.removeValue(forKey: ticket) }
    }
}
