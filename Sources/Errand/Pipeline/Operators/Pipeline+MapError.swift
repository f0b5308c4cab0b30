extension Pipeline {
    /// Returns a pipeline that transforms a failure, also into one of another type. A value passes unchanged.
    @inlinable
    public func mapError<NewFailure: Error>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> Pipeline<Output, NewFailure> {
        mapResult { result throws(NewFailure) in try result.mapError(transform).get() }
    }
}
