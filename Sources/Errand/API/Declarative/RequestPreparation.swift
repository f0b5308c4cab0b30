/// What a declarative request does before it is sent: it checks its values, and changes the request.
struct RequestPreparation: Sendable {
    let validate: @Sendable () async throws -> Void
    let prepare: @Sendable (URLRequest) async throws -> URLRequest

    /// Returns the request as it is sent, checked once more.
    func prepared(_ request: TransportRequest) async throws -> TransportRequest {
        var request = request
        request.urlRequest = try await prepare(request.urlRequest)
        guard request.urlRequest.httpBodyStream == nil else {
            let reason = "prepare(_:) has added a stream, which must be the request's `body`"
            throw ErrandError(.invalidSetting, reason: reason)
        }
        try RequestCheck.check(request.urlRequest, bodyStream: request.bodyStream)
        return request
    }
}
