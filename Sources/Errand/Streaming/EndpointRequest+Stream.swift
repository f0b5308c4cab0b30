extension EndpointRequest {
    /// Builds the request for a service, and returns a stream of the response, as ``APIBase/sendStream()`` does for a
    /// class.
    ///
    /// ```swift
    /// for try await book in ExportRequest().startStream(with: library).values(of: Book.self) { … }
    /// ```
    ///
    /// The endpoint's output is not used, because the body is read as it arrives.
    ///
    /// - Parameters:
    ///   - service: The destination of the request, and the settings it is sent with.
    ///   - stub: The response that replaces the transport's in tests; see ``Stubbable``.
    /// - Returns: The stream, whose errors are the service's own. Each loop sends the request.
    public func startStream<Failure>(
        with service: APIService<Failure>, stub: Pipeline<DataResponse, any Error>? = nil
    ) -> ResponseStream {
        let (api, endpoint) = (APIBase(stub: stub), endpoint)
        var scope = ServiceScope(service, for: api, server: endpoint.server)
        scope.streamFailure = { service.failure($0) }
        return scope.start { api.sending(endpoint) { api.sendStream() } }
    }

    /// Builds a request that needs no service, and returns a stream of the response; see ``schedule(stub:)``.
    public func startStream(stub: Pipeline<DataResponse, any Error>? = nil) -> ResponseStream {
        let api = APIBase(stub: stub)
        return api.sending(endpoint) { api.sendStream() }
    }
}
