extension Pipeline where Output: Sendable {
    /// Returns a pipeline that runs once for all tasks that await it, and keeps its outcome.
    ///
    /// The first waiting task starts the run. Later tasks join the run, or receive its outcome after it has ended.
    ///
    /// Cancelling a waiting task does not affect the others. If `Failure` is `any Error` or ``ErrandError``, the
    /// cancelled task fails immediately with ``ErrandError/Code-swift.struct/cancelled``. Otherwise, it waits for the
    /// outcome. When the last waiting task has left, the run is cancelled and its outcome is not kept. The next task
    /// that awaits the pipeline starts a new run.
    public func share() -> Pipeline {
        SharedPipeline { _ in self }.pipeline
    }
}

/// A pipeline that runs once for all tasks that join, and keeps its outcome.
struct SharedPipeline<Output: Sendable, Failure: Error>: Sendable {
    /// The key that all runs have in common.
    private struct Key: Hashable {}

    /// Creates the pipeline of a run from its number. Later runs have higher numbers.
    private let source: @Sendable (Int) -> Pipeline<Output, Failure>
    private let runs = SharedRuns<Key, Output, Failure>(.init(keepsOutcome: true))

    init(_ source: @escaping @Sendable (Int) -> Pipeline<Output, Failure>) {
        self.source = source
    }

    /// The number of tasks that wait for the run.
    var waiterCount: Int { runs.waiterCount }

    /// The pipeline whose awaiting tasks join the run.
    var pipeline: Pipeline<Output, Failure> {
        Pipeline { () async throws(Failure) in
            // A task that was cancelled before must not send anything.
            if Task.isCancelled, let failure = ErrandError(.cancelled) as? Failure { throw failure }
            return try await runs.join(Key(), run: run).delivery.value
        }
    }

    /// Runs the pipeline once. The run must not belong to a retry of the first waiting task, since that retry would
    /// receive the kept outcome again.
    private func run(_ number: Int) async -> Result<Output, Failure> {
        let pipeline = source(number)
        guard RetryScope.current != nil else { return await pipeline.result }
        return await TaskContext.$current.withValue(TaskContext.current.with(nil, as: RetryScope.self)) {
            await pipeline.result
        }
    }

    /// Joins the run immediately.
    ///
    /// - Returns: A pipeline that waits for the outcome and must be awaited once, and the number of the run. The number
    ///   is `nil` if the outcome was already known.
    func join() -> (outcome: Pipeline<Output, Failure>, run: Int?) {
        let membership = runs.join(Key(), run: run)
        return (Pipeline { () async throws(Failure) in try await membership.delivery.value }, membership.run)
    }
}
