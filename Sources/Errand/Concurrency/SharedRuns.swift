/// Work that runs once for all tasks that request the same key at the same time: a thin shell around
/// ``SharedRunsState``.
///
/// A cancelled waiter fails immediately with `cancelled`, if `Failure` can express it, and does not affect the others.
/// When the last waiter leaves, the policy decides whether the run is cancelled or continues. A task that joins after a
/// run was cancelled starts a new one.
final class SharedRuns<Key: Hashable & Sendable, Output: Sendable, Failure: Error>: Sendable {
    typealias State = SharedRunsState<Key, Output, Failure>
    typealias Delivery = State.Delivery
    /// A closure that starts a task for the given work.
    typealias TaskStarter = @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>

    /// The state, which guards the runs and their waiters.
    private let state: Locked<State>
    private let startTask: TaskStarter

    /// - Parameter startTask: Starts the task of each run. By default, the task has the priority and the task-local
    ///   values of the waiter that starts the run.
    init(
        _ policy: State.Policy = State.Policy(), startTask: @escaping TaskStarter = { run in Task { await run() } }
    ) {
        state = Locked(State(policy))
        self.startTask = startTask
    }

    /// The number of runs that have not ended.
    var count: Int { state.withLock { $0.count } }
    /// The number of tasks that wait for a run.
    var waiterCount: Int { state.withLock { $0.waiterCount } }

    /// One waiter of a run.
    struct Membership: Sendable {
        fileprivate let promise: PipelinePromise<Delivery, Failure>
        /// The number of the run; `nil` if the outcome was already known. Later runs have higher numbers.
        let run: Int?
        /// Whether this waiter started the run.
        let startsRun: Bool

        /// The outcome of the run, which must be awaited only once.
        var delivery: Delivery {
            get async throws(Failure) { try await promise.value }
        }
    }

    /// Joins the open run for a key, or starts one.
    ///
    /// A caller whose task may be cancelled must check for cancellation first, so that it starts no unnecessary work.
    ///
    /// - Parameters:
    ///   - rank: See ``SharedRunsState/join(_:rank:_:)``.
    ///   - run: The work, which is called with the number of the run if no run is open.
    func join(
        _ key: Key, rank: Int = 0, run: @escaping @Sendable (Int) async -> Result<Output, Failure>
    ) -> Membership {
        let promise = PipelinePromise<Delivery, Failure>()
        let (ticket, number, action) = state.withLock { state in
            let (ticket, action) = state.join(key, rank: rank, promise)
            return (ticket, state.run(of: ticket), action)
        }
        promise.onCancel {
            let awaitsOutcome = ErrandError(.cancelled) as? Failure == nil
            self.perform(self.state.withLock { $0.leave(ticket, awaitsOutcome: awaitsOutcome) })
        }
        guard case .start(let started) = action else {
            perform(action)
            return Membership(promise: promise, run: number, startsRun: false)
        }
        start(started, run, with: startTask)
        return Membership(promise: promise, run: number, startsRun: true)
    }

    /// Starts a run that continues without waiters, unless the key has an open run or `limit` such runs exist.
    ///
    /// Its task is detached, since the task-local values of the caller belong to the caller's request.
    func beginInBackground(
        _ key: Key, limit: Int, run: @escaping @Sendable () async -> Result<Output, Failure>
    ) {
        guard case .start(let number) = state.withLock({ $0.beginInBackground(key, limit: limit) }) else { return }
        let startTask: TaskStarter = { run in TaskContext.detached(priority: .utility) { await run() } }
        start(number, { _ in await run() }, with: startTask)
    }

    /// Prevents later tasks from joining the runs of some keys.
    func close(_ isClosed: @Sendable (Key) -> Bool) {
        state.withLock { $0.close(isClosed) }
    }

    /// Cancels the background runs without waiters.
    func cancelBackground() {
        perform(state.withLock { $0.cancelBackground() })
    }

    private func start(
        _ number: Int, _ run: @escaping @Sendable (Int) async -> Result<Output, Failure>, with startTask: TaskStarter
    ) {
        let task = startTask {
            let outcome = await run(number)
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
            for (index, waiter) in waiters.enumerated() {
                waiter.resolve(with: outcome.map { Delivery(value: $0, isFirst: index == 0) })
            }
        }
    }
}

extension SharedRuns where Failure == any Error {
    /// Joins the open run for a key, or starts one, and waits for its value.
    ///
    /// - Throws: The error of `run`; ``ErrandError`` with `cancelled` if the waiting task is cancelled. A task that is
    ///   already cancelled starts nothing.
    func join(_ key: Key, run: @escaping @Sendable () async throws -> Output) async throws -> Delivery {
        if Task.isCancelled { throw ErrandError(.cancelled) }
        return try await join(key) { _ in await Result.catching(run) }.delivery
    }
}

extension Result where Failure == any Error {
    /// Returns the value or the thrown error of an async closure.
    static func catching(_ body: () async throws -> Success) async -> Result {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
