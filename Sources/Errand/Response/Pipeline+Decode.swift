extension Pipeline where Output == DataResponse {
    /// Decodes the body as JSON.
    ///
    /// ```swift
    /// sendRequest().decode([User].self)
    /// ```
    ///
    /// Fails with ``ErrandError/Code-swift.struct/decodingFailed``, whose reason says where in the document it failed
    /// and what was expected there, never what stood there.
    @inlinable
    public func decode<Value: Decodable & SendableMetatype>(_ type: Value.Type) -> Pipeline<Value, any Error> {
        decode(type, decoder: JSONDecoder())
    }

    /// Decodes the body with a decoder of your own: a `JSONDecoder` with settings, a `PropertyListDecoder`, any
    /// ``DataDecoder``.
    ///
    /// Fails with ``ErrandError/Code-swift.struct/decodingFailed``, as ``decode(_:)`` does.
    @inlinable
    public func decode<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, decoder: some DataDecoder
    ) -> Pipeline<Value, any Error> {
        tryMap { try $0.decode(type, decoder: decoder) }
    }
}
