extension Pipeline {
    /// Goes on with a pipeline made from the value; a failure passes unchanged.
    ///
    /// ```swift
    /// UserRequest(id: 7).start().flatMap { user in PostsRequest(user: user.id).start() }
    /// ```
    ///
    /// Cancelling reaches whichever of the two is running.
    public func flatMap<NewOutput>(
        _ transform: @escaping @Sendable (Output) -> Pipeline<NewOutput, Failure>
    ) -> Pipeline<NewOutput, Failure> {
        Pipeline<NewOutput, Failure> { () async throws(Failure) in try await transform(try await value).value }
    }
}
