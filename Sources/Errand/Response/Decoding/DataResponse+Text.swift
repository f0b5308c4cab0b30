extension DataResponse {
    /// Decodes the body as text, with the charset of its `Content-Type`, or UTF-8 if it names none.
    ///
    /// In the charsets UTF-8, UTF-16 and UTF-32, a leading byte order mark is removed. UTF-16 and UTF-32 without one
    /// are big-endian (RFC 2781, section 4.3). Invalid bytes are never replaced; they cause an error.
    ///
    /// - Throws: ``ErrandError`` with `decodingFailed` for a charset that Foundation does not support, and for bytes
    ///   that are invalid in the charset.
    public func text() throws(ErrandError) -> String {
        guard let encoding else {
            throw ErrandError(.decodingFailed, reason: "the charset in Content-Type is not supported")
                .with(response: self)
        }
        guard let text = TextCoding(encoding, of: data).text else {
            // The charset is one of the supported names, not any text from the server.
            let charset = headers.contentType?["charset"]?.uppercased() ?? "UTF-8"
            throw ErrandError(.decodingFailed, reason: "the body is not valid \(charset) text").with(response: self)
        }
        return text
    }

    /// The encoding of the charset; UTF-8 if none is named, `nil` for an unknown one.
    private var encoding: String.Encoding? {
        guard let type = headers.contentType, type["charset"] != nil else { return .utf8 }
        return type.charset
    }
}
