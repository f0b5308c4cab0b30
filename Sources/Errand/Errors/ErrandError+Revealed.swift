extension ErrandError {
    /// The description with what it hides, in several lines: the URL with its query, the header fields of the response,
    /// and the beginning of its body.
    ///
    /// For a terminal or a test. It can contain secrets, such as a token in the query or a person's data in the body,
    /// so it does not belong in a log or a report:
    ///
    /// ```
    /// GET https://api.example.com/books?author=7: unacceptableStatusCode: the status is 400, not 200 to 299
    /// status 400
    /// Content-Type: application/json
    ///
    /// {"message": "author must be a name"}
    /// ```
    ///
    /// It never contains user info of the URL. Of the body, it shows at most 4,096 bytes, and only text. Without a
    /// body, it shows the document of a custom check. A failed token request, which is the ``underlyingError``, follows
    /// with its own response. Control characters are replaced by escapes such as `\u{1B}`.
    ///
    /// In tests with the traits of ErrandTestingTraits, an error that a test throws is shown like this if a stub or a
    /// server on this machine has responded, without the values of secret names.
    public var revealed: String {
        let cause = (underlyingError as? ErrandError).map { "\n\ncaused by " + $0.revealed } ?? ""
        let url = exactURL?.redacted(query: \.self).absoluteString
        let document = bodyPrefix.isEmpty ? payload.map { String(describing: $0) } : Self.text(of: bodyPrefix)
        return revealed(url: url, headers: headers, document: document) + cause
    }

    /// Returns the description with these parts of the exchange.
    package func revealed(url: String?, headers: HeaderFields, document: String?) -> String {
        var lines = [description(ofURL: url)]
        if let statusCode { lines.append("status \(statusCode)") }
        lines += headers.map { "\($0.name): \($0.value)" }
        if let document {
            let rows = document.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            lines += [""] + rows.map(String.init)
        }
        return lines.map(\.onOneLogLine).joined(separator: "\n")
    }

    /// The beginning of a body as text; its length if it is not text.
    package static func text(of body: Data) -> String {
        let shown = body.prefix(shownBodyLimit)
        // The limit can cut a character, of at most 4 bytes.
        let cut = body.count > shown.count ? 3 : 0
        let text = (0...cut).lazy.compactMap { String(validating: shown.dropLast($0), as: UTF8.self) }.first
        guard let text, !text.contains("\0") else { return "(\(body.count) bytes that are not text)" }
        return body.count > shown.count ? text + "\n(the first \(shown.count) bytes)" : text
    }

    private static let shownBodyLimit = 4096
}

/// Who has responded to a request, as far as a test may show it.
package enum Peer: Sendable {
    case server
    /// A stub, or the recording of a test.
    case stub
    /// A server whose responses a test records.
    case recordedServer
}
