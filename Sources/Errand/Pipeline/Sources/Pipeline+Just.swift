extension Pipeline where Output: Sendable {
    /// Returns a pipeline with an immediate value.
    @inlinable
    public static func just(_ value: Output) -> Pipeline {
        Pipeline(immediate: { () throws(Failure) in value })
    }
}
