extension APIBase {
    /// The request with everything that applies to it, for an answer that is read as it comes: what a leaf's
    /// ``StreamingRequest/startStream()`` begins with.
    ///
    /// It is built now, with ``startRequest()``, so that validation, authentication, retries, hooks and logs apply as they
    /// do to ``sendRequest()``. They see the head. What looks at whole bodies, such as a cache, is passed by; of an answer
    /// of status 300 or more they see the first bytes too, as many as an error keeps.
    ///
    /// What the stream and its body fail with is converted by ``APIBase/mapError(_:)``.
    public final func sendStream() -> ResponseStream {
        let pipeline = kind == .download ? startRequest() : starting(as: .stream) { startRequest() }
        let scope = ServiceScope.current
        let stream = ResponseStream { fields in
            try await TaskContext.$current.withValue(TaskContext.current.inheriting(scope ?? .current)) {
                try await StreamReader(adding: fields).open(pipeline)
            }
        }
        // A download decides by the error whether it resumes.
        guard kind != .download else { return stream }
        let api: APIBase.Type = type(of: self)
        return stream.mappingErrors { api.mapError($0) }
    }
}

extension StreamingRequest where Self: APIBase {
    /// Builds the request for a service, as ``Request/schedule(with:)`` does.
    ///
    /// - Returns: The stream, which fails with the service's own error.
    public func startStream<Destination: APIService>(
        with service: Destination
    ) -> ServiceStream<Stream, Destination.Failure> {
        let stream = ServiceScope(service, for: self).start { startStream() }
        return ServiceStream(stream) { service.failure($0) }
    }
}
