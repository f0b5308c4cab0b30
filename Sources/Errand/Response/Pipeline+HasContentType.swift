extension Pipeline where Output == DataResponse {
    /// Fails with ``ErrandError/Code-swift.struct/unacceptableContentType`` unless the body is of one of these types.
    ///
    /// ```swift
    /// .hasContentType("application/json")
    /// .hasContentType("application/*", "text/json")
    /// ```
    ///
    /// Type and subtype are compared without regard to case, and the parameters of the answer's `Content-Type` are
    /// ignored (RFC 9110, section 8.3.1). An answer without a body passes.
    ///
    /// - Parameter accepted: Media types or ranges such as `application/*`. One that is neither accepts nothing.
    public func hasContentType(_ accepted: String...) -> Pipeline<DataResponse, any Error> {
        tryMap { response in
            if response.data.isEmpty { return response }
            // A field that is repeated against the rules counts the last time, as browsers read it.
            let field = response.headers[values: "Content-Type"].last
            // Most answers name the type letter for letter, and need not be read.
            if let field, accepted.contains(field), field.utf8.contains(UInt8(ascii: "/")) { return response }
            let ranges = accepted.compactMap(MediaType.init)
            let found = field.flatMap(MediaType.init)
            if let found, ranges.contains(where: { $0.includes(found) }) { return response }
            let what = found.map(\.description) ?? (field == nil ? "no content type" : "no valid content type")
            throw ErrandError(
                .unacceptableContentType, reason: "\(what), not \(accepted.joined(separator: " or "))"
            )
            .with(response: response)
        }
    }
}
