extension APIBase {
    /// Builds the request with all its settings and returns a stream of the response. Call it in a leaf's
    /// ``StreamingRequest/startStream()``.
    ///
    /// The request is built when this method is called, by ``startRequest()``. Validation, authentication, retries,
    /// hooks and logs therefore apply as they do to ``sendRequest()``. They see the response head. If the status is 300
    /// or more, they also see the first bytes of the body, as many as an error keeps. Interceptors that need a complete
    /// body, such as a cache, are skipped.
    ///
    /// ``APIBase/mapError(_:)`` converts the errors of the stream and of its body.
    public final func sendStream() -> ResponseStream {
        let start = { self.starting(with: \.convertsLater, true) { self.startRequest() } }
        let pipeline =
            state.kind == .download
            ? start()
            : reporting({ starting(with: \.kind, .stream, start) }, as: { ResponseHead($0.withoutStream) })
        var scope = ServiceScope.current
        let failure = scope?.streamFailure
        scope?.streamFailure = nil
        let stream = ResponseStream { [scope] fields in
            try await ServiceScope.$current.withValue(scope ?? .current) {
                try await StreamReader(adding: fields).open(pipeline)
            }
        }
        // A download decides by the original error whether it resumes.
        guard state.kind != .download else { return stream }
        let own = failureConversion
        return stream.mappingErrors { failure?(own($0)) ?? own($0) }
    }
}

extension StreamingRequest where Self: APIBase {
    /// Builds the request for a service, as ``Request/schedule(with:)`` does.
    ///
    /// - Returns: The stream, whose errors are the service's own.
    public func startStream(with service: APIService<some Error>) -> Stream {
        var scope = ServiceScope(service, for: self)
        scope.streamFailure = { service.failure($0) }
        return scope.start { startStream() }
    }
}
