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
        // If the field is repeated, which is invalid, the last valid type counts, as in browsers.
        let field = headers[values: "Content-Type"].last
        // Most responses name the type literally, so that it need not be parsed.
        if let field, accepted.contains(where: { $0.essence == field && $0.isValid }) { return }
        let found = headers.contentType
        if let found, accepted.contains(where: { $0.includes(found) }) { return }
        let what = found?.essence ?? (field == nil ? "no content type" : "no valid content type")
        let wanted = accepted.map(\.description).joined(separator: " or ")
        throw ErrandError(.unacceptableContentType, reason: "\(what), not \(wanted)").with(response: self)
    }
}
