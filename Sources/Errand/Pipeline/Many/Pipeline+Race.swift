extension Pipeline where Output: Sendable {
    /// Returns a pipeline that runs this pipeline and others at once and returns the first value.
    ///
    /// ```swift
    /// let file = try await mirrors[0].race(mirrors.dropFirst()).value
    /// ```
    ///
    /// The first value cancels the other runs. Their results are discarded without waiting for them. If all runs fail,
    /// the last failure is the failure of the whole. Cancelling cancels all runs.
    public func race(_ others: some Collection<Pipeline>) -> Pipeline {
        let pipelines = [self] + others
        return Pipeline { () async throws(Failure) in
            // If the task is already cancelled, new tasks would start their work before they are cancelled.
            if Task.isCancelled { return try await value }
            let runs = MergeRun(pipelines, limit: .max)
            defer { runs.stop() }
            var last: Result<Output, Failure>?
            while let (_, result) = try await runs.next(failingWith: Failure.self).get() {
                last = result
                if case .success = result { break }
            }
            guard let last else { return try await value }
            return try last.get()
        }
    }
}
