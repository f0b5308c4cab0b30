/// Work that runs once for all tasks that request the same key at the same time. This class holds the lock for the
/// state machine, ``SharedRunsState``, and starts and cancels the tasks.
///
/// A cancelled waiter leaves its run, and does not affect the others. It fails immediately with `cancelled`, if
/// `Failure` can express it, and otherwise receives the outcome. When the last waiter leaves, the run is cancelled or
/// continues, depending on `cancelsWhenLeft`. A task that joins after a run was cancelled starts a new one.
package final class SharedRuns<Key: Hashable & Sendable, Output: Sendable, Failure: Error>: Sendable {
    private typealias State = SharedRunsState<Key, Output, Failure>

    /// The runs and their waiters.
    private let state: Locked<State>

    /// - Parameters:
    ///   - cancelsWhenLeft: Whether a run is cancelled when its last waiter leaves; otherwise it continues.
    ///   - keepsOutcome: Whether an outcome is kept for later tasks.
    package init(cancelsWhenLeft: Bool = true, keepsOutcome: Bool = false) {
        state = Locked(State(cancelsWhenLeft: cancelsWhenLeft, keepsOutcome: keepsOutcome))
    }

    /// The number of runs that have not ended.
    var count: Int { state.withLock { $0.count } }
    /// The number of tasks that wait for a run.
    package var waiterCount: Int { state.withLock { $0.waiterCount } }

    /// Joins the open run for a key, or starts one, and waits for its outcome. It has joined before it suspends.
    ///
    /// A caller whose task may be cancelled must check for cancellation first, so that it starts no unnecessary work.
    ///
    /// - Parameters:
    ///   - run: The work, which is called if no run is open and no outcome is kept. Its task has the priority and all
    ///     task-local values of the waiter that starts it.
    func join(
        _ key: Key, run: @escaping @Sendable () async -> Result<Output, Failure>
    ) async throws(Failure) -> Output {
        let promise = PipelinePromise<Output, Failure>()
        let (ticket, action) = state.withLock { $0.join(key, promise) }
        // The cancelled promise fails by itself, if `Failure` can express that. Here, its waiter leaves the run.
        promise.onCancel {
            let awaitsOutcome = ErrandError(.cancelled) as? Failure == nil
            self.perform(self.state.withLock { $0.leave(ticket, awaitsOutcome: awaitsOutcome) })
        }
        if case .start(let number) = action { start(number, run) } else { perform(action) }
        let observer = WaitObserver.current
        observer?(Output.self, true)
        defer { observer?(Output.self, false) }
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
        case .cancel(let task): task?.cancel()
        case .resolve(let waiters, let outcome):
            for waiter in waiters { waiter.resolve(with: outcome) }
        }
    }
}

/// Tells tests that a task waits for a shared run that is private to the tested code.
///
/// It is a task-local value, because the code under test is between a test and the task that waits, and other tests run
/// at the same time. In production, each wait reads one task-local value, and nothing is called.
package enum WaitObserver {
    /// A closure that is called when a task has joined a run with this type of output, and when its wait ends.
    package typealias Observe = @Sendable (_ output: Any.Type, _ begins: Bool) -> Void

    /// The observer for the current task and the tasks that it starts; `nil` in production.
    @TaskLocal package static var current: Observe?
}

