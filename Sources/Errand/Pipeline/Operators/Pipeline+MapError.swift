extension Pipeline {
    /// Turns a failure into another, of another type where wanted; the value passes unchanged.
    @inlinable
    public func mapError<NewFailure: Error>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> Pipeline<Output, NewFailure> {
        mapResult { result throws(NewFailure) in try result.mapError(transform).get() }
    }
}
