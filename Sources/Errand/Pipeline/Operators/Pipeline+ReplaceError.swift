extension Pipeline where Output: Sendable {
    /// Puts a value in the place of any failure, cancellation included; the pipeline can no longer fail.
    public func replaceError(with replacement: Output) -> Pipeline<Output, Never> {
        mapResult { result throws(Never) in (try? result.get()) ?? replacement }
    }
}
