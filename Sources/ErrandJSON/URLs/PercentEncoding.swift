extension String {
    /// Returns this text in UTF-8, with every byte escaped that is not allowed (RFC 3986, section 2.1).
    ///
    /// - Parameters:
    ///   - allowed: The bytes that are not escaped. They include the unreserved characters.
    ///   - keepingEscapes: Whether a `%` before two hexadecimal digits is kept as an escape.
    package func percentEncoded(allowing allowed: Set<UInt8>, keepingEscapes: Bool = false) -> String {
        // The allowed bytes include all that a plain text has.
        if isPlain(withSlashes: allowed.contains(UInt8(ascii: "/"))) { return self }
        let bytes = Array(utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            let isEscape =
                keepingEscapes && byte == UInt8(ascii: "%") && index + 2 < bytes.count
                && bytes[index + 1].isHexDigit && bytes[index + 2].isHexDigit
            if isEscape || allowed.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), UInt8.hexDigits[Int(byte >> 4)], UInt8.hexDigits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Returns `true` if the text has only ASCII letters, digits, `-` and `_`, and with `withSlashes` also `/`. These
    /// need no escape and no further check.
    package func isPlain(withSlashes: Bool) -> Bool {
        withBytes { bytes in
            for byte in bytes {
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): continue
                case UInt8(ascii: "/") where withSlashes: continue
                default: return false
                }
            }
            return true
        }
    }

    /// Calls `body` with the UTF-8 of this text in contiguous memory.
    @inlinable
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        return Array(utf8).withUnsafeBufferPointer(body)
    }
}

extension UInt8 {
    package static let hexDigits = Array("0123456789ABCDEF".utf8)

    fileprivate var isHexDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}

extension Set<UInt8> {
    private static let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    /// The unreserved characters (RFC 3986, section 2.3).
    package static let unreservedCharacters = Set((alphanumerics + "-._~").utf8)

    /// The characters of a path: `pchar` and the slash (RFC 3986, section 3.3).
    package static let pathCharacters = Set((alphanumerics + "-._~!$&'()*+,;=:@/").utf8)
}
