extension Pipeline where Output: Sendable {
    /// A pipeline over an API that answers through a callback.
    ///
    /// ```swift
    /// Pipeline<Data, any Error>.callback { promise in
    ///     let job = legacy.load { data, error in
    ///         promise.resolve(with: error.map { .failure($0) } ?? .success(data))
    ///     }
    ///     promise.onCancel { job.stop() }
    /// }
    /// ```
    ///
    /// Cancelling the awaiting task calls the handler given to ``PipelinePromise/onCancel(_:)``. Where `Failure` can express
    /// it (it is `any Error` or ``ErrandError``), the run fails at once with ``ErrandError/Code-swift.struct/cancelled``;
    /// any other run ends when the promise is resolved.
    ///
    /// - Parameter register: Called once for each run, with a new promise that must be resolved in the end.
    public static func callback(
        _ register: @escaping @Sendable (PipelinePromise<Output, Failure>) -> Void
    ) -> Pipeline {
        Pipeline { () async throws(Failure) in
            let promise = PipelinePromise<Output, Failure>()
            register(promise)
            return try await promise.value
        }
    }
}
