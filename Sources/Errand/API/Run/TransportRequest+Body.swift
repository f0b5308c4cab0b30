extension TransportRequest {
    /// Whether the body is only a placeholder.
    var hasDeferredBody: Bool { if case .deferred? = bodyStream?.origin { true } else { false } }

    /// Returns this request with the body that its placeholder creates, checked; this request if it has no placeholder.
    func withDeferredBody() async throws -> TransportRequest {
        guard case .deferred(let make)? = bodyStream?.origin else { return self }
        if Task.isCancelled { throw ErrandError(.cancelled) }
        let request = try await with(body: make)
        try RequestCheck.check(request.urlRequest, bodyStream: request.bodyStream)
        return request
    }

    /// Returns this request with a body that is created outside the caller's actor.
    @concurrent private func with(
        body make: @Sendable () throws -> RequestBody.Content
    ) async throws -> TransportRequest {
        var request = self
        switch try make() {
        case .none: request.bodyStream = nil
        case .data(let data): (request.urlRequest.httpBody, request.bodyStream) = (data, nil)
        case .stream(let stream):
            try stream.inspect()
            request.bodyStream = stream
        }
        return request
    }
}
