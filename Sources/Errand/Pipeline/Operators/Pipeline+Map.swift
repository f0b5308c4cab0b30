extension Pipeline {
    /// Turns the value into another; a failure passes unchanged.
    ///
    /// Unlike ``tryMap(_:)``, the closure cannot fail, and the type of failure stays as it is.
    @inlinable
    public func map<NewOutput>(
        _ transform: @escaping @Sendable (Output) -> NewOutput
    ) -> Pipeline<NewOutput, Failure> {
        mapResult { result throws(Failure) in transform(try result.get()) }
    }
}
