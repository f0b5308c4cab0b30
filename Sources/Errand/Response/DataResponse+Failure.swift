extension DataResponse {
    /// Creates an error from this response, for a custom check in a `tryMap`.
    ///
    /// ```swift
    /// sendRequest().tryMap { response in
    ///     let status = try response.decode(Status.self)
    ///     guard status.ok else { throw response.failure(.unacceptableStatusCode, payload: status) }
    ///     return response
    /// }
    /// ```
    ///
    /// Like the errors of `validateStatusCode(in:)` and `hasContentType(_:)`, it contains the request, the attempts,
    /// the status, the header fields and the first bytes of the body.
    ///
    /// - Parameters:
    ///   - code: The kind of failure: one of Errand's codes, or a custom one.
    ///   - reason: The details in one sentence, which must not contain a secret.
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
    package func with(response: DataResponse) -> ErrandError {
        var error = with(headOf: response)
        error.metrics = response.metrics
        if let note = response.note { error.add(note) }
        // A copy, because a slice would keep the whole body in memory as long as the error.
        error.bodyPrefix = Data(Array(response.data.prefix(Self.bodyPrefixLimit)))
        return error
    }
}

extension ErrandError {
    /// Returns this error with the head of the response that caused it, and without its body.
    func with(headOf response: DataResponse) -> ErrandError {
        var error = self
        error.method = response.method
        error.url = response.url?.redacted
        error.attempts = response.attempts
        error.statusCode = response.statusCode
        error.headers = response.headers
        error.payloadDecoder = response.decoder
        return error
    }
}
