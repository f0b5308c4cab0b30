extension DataResponse {
    /// The body as text, by the charset that its `Content-Type` names; UTF-8 where it names none.
    ///
    /// A byte order mark in front is left out. UTF-16 and UTF-32 without one are big-endian (RFC 2781, section 4.3). The
    /// bytes are never mended: text that is not of its charset is an error, and no text with holes in it.
    ///
    /// - Throws: ``ErrandError`` with `decodingFailed`, for a charset that Foundation does not have, and for bytes that are
    ///   not of it.
    public func text() throws(ErrandError) -> String {
        guard let encoding else {
            throw ErrandError(.decodingFailed, reason: "the charset of the text is not known").with(response: self)
        }
        guard let text = TextCoding(encoding, of: data).text else {
            throw ErrandError(.decodingFailed, reason: "the text is not of its charset").with(response: self)
        }
        return text
    }

    /// The encoding that is named, UTF-8 where none is; nil for an unknown one.
    private var encoding: String.Encoding? {
        guard let type = headers.contentType, type["charset"] != nil else { return .utf8 }
        return type.charset
    }
}
