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
    ///     ``FastJSONDecoder``.
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
        let decoder = decoder ?? error.payloadDecoder as? any DataDecoder ?? FastJSONDecoder()
        do {
            error.payload = try decoder.decode(type, from: error.bodyPrefix)
        } catch let failure {
            let place = DecodingFailure(failure, in: error.bodyPrefix, isJSON: decoder is JSONDecoder)
            error.add("the body is not a \(Payload.self): \(place)")
        }
        return error
    }
}
