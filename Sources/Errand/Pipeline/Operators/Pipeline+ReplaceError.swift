extension Pipeline where Output: Sendable {
    /// Returns a pipeline that replaces any failure, including cancellation, with a value. The pipeline cannot fail.
    public func replaceError(with replacement: Output) -> Pipeline<Output, Never> {
        mapResult { result throws(Never) in (try? result.get()) ?? replacement }
    }
}
