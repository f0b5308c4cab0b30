extension Collection {
    /// Returns a pipeline that runs all pipelines of the collection, at most `limit` at a time. It returns their values
    /// in the order of the collection.
    ///
    /// ```swift
    /// let pipelines = ids.map { UserRequest(id: $0).start() }
    /// let users = try await pipelines.concurrently(4).value
    /// ```
    ///
    /// The first failure cancels the other runs and is the failure of the whole. The results of the other runs are
    /// discarded without waiting for them. Use ``results(concurrently:)`` to keep all outcomes. Cancelling cancels all
    /// runs.
    ///
    /// - Parameter limit: The maximum number of concurrent runs; less than 1 counts as 1.
    public func concurrently<Output: Sendable, Failure: Error>(_ limit: Int) -> Pipeline<[Output], Failure>
    where Element == Pipeline<Output, Failure> {
        let pipelines = Array(self)
        return Pipeline { () async throws(Failure) in
            // If the task is already cancelled, new tasks would start their work before they are cancelled.
            if Task.isCancelled, let failure = ErrandError(.cancelled) as? Failure { throw failure }
            let runs = MergeRun(pipelines, limit: limit)
            defer { runs.stop() }
            var values = [Output?](repeating: nil, count: pipelines.count)
            while let (offset, result) = try await runs.next(failingWith: Failure.self).get() {
                values[offset] = try result.get()
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
            let runs = MergeRun(pipelines, limit: limit)
            defer { runs.stop() }
            var results = [Result<Output, Failure>?](repeating: nil, count: pipelines.count)
            while case .success((let offset, let result)?) = await runs.next(failingWith: Never.self) {
                results[offset] = result
            }
            return results.compactMap(\.self)
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
}
