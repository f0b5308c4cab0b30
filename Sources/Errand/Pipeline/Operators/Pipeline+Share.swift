extension Pipeline where Output: Sendable {
    /// A pipeline that runs once for all tasks that wait for it, and keeps its outcome.
    ///
    /// The first task that waits starts the run. Later tasks join the run, or receive its outcome after it has ended.
    ///
    /// A waiting task that is cancelled does not affect the others. It fails at once with
    /// ``ErrandError/Code-swift.struct/cancelled`` if `Failure` can express that (it is `any Error` or ``ErrandError``), and
    /// otherwise waits for the outcome. When the last waiting task has left, the run is cancelled and its outcome is not
    /// kept: the next task that waits starts a new run.
    public func share() -> Pipeline {
        SharedPipeline { _ in self }.pipeline
    }
}

/// A pipeline that runs once for all that join, and keeps its outcome.
struct SharedPipeline<Output: Sendable, Failure: Error>: Sendable {
    /// The key of runs that are all the same.
    private struct Key: Hashable {}

    /// Makes the pipeline of a run from its number, which later runs exceed.
    private let source: @Sendable (Int) -> Pipeline<Output, Failure>
    private let runs = SharedRuns<Key, Output, Failure>(.init(keepsOutcome: true))

    init(_ source: @escaping @Sendable (Int) -> Pipeline<Output, Failure>) {
        self.source = source
    }

    /// How many tasks wait for the run.
    var waiterCount: Int { runs.waiterCount }

    /// Each task that awaits it joins.
    var pipeline: Pipeline<Output, Failure> {
        Pipeline { () async throws(Failure) in
            // A task that is cancelled before it asks must not send anything.
            if Task.isCancelled, let failure = ErrandError(.cancelled) as? Failure { throw failure }
            return try await runs.join(Key(), run: run).delivery.value
        }
    }

    /// One run. It does not belong to a retry around the first waiting task, because that retry would get the kept outcome again.
    private func run(_ number: Int) async -> Result<Output, Failure> {
        let pipeline = source(number)
        guard RetryScope.current != nil else { return await pipeline.result }
        return await TaskContext.$current.withValue(TaskContext.current.with(nil, as: RetryScope.self)) {
            await pipeline.result
        }
    }

    /// Joins now.
    ///
    /// - Returns: A pipeline that waits for the outcome, to be awaited once, and the number of the run; `nil` when the outcome was
    ///   there already.
    func join() -> (outcome: Pipeline<Output, Failure>, run: Int?) {
        let membership = runs.join(Key(), run: run)
        return (Pipeline { () async throws(Failure) in try await membership.delivery.value }, membership.run)
    }
}
