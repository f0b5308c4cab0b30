extension DeclarativeRequest {
    /// Builds the request for a service, and returns a stream of the response, as ``APIBase/sendStream()`` does for a
    /// class.
    ///
    /// ```swift
    /// for try await book in ExportRequest().startStream(with: library).values(of: Book.self) { … }
    /// ```
    ///
    /// ``decode(_:)`` is not called, because the body is read as it arrives.
    ///
    /// - Parameters:
    ///   - service: The destination of the request, and the settings it is sent with.
    ///   - stub: The response that replaces the transport's in tests; see ``Stubbable``.
    /// - Returns: The stream, which fails with the service's own error. Each loop sends the request.
    public func startStream<Destination: APIService>(
        with service: Destination, stub: Pipeline<DataResponse, any Error>? = nil
    ) -> ServiceStream<ResponseStream, Destination.Failure> {
        let request = DeclaredRequest(self, stub: stub)
        let stream = ServiceScope(service, for: request).start { request.sendStream() }
        return ServiceStream(stream) { service.failure(DeclaredRequest<Self>.failure($0)) }
    }
}
