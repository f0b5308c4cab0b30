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
    /// - Returns: The stream, whose errors are the service's own. Each loop sends the request.
    public func startStream(
        with service: some APIService, stub: Pipeline<DataResponse, any Error>? = nil
    ) -> ResponseStream {
        let request = DeclaredRequest(self, stub: stub)
        var scope = ServiceScope(service, for: request)
        scope.streamFailure = { service.failure(DeclaredRequest<Self>.failure($0)) }
        return scope.start { request.sendStream() }
    }
}
