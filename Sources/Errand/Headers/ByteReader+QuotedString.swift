extension ByteReader {
    /// Reads a quoted string (RFC 9110, section 5.6.4), without its quotation marks and backslashes. An unclosed string
    /// ends with the text. Returns `nil` if no quotation mark is next.
    mutating func quotedString() -> String? {
        guard skip("\"") else { return nil }
        var bytes: [UInt8] = []
        while let byte = take(), byte != UInt8(ascii: "\"") {
            bytes.append(byte == UInt8(ascii: "\\") ? take() ?? byte : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads a token (RFC 9110, section 5.6.2). Returns `nil` if none is next.
    mutating func token() -> String? {
        let bytes = take(while: \.isTokenCharacter)
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
