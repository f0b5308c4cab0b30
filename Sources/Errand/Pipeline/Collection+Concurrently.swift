extension Collection {
    /// Returns a pipeline that runs all pipelines of the collection, at most `limit` at a time. It returns their values
    /// in the order of the collection.
    ///
    /// ```swift
    /// let pipelines = ids.map { UserRequest(id: $0).start() }
    /// let users = try await pipelines.concurrently(4).value
    /// ```
    ///
    /// The first failure cancels the other runs and is the failure of the whole, after all runs have ended. Use
    /// ``results(concurrently:)`` to keep all outcomes. Cancelling cancels all runs.
    ///
    /// - Parameter limit: The maximum number of concurrent runs; less than 1 counts as 1.
    public func concurrently<Output: Sendable, Failure: Error>(_ limit: Int) -> Pipeline<[Output], Failure>
    where Element == Pipeline<Output, Failure> {
        let pipelines = Array(self)
        return Pipeline { () async throws(Failure) in
            // If `Failure` cannot express cancellation, the cancelled task starts the runs. Each decides how it ends.
            if Task.isCancelled, let failure = ErrandError(.cancelled) as? Failure { throw failure }
            var values = [Output?](repeating: nil, count: pipelines.count)
            var failure: Failure?
            await pipelines.run(limit) { offset, result in
                switch result {
                case .success(let value): values[offset] = value
                case .failure(let error): failure = error
                }
                return failure == nil
            }
            if let failure {
                // After a cancellation, the failure of one run does not say why the whole ended.
                if Task.isCancelled, let cancelled = ErrandError(.cancelled) as? Failure { throw cancelled }
                throw failure
            }
            return values.compactMap(\.self)
        }
    }

    /// Returns a pipeline that runs all pipelines of the collection, at most `limit` at a time. It returns their
    /// outcomes in the order of the collection.
    ///
    /// A failure does not affect the other runs. Cancelling cancels all runs. Those that have not started begin in a
    /// cancelled task, in which a request sends nothing and fails with ``ErrandError/Code-swift.struct/cancelled``.
    ///
    /// - Parameter limit: The maximum number of concurrent runs; less than 1 counts as 1.
    public func results<Output: Sendable, Failure: Error>(
        concurrently limit: Int
    ) -> Pipeline<[Result<Output, Failure>], Never> where Element == Pipeline<Output, Failure> {
        let pipelines = Array(self)
        return Pipeline<[Result<Output, Failure>], Never> { () async throws(Never) in
            var results = [Result<Output, Failure>?](repeating: nil, count: pipelines.count)
            await pipelines.run(limit) { offset, result in
                results[offset] = result
                return true
            }
            return results.compactMap(\.self)
        }
    }
}

extension Array {
    /// Runs all pipelines, at most `limit` at a time, and passes each outcome to a closure as soon as its run ends.
    ///
    /// When the closure returns `false`, the other runs are cancelled, and no other starts. The method returns when all
    /// runs that have started have ended.
    ///
    /// - Parameter receive: Called with the position of the pipeline and the outcome of its run.
    func run<Output: Sendable, Failure: Error>(
        _ limit: Int, receive: (Int, Result<Output, Failure>) -> Bool
    ) async where Element == Pipeline<Output, Failure> {
        await withTaskGroup(of: (offset: Int, result: Result<Output, Failure>).self) { group in
            var waiting = enumerated().makeIterator()
            var running = 0
            while true {
                while running < Swift.max(limit, 1), let (offset, pipeline) = waiting.next() {
                    group.addTask { (offset, await pipeline.result) }
                    running += 1
                }
                guard let outcome = await group.next() else { return }
                running -= 1
                guard receive(outcome.offset, outcome.result) else { return group.cancelAll() }
            }
        }
    }
}

extension Pipeline where Output: Sendable {
    /// Returns a pipeline that runs all pipelines of a collection at once and returns their values in the order of the
    /// collection.
    ///
    /// It is the same as ``Swift/Collection/concurrently(_:)`` without a limit. It is not a method of collections,
    /// since it would hide the function `zip(_:_:)` of the standard library.
    public static func zip(_ pipelines: some Collection<Pipeline>) -> Pipeline<[Output], Failure> {
        pipelines.concurrently(.max)
    }

    /// Returns a pipeline that runs this pipeline and others at once and returns the first value.
    ///
    /// ```swift
    /// let file = try await mirrors[0].race(mirrors.dropFirst()).value
    /// ```
    ///
    /// The first value cancels the other runs, and is the value of the whole after they have ended. If all runs fail,
    /// the last failure is the failure of the whole. Cancelling cancels all runs.
    public func race(_ others: some Collection<Pipeline>) -> Pipeline {
        let pipelines = [self] + others
        return Pipeline { () async throws(Failure) in
            // In a cancelled task, one run is enough to decide how the whole ends.
            if Task.isCancelled { return try await value }
            var last: Result<Output, Failure>?
            await pipelines.run(.max) { _, result in
                last = result
                if case .success = result { return false }
                return true
            }
            if case .failure? = last, Task.isCancelled, let cancelled = ErrandError(.cancelled) as? Failure {
                throw cancelled
            }
            // There is at least one run, so this is always set.
            guard let last else { return try await value }
            return try last.get()
        }
    }
}

extension Collection {
    /// Returns a sequence that runs all pipelines of the collection, at most `limit` at a time. It delivers each
    /// outcome as soon as the run ends, with the position of the pipeline in the collection.
    ///
    /// ```swift
    /// for await (offset, result) in pipelines.merge(4) {
    ///     print(ids[offset], result)
    /// }
    /// ```
    ///
    /// Each loop runs the pipelines once. A failure is an outcome and does not affect the other runs. Cancelling the
    /// task ends the loop and cancels all runs, and so does leaving the loop.
    ///
    /// - Parameter limit: The maximum number of concurrent runs, including those whose outcome the loop has not
    ///   received. Less than 1 counts as 1. By default, all run at once.
    public func merge<Output: Sendable, Failure: Error>(
        _ limit: Int = .max
    ) -> some AsyncSequence<(offset: Int, result: Result<Output, Failure>), Never> & Sendable
    where Element == Pipeline<Output, Failure> {
        MergedPipelines(pipelines: Array(self), limit: limit)
    }
}

/// The outcomes of several pipelines in the order in which their runs end.
private struct MergedPipelines<Output: Sendable, RunFailure: Error>: AsyncSequence, Sendable {
    typealias Element = (offset: Int, result: Result<Output, RunFailure>)

    let pipelines: [Pipeline<Output, RunFailure>]
    let limit: Int

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pipelines, limit: limit)
    }

    /// An iterator. The pipelines start when the first outcome is requested.
    struct AsyncIterator: AsyncIteratorProtocol {
        private let limit: Int
        private var waiting: EnumeratedSequence<[Pipeline<Output, RunFailure>]>.Iterator
        /// The runs whose outcomes were not received, by the positions of their pipelines. A token cancels its run when
        /// it is released.
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
        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            // A cancelled task must not start any run.
            if Task.isCancelled { runs = [:] } else { startRuns() }
            guard !runs.isEmpty, let outcome = await outcomes.next(isolation: actor) else {
                runs = [:]
                return nil
            }
            runs[outcome.offset] = nil
            // The task may have been cancelled since the outcome came.
            if !Task.isCancelled { startRuns() }
            return outcome
        }

        mutating func next() async -> Element? {
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
