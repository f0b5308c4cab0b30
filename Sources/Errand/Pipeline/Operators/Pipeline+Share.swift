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
        SharedPipeline(self).pipeline
    }
}

/// A pipeline that runs once for all that join, and keeps its outcome.
struct SharedPipeline<Output: Sendable, Failure: Error>: Sendable {
    /// The key of runs that are all the same.
    private struct Key: Hashable {}

    private let source: Pipeline<Output, Failure>
    private let runs = SharedRuns<Key, Output, Failure>(.init(keepsOutcome: true))

    init(_ source: Pipeline<Output, Failure>) {
        self.source = source
    }

    /// Each task that awaits it joins.
    var pipeline: Pipeline<Output, Failure> {
        Pipeline { () async throws(Failure) in
            // A task that is cancelled before it asks must not send anything.
            if Task.isCancelled, let failure = ErrandError(.cancelled) as? Failure { throw failure }
            return try await runs.join(Key()) { await source.result }.delivery.value
        }
    }

    /// Joins now. What is returned waits for the outcome, and is to be awaited once.
    func join() -> Pipeline<Output, Failure> {
        let membership = runs.join(Key()) { await source.result }
        return Pipeline { () async throws(Failure) in try await membership.delivery.value }
    }
}
