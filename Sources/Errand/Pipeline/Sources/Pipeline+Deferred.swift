extension Pipeline {
    /// A pipeline that is made when it is run, each time anew.
    ///
    /// - Parameter make: Called once for each run; what it returns is run in its place.
    public static func deferred(_ make: @escaping @Sendable () -> Pipeline) -> Pipeline {
        Pipeline { () async throws(Failure) in try await make().value }
    }
}
