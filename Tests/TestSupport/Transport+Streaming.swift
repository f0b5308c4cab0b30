package import Errand

extension Transport {
    /// Sends a request and waits for the head of the response, whose body is read as it arrives.
    package func stream(_ request: TransportRequest) async throws -> DataResponse {
        var request = request
        request.streamsResponse = true
        return try await send(request)
    }
}
