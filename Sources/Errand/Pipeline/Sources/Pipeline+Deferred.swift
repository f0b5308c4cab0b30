extension Pipeline {
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
