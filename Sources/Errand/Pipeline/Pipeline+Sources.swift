extension Pipeline where Output: Sendable {
    /// Returns a pipeline with an immediate value.
    @inlinable
    public static func just(_ value: Output) -> Pipeline {
        Pipeline(immediate: { () throws(Failure) in value })
    }
}

extension Pipeline {
    /// Returns a pipeline that always fails with the given failure.
    public static func fail(_ failure: Failure) -> Pipeline {
        Pipeline(immediate: { () throws(Failure) in throw failure })
    }

    /// Returns a pipeline that is created again for each run.
    ///
    /// ```swift
    /// Pipeline.deferred { try UserRequest(id: store.userID()).start() }
    /// ```
    ///
    /// - Parameter make: Called once for each run; the pipeline that it returns is run. An error that it throws is the
    ///   failure of the run. It may therefore throw any error if `Failure` is `any Error`, and none if `Failure` is
    ///   `Never`.
    public static func deferred(_ make: @escaping @Sendable () throws(Failure) -> Pipeline) -> Pipeline {
        Pipeline { () async throws(Failure) in try await make().value }
    }
}

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
