extension Pipeline where Output: Sendable {
    /// A pipeline whose value is already there.
    @inlinable
    public static func just(_ value: Output) -> Pipeline {
        Pipeline(immediate: { () throws(Failure) in value })
    }
}
