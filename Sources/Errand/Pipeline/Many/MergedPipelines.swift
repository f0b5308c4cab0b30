extension Collection {
    /// Returns the outcomes of all pipelines of the collection, each as soon as its run ends, at most `limit` runs at a
    /// time.
    ///
    /// ```swift
    /// for await (offset, result) in pipelines.merge(4) {
    ///     print(ids[offset], result)
    /// }
    /// ```
    ///
    /// - Parameter limit: The maximum number of concurrent runs, including those whose outcome the loop has not
    ///   received. Less than 1 counts as 1. By default, all run at once.
    public func merge<Output: Sendable, Failure: Error>(_ limit: Int = .max) -> MergedPipelines<Output, Failure>
    where Element == Pipeline<Output, Failure> {
        MergedPipelines(pipelines: Array(self), limit: limit)
    }
}

/// The outcomes of several pipelines in the order in which their runs end.
///
/// Each loop runs the pipelines once. A failure is an outcome and does not affect the other runs. Cancelling the task
/// ends the loop and cancels all runs, and so does leaving the loop.
public struct MergedPipelines<Output: Sendable, RunFailure: Error>: AsyncSequence, Sendable {
    /// The position of a pipeline in the collection, and the outcome of its run.
    public typealias Element = (offset: Int, result: Result<Output, RunFailure>)
    /// The sequence itself does not fail.
    public typealias Failure = Never

    let pipelines: [Pipeline<Output, RunFailure>]
    let limit: Int

    /// Creates an iterator. The pipelines start when the first outcome is requested.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(runs: MergeRun(pipelines, limit: limit))
    }

    /// An iterator over the outcomes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let runs: MergeRun<Output, RunFailure>
        /// Cancels the runs when the iterator is released.
        private let token: CancellationToken

        init(runs: MergeRun<Output, RunFailure>) {
            self.runs = runs
            token = CancellationToken { runs.stop() }
        }

        /// Returns the next outcome; `nil` after the last one, and when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            // A task that was cancelled before must not start any run.
            if Task.isCancelled {
                token.cancel()
                return nil
            }
            return try? await runs.next(failingWith: (any Error).self).get()
        }

        /// Returns the next outcome, as ``next(isolation:)`` does.
        public mutating func next() async -> Element? {
            await next(isolation: #isolation)
        }
    }
}
