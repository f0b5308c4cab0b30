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
