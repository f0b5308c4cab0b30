extension Pipeline where Output: Sendable {
    /// A pipeline that runs once, however many wait for it.
    ///
    /// The first to wait starts the run; whoever comes later joins it, or gets its stored outcome. One that is
    /// cancelled leaves the others alone: where `Failure` can express it (it is `any Error` or ``ErrandError``) it
    /// fails at once with ``ErrandError/Code-swift.struct/cancelled``, otherwise it waits for the outcome. When the
    /// last one leaves, the run is cancelled, and what it then says is the outcome for good: nothing is sent twice.
    public func share() -> Pipeline {
        let shared = SharedRun(self)
        return Pipeline { () async throws(Failure) in try await shared.join() }
    }
}

/// The run behind a shared pipeline: a thin shell around ``ShareState``, whose lock is the only one here.
private final class SharedRun<Output: Sendable, Failure: Error>: Sendable {
    private let pipeline: Pipeline<Output, Failure>
    private let state = Locked(ShareState<Output, Failure>())

    init(_ pipeline: Pipeline<Output, Failure>) {
        self.pipeline = pipeline
    }

    func join() async throws(Failure) -> Output {
        // A task that is cancelled before it asks must not send anything.
        if Task.isCancelled, let failure = ErrandError(.cancelled) as? Failure { throw failure }
        let promise = Promise<Output, Failure>()
        let (ticket, action) = state.withLock { $0.join(promise) }
        perform(action)
        promise.onCancel { self.perform(self.state.withLock { $0.leave(ticket) }) }
        return try await promise.value
    }

    private func perform(_ action: ShareState<Output, Failure>.Action) {
        switch action {
        case .none: break
        case .start:
            let task = Task {
                let outcome = await pipeline.result
                perform(state.withLock { $0.finish(outcome) })
            }
            perform(state.withLock { $0.started(task) })
        case .cancel(let task): task.cancel()
        case .resolve(let promises, let outcome):
            for promise in promises { promise.resolve(with: outcome) }
        }
    }
}

/// The state machine of ``Pipeline/share()``: every event returns what is to be done once the lock is released.
struct ShareState<Output: Sendable, Failure: Error>: Sendable {
    typealias Waiter = Promise<Output, Failure>

    enum Action {
        case none
        case start
        case cancel(Task<Void, Never>)
        case resolve([Waiter], Result<Output, Failure>)
    }

    private enum Phase {
        case idle
        case starting
        case running(Task<Void, Never>)
        case finished(Result<Output, Failure>)
    }

    private var phase = Phase.idle
    private var waiters: [Int: Waiter] = [:]
    /// Cancelled, but still to be told the outcome: their type of failure has no word for cancellation.
    private var departed: [Waiter] = []
    private var joined = 0

    mutating func join(_ waiter: Waiter) -> (ticket: Int, action: Action) {
        joined += 1
        switch phase {
        case .finished(let outcome):
            return (joined, .resolve([waiter], outcome))
        case .idle:
            phase = .starting
            waiters[joined] = waiter
            return (joined, .start)
        case .starting, .running:
            waiters[joined] = waiter
            return (joined, .none)
        }
    }

    mutating func started(_ task: Task<Void, Never>) -> Action {
        guard case .starting = phase else { return .none }
        phase = .running(task)
        return waiters.isEmpty ? .cancel(task) : .none
    }

    mutating func leave(_ ticket: Int) -> Action {
        guard let waiter = waiters.removeValue(forKey: ticket) else { return .none }
        departed.append(waiter)
        guard waiters.isEmpty, case .running(let task) = phase else { return .none }
        return .cancel(task)
    }

    mutating func finish(_ outcome: Result<Output, Failure>) -> Action {
        defer {
            phase = .finished(outcome)
            waiters = [:]
            departed = []
        }
        return .resolve(Array(waiters.values) + departed, outcome)
    }
}
