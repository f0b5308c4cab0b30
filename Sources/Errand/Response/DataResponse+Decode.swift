extension DataResponse {
    /// Decodes the body: as JSON, or with a decoder of your own.
    ///
    /// Unlike the operator `decode(_:)` on a pipeline, it does so here and now: for what is decoded in more than one step.
    ///
    /// - Throws: ``ErrandError`` with `decodingFailed`, whose reason says where in the document it failed and what was
    ///   expected there, never what stood there.
    public func decode<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, decoder: some DataDecoder = JSONDecoder()
    ) throws(ErrandError) -> Value {
        do {
            return try decoder.decode(type, from: data)
        } catch {
            let place = DecodingFailure(error, in: data, isJSON: decoder is JSONDecoder)
            throw ErrandError(.decodingFailed, reason: place.description, underlyingError: error).with(response: self)
        }
    }
}
