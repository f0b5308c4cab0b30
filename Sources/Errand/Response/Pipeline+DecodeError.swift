extension Pipeline where Output == DataResponse {
    /// Decodes the server's own error document when the status code was not accepted.
    ///
    /// ```swift
    /// do {
    ///     let user = try await sendRequest().decodeError(ProblemDetails.self).decode(User.self).value
    /// } catch let error as ErrandError {
    ///     print(error.payload(as: ProblemDetails.self)?.detail ?? error.description)
    /// }
    /// ```
    ///
    /// The failure stays ``ErrandError/Code-swift.struct/unacceptableStatusCode`` and gains the document as
    /// ``ErrandError/payload(as:)``. It passes unchanged where its body is no such document, or does not fit into
    /// ``ErrandError/bodyPrefixLimit``. Put it after `validateStatusCode(in:)`; other failures and all values pass.
    ///
    /// - Parameters:
    ///   - type: ``ProblemDetails``, or whatever this server answers with.
    ///   - decoder: What reads the body; by default a ``FastJSONDecoder``.
    @inlinable
    public func decodeError<Payload: Decodable & Sendable>(
        _ type: Payload.Type, decoder: some DataDecoder = FastJSONDecoder()
    ) -> Pipeline<DataResponse, any Error> {
        mapError { $0.decodingPayload(type, decoder: decoder) }
    }
}

extension Error {
    /// This error with the server's error document, where it is of an unacceptable status and has one of this type.
    @usableFromInline
    func decodingPayload(
        _ type: (some Decodable & Sendable).Type, decoder: some DataDecoder = FastJSONDecoder()
    ) -> any Error {
        guard var error = self as? ErrandError, error.code == .unacceptableStatusCode,
            error.bodyPrefix.count < ErrandError.bodyPrefixLimit,
            let payload = try? decoder.decode(type, from: error.bodyPrefix)
        else { return self }
        error.payload = payload
        return error
    }
}
