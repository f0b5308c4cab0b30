import Errand

/// A queue in which requests wait for a turn: a thin shell around a state machine that assigns the turns.
final class AdmissionQueue<Machine: AdmissionPolicy>: Sendable {
    private struct State: Sendable {
        var machine: Machine
        var tickets = 0
        var waiting: [Int: PipelinePromise<Void, any Error>] = [:]
    }

    /// Guards the state machine and the list of waiting requests.
    private let state: Locked<State>
    private let scope: LimitScope
    private let refusalCode: ErrandError.Code
    private let timeline: Timeline
    private let alarm: Alarm

    /// - Parameter refusalCode: The error code of requests that get no turn.
    init(_ machine: Machine, scope: LimitScope, refusalCode: ErrandError.Code, clock: any Clock<Duration>) {
        state = Locked(State(machine: machine))
        self.scope = scope
        self.refusalCode = refusalCode
        timeline = Timeline(clock)
        alarm = Alarm(timeline)
    }

    /// The number of waiting requests.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Returns the name of the scope to which a request belongs.
    func account(of request: TransportRequest) -> String { scope.name(request) }

    /// Waits for a turn, which the caller must end with ``finish(_:)``.
    ///
    /// - Returns: The ticket of the turn, and the request with its remaining time.
    /// - Throws: ``/Errand/ErrandError`` with `cancelled`, or with the code of a refusal.
    func enter(_ request: TransportRequest) async throws -> (ticket: Int, request: TransportRequest) {
        do {
            // A task that is already cancelled must not take a turn.
            if Task.isCancelled { throw ErrandError(.cancelled) }
            return try await turn(for: request)
        } catch let error as ErrandError {
            throw error.with(request: request.urlRequest)
        }
    }

    private func turn(for request: TransportRequest) async throws -> (ticket: Int, request: TransportRequest) {
        let now = timeline.now
        let promise = PipelinePromise<Void, any Error>()
        let (ticket, actions) = state.withLock { state in
            state.tickets += 1
            state.waiting[state.tickets] = promise
            let arrival = Arrival(
                ticket: state.tickets, account: scope.name(request), priority: request.priority,
                deadline: request.resourceTimeout.map { now + $0.bounded })
            return (state.tickets, state.machine.arrive(arrival, now: now))
        }
        promise.onCancel { self.withdraw(ticket) }
        perform(actions)
        try await promise.value
        if actions.contains(.admit(ticket)) { return (ticket, request) }
        return (ticket, request.after(timeline.now - now))
    }

    /// Ends a turn.
    func finish(_ ticket: Int) {
        let now = timeline.now
        perform(state.withLock { $0.machine.finish(ticket, now: now) })
    }

    /// Reports an event other than a new or removed request to the state machine.
    func update(_ change: (inout Machine, _ now: Duration) -> [TurnAction]) {
        let now = timeline.now
        perform(state.withLock { change(&$0.machine, now) })
    }

    /// Reads the state of the machine.
    func read<Value>(_ value: (Machine) -> Value) -> Value {
        state.withLock { value($0.machine) }
    }

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