extension SharedRuns where Failure == any Error {
    /// Joins the open run for a key, or starts one, and waits for its value.
    ///
    /// - Throws: The error of `run`; ``ErrandError`` with `cancelled` if the waiting task is cancelled. A task that is
    ///   already cancelled starts nothing.
    package func join(_ key: Key, run: @escaping @Sendable () async throws -> Output) async throws -> Output {
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

/// The state machine of ``SharedRuns``. Each event returns an action, which the caller performs after it has released
/// the lock.
struct SharedRunsState<Key: Hashable & Sendable, Output: Sendable, Failure: Error>: Sendable {
    typealias Outcome = Result<Output, Failure>
    typealias Waiter = PipelinePromise<Output, Failure>

    enum Action: Sendable {
        case none
        /// Start the run with this number.
        case start(Int)
        /// Cancel the task of a run, if it has started.
        case cancel(Task<Void, Never>?)
        /// Resolve these waiters, the earliest first, and the departed ones last.
        case resolve([Waiter], Outcome)
    }

    /// The place of a waiter in its run.
    struct Ticket: Sendable {
        let run: Int
        let waiter: Int
    }

    private struct Run: Sendable {
        let key: Key
        /// The task; `nil` until the run has started.
        var task: Task<Void, Never>?
        /// The waiters by number.
        var waiters: [Int: Waiter]
        /// Cancelled waiters whose failure type cannot express cancellation. They receive the outcome.
        var departed: [Waiter] = []
        /// Whether the run was cancelled because its last waiter left.
        var isAbandoned = false
    }

    /// Whether a run is cancelled when its last waiter leaves; otherwise it continues.
    private let cancelsWhenLeft: Bool
    /// Whether an outcome is kept for later tasks. The outcome of a cancelled run is never kept.
    private let keepsOutcome: Bool
    /// The runs by number, which is that of the first waiter.
    private var runs: [Int: Run] = [:]
    /// The run that the next task with this key joins.
    private var openRuns: [Key: Int] = [:]
    private var outcomes: [Key: Outcome] = [:]
    /// The number of the last waiter.
    private var lastNumber = 0

    init(cancelsWhenLeft: Bool = true, keepsOutcome: Bool = false) {
        self.cancelsWhenLeft = cancelsWhenLeft
        self.keepsOutcome = keepsOutcome
    }

    /// The number of runs, including those that can no longer be joined.
    var count: Int { runs.count }
    /// The number of tasks that wait for a run, without those that were cancelled.
    var waiterCount: Int { runs.values.reduce(0) { $0 + $1.waiters.count } }

    /// Resolves the waiter with the outcome that is kept for a key. Otherwise, joins the open run or starts one.
    mutating func join(_ key: Key, _ waiter: Waiter) -> (ticket: Ticket, action: Action) {
        lastNumber += 1
        let ticket = Ticket(run: openRuns[key] ?? lastNumber, waiter: lastNumber)
        if let outcome = outcomes[key] { return (ticket, .resolve([waiter], outcome)) }
        guard openRuns[key] == nil else {
            runs[ticket.run]?.waiters[ticket.waiter] = waiter
            return (ticket, .none)
        }
        runs[ticket.run] = Run(key: key, waiters: [ticket.waiter: waiter])
        openRuns[key] = ticket.run
        return (ticket, .start(ticket.run))
    }

    /// Stores the task of a run that was started.
    mutating func started(_ number: Int, _ task: Task<Void, Never>) -> Action {
        guard let run = runs[number] else { return .none }
        runs[number]?.task = task
        return run.isAbandoned ? .cancel(task) : .none
    }

    /// Removes a waiter whose task was cancelled.
    ///
    /// - Parameter awaitsOutcome: Whether the waiter still has to receive the outcome of the run.
    mutating func leave(_ ticket: Ticket, awaitsOutcome: Bool = false) -> Action {
        guard let waiter = runs[ticket.run]?.waiters.removeValue(forKey: ticket.waiter) else { return .none }
        if awaitsOutcome { runs[ticket.run]?.departed.append(waiter) }
        guard cancelsWhenLeft, let run = runs[ticket.run], run.waiters.isEmpty else { return .none }
        runs[ticket.run]?.isAbandoned = true
        // A later task must not join the run, since it would receive `cancelled`.
        if openRuns[run.key] == ticket.run { openRuns[run.key] = nil }
        return .cancel(run.task)
    }

    /// Removes a run that has ended, and resolves its waiters.
    mutating func finish(_ number: Int, _ outcome: Outcome) -> Action {
        guard let run = runs.removeValue(forKey: number) else { return .none }
        if openRuns[run.key] == number {
            openRuns[run.key] = nil
            if keepsOutcome { outcomes[run.key] = outcome }
        }
        return .resolve(run.waiters.sorted { $0.key < $1.key }.map(\.value) + run.departed, outcome)
    }
}
