extension Pipeline {
    /// Returns a pipeline that transforms the value. A failure passes unchanged.
    ///
    /// Unlike with ``tryMap(_:)``, the closure cannot throw, and the type of the failure stays the same.
    @inlinable
    public func map<NewOutput>(
        _ transform: @escaping @Sendable (Output) -> NewOutput
    ) -> Pipeline<NewOutput, Failure> {
        mapResult { result throws(Failure) in transform(try result.get()) }
    }
}
