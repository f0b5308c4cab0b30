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
    ///   - decoder: A ``/ErrandJSON/FastJSONDecoder`` with settings, a `PropertyListDecoder`, or any other
    ///     ``/ErrandJSON/DataDecoder``; `nil`, the default, uses ``APIBase/decoder``.
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
                RetryFacts.current?.note { $0.isTransient = error.isTransient }
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

extension Pipeline where Output == DataResponse {
    /// Decodes the server's own error document if the status code was not accepted.
    ///
    /// ```swift
    /// do {
    ///     let user = try await sendRequest().decodeError(ProblemDetails.self).decode(User.self).value
    /// } catch let error as ErrandError {
    ///     print(error.payload(as: ProblemDetails.self)?.detail ?? error.description)
    /// }
    /// ```
    ///
    /// The failure keeps the code ``ErrandError/Code-swift.struct/unacceptableStatusCode`` and gains the document as
    /// ``ErrandError/payload(as:)``. If the body is not such a document, the error's reason says so, and where decoding
    /// failed. A body of ``ErrandError/bodyPrefixLimit`` bytes or more is not decoded, and the reason says that too. An
    /// empty body is not mentioned. Use it after `validateStatusCode(in:)`. Other failures and all values pass
    /// unchanged. If several types are tried, the last document that decodes counts. ``ProblemDetails`` decodes from
    /// any object.
    ///
    /// - Parameters:
    ///   - type: ``ProblemDetails``, or the type of this server's error documents.
    ///   - decoder: The decoder; `nil`, the default, uses that of the API that sent the request, or a
    ///     ``/ErrandJSON/FastJSONDecoder``.
    @inlinable
    public func decodeError<Payload: Decodable & Sendable>(
        _ type: Payload.Type, decoder: (any DataDecoder)? = nil
    ) -> Pipeline<DataResponse, any Error> {
        mapError { $0.decodingPayload(type, decoder: decoder) }
    }
}

extension Error {
    /// Returns this error with the server's error document, or with the reason why decoding it failed. An error without
    /// an unacceptable status is returned unchanged.
    @usableFromInline
    func decodingPayload<Payload: Decodable & Sendable>(
        _ type: Payload.Type, decoder: (any DataDecoder)? = nil
    ) -> any Error {
        guard var error = self as? ErrandError, error.code == .unacceptableStatusCode, !error.bodyPrefix.isEmpty
        else { return self }
        guard error.bodyPrefix.count < ErrandError.bodyPrefixLimit else {
            error.add("the error document is longer than \(ErrandError.bodyPrefixLimit) bytes")
            return error
        }
        let decoder = decoder ?? error.payloadDecoder ?? FastJSONDecoder()
        do {
            error.payload = try decoder.decode(type, from: error.bodyPrefix)
        } catch let failure {
            let place = DecodingFailure(failure, in: error.bodyPrefix, isJSON: decoder is JSONDecoder)
            error.add("the body is not a \(Payload.self): \(place)")
        }
        return error
    }
}
