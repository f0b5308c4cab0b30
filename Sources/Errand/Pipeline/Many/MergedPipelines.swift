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
        AsyncIterator(pipelines, limit: limit)
    }

    /// An iterator over the outcomes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let limit: Int
        private var waiting: EnumeratedSequence<[Pipeline<Output, RunFailure>]>.Iterator
        /// The runs whose outcomes were not received. A token cancels its run when it is released.
        private var runs: [Int: CancellationToken] = [:]
        private var outcomes: AsyncStream<Element>.Iterator
        private let continuation: AsyncStream<Element>.Continuation

        init(_ pipelines: [Pipeline<Output, RunFailure>], limit: Int) {
            let (stream, continuation) = AsyncStream<Element>.makeStream()
            self.limit = Swift.max(limit, 1)
            self.continuation = continuation
            waiting = pipelines.enumerated().makeIterator()
            outcomes = stream.makeAsyncIterator()
        }

        /// Returns the next outcome; `nil` after the last one, and when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            // A task that was cancelled before must not start any run.
            if Task.isCancelled { runs = [:] } else { startRuns() }
            guard !runs.isEmpty, let outcome = await outcomes.next(isolation: actor) else {
                runs = [:]
                return nil
            }
            runs[outcome.offset] = nil
            startRuns()
            return outcome
        }

        /// Returns the next outcome, as ``next(isolation:)`` does.
        public mutating func next() async -> Element? {
            await next(isolation: #isolation)
        }

        private mutating func startRuns() {
            while runs.count < limit, let (offset, pipeline) = waiting.next() {
                let task = Task { [continuation] in _ = continuation.yield((offset, await pipeline.result)) }
                runs[offset] = CancellationToken { task.cancel() }
            }
        }
    }
}
