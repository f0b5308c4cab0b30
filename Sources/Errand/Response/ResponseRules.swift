/// The rules by which a run judges its response: the accepted status codes and media types of the settings.
///
/// A run applies them once, to the response that the interceptors return. Before that, interceptors see every response,
/// such as one with status 304 or 401. A retry asks them about the response to each attempt. Operators such as
/// `validateStatusCode(in:)` come after the run, so retries do not see them.
package struct ResponseRules: Hashable, Sendable {
    /// The accepted status codes; `nil` if no setting judges the status.
    package var statusCodes: StatusCodes?
    /// The accepted media types; `nil` for every type.
    package var contentTypes: [ContentType]?

    /// Fails for a response that is not accepted: first for its status, then for its media type.
    func judge(_ response: DataResponse) throws(ErrandError) {
        try statusCodes?.check(response)
        if let contentTypes { try response.checkContentType(contentTypes) }
    }

    /// Returns a response with a mark if no rule applies to its status, and the status is outside 200 to 299.
    func marking(_ response: DataResponse) -> DataResponse {
        var response = response
        response.isUnjudged = statusCodes == nil && !(200..<300 ~= response.statusCode)
        return response
    }

    /// Whether another attempt may be needed after a response. A status that no setting judges counts as a failure from
    /// 400 on.
    func isFailure(_ response: DataResponse) -> Bool {
        if statusCodes == nil, response.statusCode >= 400 { return true }
        do { try judge(response) } catch { return true }
        return false
    }
}

extension Pipeline where Output == DataResponse {
    /// Fails with ``ErrandError/Code-swift.struct/unacceptableStatusCode`` unless the status code is accepted.
    ///
    /// ```swift
    /// super.startRequest().validateStatusCode(in: 200..<300)
    /// sendRequest().validateStatusCode(in: [200, 404])
    /// ```
    ///
    /// The error contains the status, the header fields and the first bytes of the body.
    ///
    /// - Parameter accepted: The accepted codes: a range with a lower bound, an array, a set or any other finite
    ///   sequence. It is read once, in this call.
    @inlinable
    public func validateStatusCode(in accepted: some Sequence<Int>) -> Pipeline<DataResponse, any Error> {
        accepting(StatusCodes(accepted))
    }

    @usableFromInline
    func accepting(_ accepted: StatusCodes) -> Pipeline<DataResponse, any Error> {
        tryMap { response in
            try accepted.check(response)
            var response = response
            response.isUnjudged = false
            return response
        }
    }
}

extension DataResponse {
    /// Fails for a response with a mark, whose status is outside 200 to 299 and was not accepted. Operators that decode
    /// the body call it. `map` and `tryMap` receive every response.
    func requireSuccess() throws(ErrandError) {
        guard isUnjudged else { return }
        throw rejection("which nothing accepts: set `acceptedStatusCodes`, or call `validateStatusCode(in:)`")
    }

    /// The error of a status that is not accepted, with the error document that `decodeError(_:)` left.
    fileprivate func rejection(_ expectation: String) -> ErrandError {
        let reason = "the status is \(statusCode), \(expectation)"
        let error = ErrandError(.unacceptableStatusCode, reason: reason).with(response: self)
        return errorDocument?.decoded(from: error) ?? error
    }
}

/// The types of error documents that `decodeError(_:)` leaves at a response for a later judgement.
final class ErrorDocument: Sendable {
    private let decode: @Sendable (any Error) -> any Error
    private let previous: ErrorDocument?

    init(after previous: ErrorDocument? = nil, _ decode: @escaping @Sendable (any Error) -> any Error) {
        self.previous = previous
        self.decode = decode
    }

    /// Returns these documents after others.
    func following(_ others: ErrorDocument?) -> ErrorDocument {
        others.map { ErrorDocument(after: $0, decode) } ?? self
    }

    /// Returns an error with the last document that its body contains.
    func decoded(from error: ErrandError) -> ErrandError {
        let error = previous?.decoded(from: error) ?? error
        return decode(error) as? ErrandError ?? error
    }
}

extension StatusCodes {
    func check(_ response: DataResponse) throws(ErrandError) {
        guard !contains(response.statusCode) else { return }
        throw response.rejection(expectation)
    }

    /// The accepted codes in words, for the end of an error message: `not 200 to 299`.
    private var expectation: String {
        guard !ranges.isEmpty else { return "and no status is accepted" }
        // A longer list would not help a reader of the message.
        guard ranges.count <= 5 else { return "which is not among the accepted ones" }
        return "not \(self)"
    }
}

extension Pipeline where Output == DataResponse {
    /// Fails with ``ErrandError/Code-swift.struct/unacceptableContentType`` unless the body has one of these media
    /// types.
    ///
    /// ```swift
    /// .hasContentType(.json)
    /// .hasContentType("application/*", "text/json")
    /// ```
    ///
    /// Type and subtype are compared case-insensitively, and the parameters of the response's `Content-Type` are
    /// ignored (RFC 9110, section 8.3.1). A response without a body passes.
    ///
    /// - Parameter accepted: Media types, or ranges such as `application/*`. An invalid one matches nothing.
    public func hasContentType(_ accepted: ContentType...) -> Pipeline<DataResponse, any Error> {
        hasContentType(accepted)
    }

    /// Fails with ``ErrandError/Code-swift.struct/unacceptableContentType`` unless the body has one of these media
    /// types.
    ///
    /// - Parameter accepted: Media types or ranges, as for ``hasContentType(_:)-(ContentType...)``.
    public func hasContentType(_ accepted: [ContentType]) -> Pipeline<DataResponse, any Error> {
        tryMap { response in
            try response.checkContentType(accepted)
            return response
        }
    }
}

extension DataResponse {
    func checkContentType(_ accepted: [ContentType]) throws(ErrandError) {
        guard hasBody else { return }
        let field = headers[.contentType]
        // Most responses name one type literally, so that it need not be parsed.
        if let field, accepted.contains(where: { $0.essence == field && $0.isValid }) { return }
        let found = headers.contentType
        if let found, accepted.contains(where: { $0.includes(found) }) { return }
        let what = found?.essence ?? (field == nil ? "no content type" : "no valid content type")
        let wanted = accepted.map(\.description).joined(separator: " or ")
        throw ErrandError(.unacceptableContentType, reason: "\(what), not \(wanted)").with(response: self)
    }
}
