extension DeclarativeRequest {
    /// Builds the request for a service, to be sent once however many wait for its response.
    ///
    /// It is built here and now; what ``validate()`` or ``prepare(_:)`` throws is what the response fails with. Every
    /// failure becomes the service's own error by ``APIService/mapError(_:)``.
    ///
    /// - Parameters:
    ///   - service: Where the request goes, and under what terms.
    ///   - stub: What answers in place of the transport, in tests: one of ``Stubbable``'s.
    public func schedule<Destination: APIService>(
        with service: Destination, stub: Pipeline<DataResponse, any Error>? = nil
    ) -> ScheduledRequest<Output, Destination.Failure> {
        DeclaredRequest(self, stub: stub).schedule(with: service)
    }

    /// Builds a request that has a ``url`` and needs no service, to be sent once however many wait for its response.
    ///
    /// Without a `url` it fails with ``ErrandError/Code-swift.struct/missingBaseURL``.
    ///
    /// - Parameter stub: What answers in place of the transport, in tests: one of ``Stubbable``'s.
    public func schedule(stub: Pipeline<DataResponse, any Error>? = nil) -> ScheduledRequest<Output, any Error> {
        DeclaredRequest(self, stub: stub).schedule()
    }
}
