/// A gate that admits one request for each tick. Ticks that arrive while a request is running are ignored.
final class TickGate: Sendable {
    private let state: Locked<TickState>

    init(isOpen: Bool) {
        state = Locked(TickState(isOpen: isOpen))
    }

    func tick() {
        perform(state.withLock { $0.tick() })
    }

    func ticksHaveEnded() {
        perform(state.withLock { $0.end() })
    }

    func requestHasEnded() {
        state.withLock { $0.finish() }
    }

    /// Waits until a request may run; returns `false` if no more ticks can arrive, or if the task is cancelled.
    func pass() async -> Bool {
        let promise = PipelinePromise<Bool, any Error>()
        perform(state.withLock { $0.ask(promise) })
        do {
            return try await promise.value
        } catch {
            return false
        }
    }

    private func perform(_ action: TickState.Action?) {
        if let action { action.waiter.resolve(with: .success(action.mayPass)) }
    }
}

/// The state machine of ``TickGate``. Each event returns an action, which the caller performs after it has released the
/// lock.
struct TickState: Sendable {
    typealias Waiter = PipelinePromise<Bool, any Error>

    struct Action {
        let waiter: Waiter
        let mayPass: Bool
    }

    private enum Phase {
        /// No request waits, and no tick has arrived.
        case idle
        /// A tick has arrived, and no request has waited since.
        case open
        case waiting(Waiter)
        case running
    }

    private var phase: Phase
    private var hasEnded = false

    init(isOpen: Bool) {
        phase = isOpen ? .open : .idle
    }

    mutating func tick() -> Action? {
        switch phase {
        case .idle: phase = .open
        case .open, .running: break
        case .waiting(let waiter):
            phase = .running
            return Action(waiter: waiter, mayPass: true)
        }
        return nil
    }

    mutating func end() -> Action? {
        hasEnded = true
        guard case .waiting(let waiter) = phase else { return nil }
        phase = .idle
        return Action(waiter: waiter, mayPass: false)
    }

    mutating func ask(_ waiter: Waiter) -> Action? {
        if case .open = phase {
            phase = .running
            return Action(waiter: waiter, mayPass: true)
        }
        if hasEnded { return Action(waiter: waiter, mayPass: false) }
        phase = .waiting(waiter)
        return nil
    }

    mutating func finish() {
        phase = .idle
    }
}
