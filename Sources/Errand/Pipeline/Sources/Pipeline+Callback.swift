extension Pipeline where Output: Sendable {
    /// Returns a pipeline that wraps an API with a callback.
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
    /// Cancelling the awaiting task calls the handler that was passed to ``PipelinePromise/onCancel(_:)``. If `Failure`
    /// is `any Error` or ``ErrandError``, the run fails immediately with ``ErrandError/Code-swift.struct/cancelled``.
    /// Any other run ends when the promise is resolved.
    ///
    /// - Parameter register: Called once for each run, with a new promise that must eventually be resolved.
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
