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
        SharedPipeline(source: self).pipeline
    }
}

/// A pipeline that runs once for all tasks that join, and keeps its outcome.
struct SharedPipeline<Output: Sendable, Failure: Error>: Sendable {
    /// The key that all runs have in common.
    private struct Key: Hashable {}

    private let source: Pipeline<Output, Failure>
    private let runs = SharedRuns<Key, Output, Failure>(.init(keepsOutcome: true))

    init(source: Pipeline<Output, Failure>) {
        self.source = source
    }

    /// The number of tasks that wait for the run.
    var waiterCount: Int { runs.waiterCount }

    /// The pipeline whose awaiting tasks join the run.
    var pipeline: Pipeline<Output, Failure> {
        Pipeline { () async throws(Failure) in
            // A task that was cancelled before must not send anything.
            if Task.isCancelled, let failure = ErrandError(.cancelled) as? Failure { throw failure }
            return try await runs.join(Key(), run: run)
        }
    }

    /// Runs the pipeline once. The run must not belong to a retry of the first waiting task, since that retry would
    /// receive the kept outcome again.
    private func run() async -> Result<Output, Failure> {
        guard RetryFacts.current != nil else { return await source.result }
        return await RetryFacts.$current.withValue(nil) { await source.result }
    }
}
