/// The steps of a declarative request before it is sent: it checks its values and changes the request.
struct RequestPreparation: Sendable {
    let validate: @Sendable () async throws -> Void
    let prepare: @Sendable (URLRequest) async throws -> URLRequest

    /// Prepares the request and checks it again.
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
