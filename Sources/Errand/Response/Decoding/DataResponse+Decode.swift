extension DataResponse {
    /// Decodes the body, with the decoder of the API by default.
    ///
    /// For an optional type, an empty body decodes as `nil`: the body of status 204 or 205, or one with zero bytes.
    ///
    /// ```swift
    /// let user = try response.decode(User?.self)
    /// ```
    ///
    /// In contrast to the operator `decode(_:)` of a pipeline, this method decodes immediately. Use it to decode in
    /// several steps.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The decoder; `nil`, the default, uses that of the API that sent the request, or a
    ///     ``FastJSONDecoder``.
    /// - Throws: ``ErrandError`` with `decodingFailed`. Its reason contains the place in the document, the expected
    ///   value, and a status outside 200 to 299. It never quotes the document.
    public func decode<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, decoder: (any DataDecoder)? = nil
    ) throws(ErrandError) -> Value {
        let decoder = decoder ?? self.decoder ?? FastJSONDecoder()
        if hasEmptyBody, let optional = type as? any OptionalValue.Type, let value = optional.empty as? Value {
            return value
        }
        do {
            return try decoder.decode(type, from: data)
        } catch {
            let place = DecodingFailure(error, in: data, isJSON: decoder is JSONDecoder).description
            let reason = 200..<300 ~= statusCode ? place : "the status is \(statusCode): \(place)"
            throw ErrandError(.decodingFailed, reason: reason, underlyingError: error).with(response: self)
        }
    }

    private var hasEmptyBody: Bool { data.isEmpty || statusCode == 204 || statusCode == 205 }
}

/// An optional type, for which an empty body is a value.
private protocol OptionalValue {
    static var empty: Any { get }
}

extension Optional: OptionalValue {
    fileprivate static var empty: Any { Optional.none as Any }
}
