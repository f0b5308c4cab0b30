extension Pipeline where Output == DataResponse {
    /// Decodes the body as JSON.
    ///
    /// ```swift
    /// sendRequest().decode([User].self)
    /// ```
    ///
    /// Fails with ``ErrandError/Code-swift.struct/decodingFailed``, whose reason says where in the document it failed
    /// and what was expected there, never what stood there.
    public func decode<Value: Decodable & SendableMetatype>(_ type: Value.Type) -> Pipeline<Value, any Error> {
        decode(type, decoder: JSONDecoder())
    }

    /// Decodes the body with a decoder of your own: a `JSONDecoder` with settings, a `PropertyListDecoder`, any
    /// ``DataDecoder``.
    ///
    /// Fails with ``ErrandError/Code-swift.struct/decodingFailed``, as ``decode(_:)`` does.
    public func decode<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, decoder: some DataDecoder
    ) -> Pipeline<Value, any Error> {
        tryMap { response in
            do {
                return try decoder.decode(type, from: response.data)
            } catch {
                let place = DecodingFailure(error, in: response.data, isJSON: decoder is JSONDecoder)
                throw ErrandError(.decodingFailed, reason: place.description, underlyingError: error)
                    .with(response: response)
            }
        }
    }
}
