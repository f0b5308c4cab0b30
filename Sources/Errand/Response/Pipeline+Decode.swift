extension Pipeline where Output == DataResponse {
    /// Decodes the body as JSON.
    ///
    /// ```swift
    /// sendRequest().decode([User].self)
    /// ```
    ///
    /// An optional type decodes an empty body, such as that of status 204, as `nil`: `decode(User?.self)`.
    ///
    /// Fails with ``ErrandError/Code-swift.struct/decodingFailed``. Its reason says where in the document decoding
    /// failed and what was expected there, and names a status outside 200 to 299. It never quotes the document.
    @inlinable
    public func decode<Value: Decodable & SendableMetatype>(_ type: Value.Type) -> Pipeline<Value, any Error> {
        decode(type, decoder: JSONDecoder())
    }

    /// Decodes the body with a decoder of the caller: a `JSONDecoder` with settings, a `PropertyListDecoder`, or any
    /// other ``DataDecoder``.
    ///
    /// Fails with ``ErrandError/Code-swift.struct/decodingFailed``, as ``decode(_:)`` does.
    @inlinable
    public func decode<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, decoder: some DataDecoder
    ) -> Pipeline<Value, any Error> {
        tryMap { try $0.decode(type, decoder: decoder) }
    }
}
