extension Pipeline where Output == DataResponse {
    /// Decodes the body, with the decoder of the API by default.
    ///
    /// ```swift
    /// sendRequest().decode([User].self)
    /// sendRequest().decode(Settings.self, decoder: PropertyListDecoder())
    /// ```
    ///
    /// For an optional type, an empty body, such as that of status 204, decodes as `nil`: `decode(User?.self)`. A body
    /// of more than 32 KiB is decoded outside the caller's actor, so that it does not block the main actor.
    ///
    /// Fails with ``ErrandError/Code-swift.struct/decodingFailed``. Its reason contains the place in the document, the
    /// expected value, and a status outside 200 to 299. It never quotes the document.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: A ``FastJSONDecoder`` with settings, a `PropertyListDecoder`, or any other ``DataDecoder``; `nil`,
    ///     the default, uses ``APIBase/decoder``.
    public func decode<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, decoder: (any DataDecoder)? = nil
    ) -> Pipeline<Value, any Error> {
        decoding { try $0.decode(type, decoder: decoder) }
    }

    /// Decodes the body as ``decode(_:decoder:)`` does, and returns the value together with the response.
    ///
    /// ```swift
    /// let page = try await UsersRequest().sendRequest().decodeWithResponse([User].self).value
    /// print(page.value.count, page.response.headers["X-Total-Count"] ?? "unknown")
    /// ```
    public func decodeWithResponse<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, decoder: (any DataDecoder)? = nil
    ) -> Pipeline<DecodedResponse<Value>, any Error> {
        decoding { DecodedResponse(value: try $0.decode(type, decoder: decoder), response: $0) }
    }

    /// Creates a value from the body: outside the caller's actor for a large body, without a change of executor for a
    /// small one.
    func decoding<Value>(
        _ decode: @escaping @Sendable (DataResponse) throws -> sending Value
    ) -> Pipeline<Value, any Error> {
        let noted: @Sendable (DataResponse) throws -> sending Value = { response in
            do {
                return try decode(response)
            } catch let error as ErrandError {
                // A service may convert this failure, and then a retry could not recognize it.
                RetryFacts.current?.note { $0.latest = .failure(error) }
                throw error
            }
        }
        guard case .suspending(let run) = source else { return tryMap(noted) }
        return Pipeline<Value, any Error> { () async throws(any Error) in
            let response = try await run()
            guard response.data.count > largestBodyOnActor else { return try noted(response) }
            return try await decodeConcurrently(response, noted)
        }
    }
}

/// The limit in bytes. Decoding 32 KiB of JSON takes about a quarter of a millisecond, which is more than a change of
/// thread.
private let largestBodyOnActor = 32_768

@concurrent private func decodeConcurrently<Value>(
    _ response: DataResponse, _ decode: @Sendable (DataResponse) throws -> sending Value
) async throws -> sending Value {
    try decode(response)
}

extension Pipeline where Output == DataResponse {
    /// Decodes the body as text, with the charset of its `Content-Type`, or UTF-8 if it names none.
    ///
    /// ```swift
    /// sendRequest().decodeText()
    /// ```
    ///
    /// In contrast, `decode(String.self)` decodes a JSON string in quotes. Fails with
    /// ``ErrandError/Code-swift.struct/decodingFailed`` as ``DataResponse/text()`` does.
    public func decodeText() -> Pipeline<String, any Error> {
        decoding { try $0.text() }
    }

    /// Accepts any body, including an empty one, and returns no value. Use it if only the success of the request
    /// matters.
    ///
    /// ```swift
    /// sendRequest().validateStatusCode(in: 200..<300).decodeVoid()
    /// ```
    @inlinable
    public func decodeVoid() -> Pipeline<Void, Failure> {
        map { _ in }
    }

    /// Accepts any body and returns no value; the same as ``decodeVoid()``.
    @inlinable
    public func decode(_ type: Void.Type) -> Pipeline<Void, Failure> {
        decodeVoid()
    }
}
