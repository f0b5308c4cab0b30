extension Collection {
    /// The outcomes of all pipelines of the collection as they come, at most `limit` runs at a time.
    ///
    /// ```swift
    /// for await (offset, result) in pipelines.merge(4) {
    ///     print(ids[offset], result)
    /// }
    /// ```
    ///
    /// - Parameter limit: The largest number of runs at a time, including those whose outcome the loop has not received;
    ///   less than 1 counts as 1. By default all run at once.
    public func merge<Output: Sendable, Failure: Error>(_ limit: Int = .max) -> MergedPipelines<Output, Failure>
    where Element == Pipeline<Output, Failure> {
        MergedPipelines(pipelines: Array(self), limit: limit)
    }
}

/// The outcomes of several pipelines in the order in which they come.
///
/// Each loop runs the pipelines once. A failure is an outcome like any other and does not affect the other runs. Cancelling
/// the task ends the loop, and so does leaving it; either cancels all runs.
public struct MergedPipelines<Output: Sendable, RunFailure: Error>: AsyncSequence, Sendable {
    /// The position of a pipeline in the collection, and the outcome of its run.
    public typealias Element = (offset: Int, result: Result<Output, RunFailure>)
    /// The sequence itself does not fail.
    public typealias Failure = Never

    let pipelines: [Pipeline<Output, RunFailure>]
    let limit: Int

    /// Starts to run the pipelines when the first outcome is asked for.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(runs: MergeRun(pipelines, limit: limit))
    }

    /// Gives one outcome after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let runs: MergeRun<Output, RunFailure>
        /// Cancels the runs when the iterator is released.
        private let token: CancellationToken

        init(runs: MergeRun<Output, RunFailure>) {
            self.runs = runs
            token = CancellationToken { runs.stop() }
        }

        /// The next outcome; nil after the last, and when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            // A task that is cancelled before it asks must not start anything.
            if Task.isCancelled {
                token.cancel()
                return nil
            }
            return try? await runs.next(failingWith: (any Error).self).get()
        }

        /// The next outcome, as ``next(isolation:)`` gives it.
        public mutating func next() async -> Element? {
            await next(isolation: #isolation)
        }
    }
}
