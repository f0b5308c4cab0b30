extension DataResponse {
    /// The error that this answer is: for a check of your own, in a `tryMap`.
    ///
    /// ```swift
    /// sendRequest().tryMap { response in
    ///     let status = try response.decode(Status.self)
    ///     guard status.ok else { throw response.failure(.unacceptableStatusCode, payload: status) }
    ///     return response
    /// }
    /// ```
    ///
    /// It says what the errors of `validateStatusCode(in:)` and `hasContentType(_:)` say: the request, the attempts, the
    /// status, the header fields and the first bytes of the body.
    ///
    /// - Parameters:
    ///   - code: What happened: one of Errand's codes, or one of your own.
    ///   - reason: One sentence more about it, which must not show a secret.
    ///   - payload: The server's own error document, for ``ErrandError/payload(as:)``.
    ///   - underlyingError: The error that caused this one.
    public func failure(
        _ code: ErrandError.Code, reason: String? = nil, payload: (any Sendable)? = nil,
        underlyingError: (any Error)? = nil
    ) -> ErrandError {
        var error = ErrandError(code, reason: reason, underlyingError: underlyingError).with(response: self)
        error.payload = payload
        return error
    }
}

extension ErrandError {
    /// Adds the response that caused the error.
    func with(response: DataResponse) -> ErrandError {
        var error = self
        error.method = response.method
        error.url = response.url?.redacted
        error.attempts = response.attempts
        error.statusCode = response.statusCode
        error.headers = response.headers
        error.metrics = response.metrics
        error.payloadDecoder = response.decoder
        if let note = response.note { error.add(note) }
        // A copy: a slice would keep the whole body alive for as long as the error.
        error.bodyPrefix = Data(Array(response.data.prefix(Self.bodyPrefixLimit)))
        return error
    }
}
