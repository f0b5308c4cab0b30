extension APIBase {
    /// The request with everything that applies to it, for an answer that is read as it comes: what a leaf's
    /// ``StreamingRequest/startStream()`` begins with.
    ///
    /// It is built now, with ``startRequest()``, so that validation, authentication, retries, hooks and logs apply as they
    /// do to ``sendRequest()``. They see the head. What looks at whole bodies, such as a cache, is passed by; of an answer
    /// of status 300 or more they see the first bytes too, as many as an error keeps.
    public final func sendStream() -> ResponseStream {
        opensStream = true
        defer { opensStream = false }
        let pipeline = startRequest()
        return ResponseStream { try await StreamReader(adding: $0).open(pipeline) }
    }
}

extension StreamingRequest where Self: APIBase {
    /// Builds the request for another service than the class names, as ``Request/schedule(with:)`` does.
    ///
    /// What fails, fails with an ``ErrandError``: the service's own error is for responses.
    public func startStream(with service: some Service) -> Stream {
        let previous = self.service
        self.service = service
        defer { self.service = previous }
        return startStream()
    }
}
