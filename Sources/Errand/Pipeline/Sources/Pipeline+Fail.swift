extension Pipeline {
    /// A pipeline that fails, every time it is run, with the same failure.
    public static func fail(_ failure: Failure) -> Pipeline {
        Pipeline(immediate: { () throws(Failure) in throw failure })
    }
}
