extension Pipeline {
    /// Returns a pipeline that always fails with the given failure.
    public static func fail(_ failure: Failure) -> Pipeline {
        Pipeline(immediate: { () throws(Failure) in throw failure })
    }
}
