extension Pipeline {
    /// Returns a pipeline that continues with a pipeline from the value. A failure passes unchanged.
    ///
    /// ```swift
    /// UserRequest(id: 7).start().flatMap { user in PostsRequest(user: user.id).start() }
    /// ```
    ///
    /// Cancelling cancels the pipeline that is running.
    public func flatMap<NewOutput>(
        _ transform: @escaping @Sendable (Output) -> Pipeline<NewOutput, Failure>
    ) -> Pipeline<NewOutput, Failure> {
        Pipeline<NewOutput, Failure> { () async throws(Failure) in try await transform(try await value).value }
    }
}
