extension Pipeline where Output == DataResponse {
    /// Decodes the body as JSON, and keeps the response beside the value.
    ///
    /// ```swift
    /// let page = try await UsersRequest().sendRequest().decodeWithResponse([User].self).value
    /// print(page.value.count, page.response.headers["X-Total-Count"] ?? "unknown")
    /// ```
    ///
    /// Fails as ``decode(_:)`` does.
    @inlinable
    public func decodeWithResponse<Value: Decodable & SendableMetatype>(
        _ type: Value.Type
    ) -> Pipeline<DecodedResponse<Value>, any Error> {
        decodeWithResponse(type, decoder: JSONDecoder())
    }

    /// Decodes the body with a decoder of the caller, and keeps the response beside the value.
    ///
    /// Fails as ``decode(_:decoder:)`` does.
    @inlinable
    public func decodeWithResponse<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, decoder: some DataDecoder
    ) -> Pipeline<DecodedResponse<Value>, any Error> {
        tryMap { DecodedResponse(value: try $0.decode(type, decoder: decoder), response: $0) }
    }
}
