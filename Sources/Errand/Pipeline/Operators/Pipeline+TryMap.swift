extension Pipeline {
    /// Returns a pipeline that transforms the value with a closure that may throw. A thrown error is the failure.
    ///
    /// Unlike with ``map(_:)``, the type of the failure becomes `any Error`.
    @inlinable
    public func tryMap<NewOutput>(
        _ transform: @escaping @Sendable (Output) throws -> NewOutput
    ) -> Pipeline<NewOutput, any Error> {
        mapResult { result throws(any Error) in try transform(try result.get()) }
    }
}
