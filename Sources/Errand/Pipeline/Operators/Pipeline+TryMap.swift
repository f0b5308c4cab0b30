extension Pipeline {
    /// Turns the value into another with a closure that may throw; what it throws is the failure.
    ///
    /// Unlike ``map(_:)``, the failure becomes `any Error`.
    @inlinable
    public func tryMap<NewOutput>(
        _ transform: @escaping @Sendable (Output) throws -> NewOutput
    ) -> Pipeline<NewOutput, any Error> {
        mapResult { result throws(any Error) in try transform(try result.get()) }
    }
}
