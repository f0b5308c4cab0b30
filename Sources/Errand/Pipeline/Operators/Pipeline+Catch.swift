extension Pipeline {
    /// Goes on, after a failure, with a pipeline made from it; the value passes unchanged.
    ///
    /// Cancellation is a failure too, and reaches the handler. Unlike ``replaceError(with:)``, the handler may fail.
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
