/// Work that runs once for all tasks that request the same key at the same time: a thin shell around
/// ``SharedRunsState``.
///
/// A cancelled waiter fails immediately with `cancelled`, if `Failure` can express it, and does not affect the others.
/// When the last waiter leaves, the policy decides whether the run is cancelled or continues. A task that joins after a
/// run was cancelled starts a new one.
final class SharedRuns<Key: Hashable & Sendable, Output: Sendable, Failure: Error>: Sendable {
    typealias State = SharedRunsState<Key, Output, Failure>

    /// The state, which guards the runs and their waiters.
    private let state: Locked<State>

    init(_ policy: State.Policy = State.Policy()) {
        state = Locked(State(policy))
    }

    /// The number of runs that have not ended.
    var count: Int { state.withLock { $0.count } }
    /// The number of tasks that wait for a run.
    var waiterCount: Int { state.withLock { $0.waiterCount } }

    /// Joins the open run for a key, or starts one, and waits for its outcome. Joining does not suspend.
    ///
    /// A caller whose task may be cancelled must check for cancellation first, so that it starts no unnecessary work.
    ///
    /// - Parameters:
    ///   - rank: See ``SharedRunsState/join(_:rank:_:)``.
    ///   - run: The work, which is called if no run is open. Its task has the priority and the task-local values of the
    ///     waiter that starts it.
    func join(
        _ key: Key, rank: Int = 0, run: @escaping @Sendable () async -> Result<Output, Failure>
    ) async throws(Failure) -> Output {
        let promise = PipelinePromise<Output, Failure>()
        let (ticket, action) = state.withLock { $0.join(key, rank: rank, promise) }
        promise.onCancel {
            let awaitsOutcome = ErrandError(.cancelled) as? Failure == nil
            self.perform(self.state.withLock { $0.leave(ticket, awaitsOutcome: awaitsOutcome) })
        }
        if case .start(let number) = action { start(number, run) } else { perform(action) }
        return try await promise.value
    }

    private func start(_ number: Int, _ run: @escaping @Sendable () async -> Result<Output, Failure>) {
        let task = Task {
            let outcome = await run()
            self.perform(self.state.withLock { $0.finish(number, outcome) })
        }
        perform(state.withLock { $0.started(number, task) })
    }

    private func perform(_ action: State.Action) {
        switch action {
        case .none, .start: break
        case .cancel(let tasks):
            for task in tasks { task.cancel() }
        case .resolve(let waiters, let outcome):
            for waiter in waiters { waiter.resolve(with: outcome) }
        }
    }
}

extension SharedRuns where Failure == any Error {
    /// Joins the open run for a key, or starts one, and waits for its value.
    ///
    /// - Throws: The error of `run`; ``ErrandError`` with `cancelled` if the waiting task is cancelled. A task that is
    ///   already cancelled starts nothing.
    func join(_ key: Key, run: @escaping @Sendable () async throws -> Output) async throws -> Output {
        if Task.isCancelled { throw ErrandError(.cancelled) }
        return try await join(key) { await Result.catching(run) }
    }
}

extension Result where Failure == any Error {
    /// Returns the value or the thrown error of an async closure.
    static func catching(_ body: () async throws -> Success) async -> Result {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
