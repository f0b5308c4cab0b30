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

    /// Adds the head of the response that caused the error, but no bytes of its body.
    func with(headOf response: DataResponse) -> ErrandError {
        var error = self
        error.method = response.method
        error.exactURL = response.url
        error.peer = response.peer
        error.attempts = response.attempts
        error.statusCode = response.statusCode
        error.headers = response.headers
        error.payloadDecoder = response.decoder
        return error
    }
}

/// The description of a failure by a server, in the format of RFC 9457 (`application/problem+json`).
///
/// Decode it with `decodeError(ProblemDetails.self)`. For a server that adds its own members (section 3.2), define a
/// type that has them.
public struct ProblemDetails: Codable, Hashable, Sendable {
    /// A URI reference that identifies the kind of problem; `about:blank` if the server named none.
    public var type: String
    /// A short summary of the kind of problem.
    public var title: String?
    /// The status code, as the server that detected the problem set it.
    public var status: Int?
    /// An explanation of this occurrence for a person.
    public var detail: String?
    /// A URI reference that identifies this occurrence.
    public var instance: String?

    /// Creates a problem, for stubs and servers.
    public init(
        type: String = "about:blank", title: String? = nil, status: Int? = nil, detail: String? = nil,
        instance: String? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.instance = instance
    }

    /// Decodes a problem. Every member is optional, and a member of the wrong type is ignored, as section 3.1 requires.
    ///
    /// - Throws: A `DecodingError` for a document that is not an object.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func member<Value: Decodable>(_ key: CodingKeys) -> Value? {
            try? members.decodeIfPresent(Value.self, forKey: key)
        }
        self.init(
            type: member(.type) ?? "about:blank", title: member(.title), status: member(.status),
            detail: member(.detail), instance: member(.instance))
    }
}
