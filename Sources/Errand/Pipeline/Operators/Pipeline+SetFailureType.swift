extension Pipeline where Failure == Never {
    /// Returns this pipeline, which cannot fail, with another type of failure, for use where that type is required.
    public func setFailureType<NewFailure: Error>(to failureType: NewFailure.Type) -> Pipeline<Output, NewFailure> {
        mapResult { result throws(NewFailure) in result.get() }
    }
}
