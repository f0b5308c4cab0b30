extension Pipeline {
    /// Returns a pipeline that continues after a failure with a pipeline from the handler. A value passes unchanged.
    ///
    /// The handler also receives cancellation, which is a failure. Unlike ``replaceError(with:)``, the handler may
    /// return a pipeline that fails.
    public func `catch`<NewFailure: Error>(
        _ handler: @escaping @Sendable (Failure) -> Pipeline<Output, NewFailure>
    ) -> Pipeline<Output, NewFailure> {
        Pipeline<Output, NewFailure> { () async throws(NewFailure) in
            switch await result {
            case .success(let value): value
            case .failure(let failure): try await handler(failure).value
            }
        }
    }
}
