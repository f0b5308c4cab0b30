extension DeclarativeRequest {
    /// Builds the request for a service, so that it is sent once for all tasks that wait for its response.
    ///
    /// The request is built immediately. An error of ``validate()`` or ``prepare(_:)`` fails the response.
    /// ``APIService/mapError(_:)`` converts each failure into the service's own error.
    ///
    /// - Parameters:
    ///   - service: The destination of the request, and the settings it is sent with.
    ///   - stub: The response that replaces the transport's in tests; see ``Stubbable``.
    public func schedule<Destination: APIService>(
        with service: Destination, stub: Pipeline<DataResponse, any Error>? = nil
    ) -> ScheduledRequest<Output, Destination.Failure> {
        DeclaredRequest(self, stub: stub).schedule(with: service)
    }

    /// Builds the request for a service, and returns a pipeline that sends it each time it runs.
    ///
    /// ``validate()`` and ``prepare(_:)`` are called each time it runs.
    ///
    /// Use it for operators that send the request again, such as `retry(_:)`; ``schedule(with:stub:)`` sends it once.
    ///
    /// - Parameters:
    ///   - service: The destination of the request, and the settings it is sent with.
    ///   - stub: The response that replaces the transport's in tests; see ``Stubbable``.
    public func start<Destination: APIService>(
        with service: Destination, stub: Pipeline<DataResponse, any Error>? = nil
    ) -> Pipeline<Output, Destination.Failure> {
        DeclaredRequest(self, stub: stub).start(with: service)
    }

    /// Builds a request that needs no service, so that it is sent once for all tasks that wait for its response.
    ///
    /// It needs a ``url`` or its own ``RequestSettings/baseURL``. Without either, it fails with
    /// ``ErrandError/Code-swift.struct/missingBaseURL``.
    ///
    /// - Parameter stub: The response that replaces the transport's in tests; see ``Stubbable``.
    public func schedule(stub: Pipeline<DataResponse, any Error>? = nil) -> ScheduledRequest<Output, any Error> {
        DeclaredRequest(self, stub: stub).schedule()
    }
}
