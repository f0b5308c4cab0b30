extension Pipeline where Failure == Never {
    /// Gives a pipeline that cannot fail a type of failure, so that it fits where one is asked for.
    public func setFailureType<NewFailure: Error>(to failureType: NewFailure.Type) -> Pipeline<Output, NewFailure> {
        mapResult { result throws(NewFailure) in result.get() }
    }
}
