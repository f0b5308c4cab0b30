// Read as contiguous bytes: every request asks these of every field, and a view of a string costs a call for each byte.

extension String {
    /// Whether both are the same but for the case of ASCII letters, as field names and media types are compared.
    ///
    /// `lowercased()` is Unicode's: it maps the Kelvin sign to `k`, which no HTTP recipient does.
    func equalsIgnoringASCIICase(_ other: String) -> Bool {
        withBytes { mine in
            other.withBytes { theirs in
                guard mine.count == theirs.count else { return false }
                for index in 0..<mine.count where mine[index].loweredASCII != theirs[index].loweredASCII {
                    return false
                }
                return true
            }
        }
    }

    /// This text with ASCII capitals made small.
    var asciiLowercased: String { withBytes { String(decoding: $0.map(\.loweredASCII), as: UTF8.self) } }

    /// Whether this is a token (RFC 9110, section 5.6.2): what methods and field names are made of.
    var isHTTPToken: Bool {
        withBytes { bytes in
            for byte in bytes where !byte.isTokenCharacter { return false }
            return !bytes.isEmpty
        }
    }

    /// Whether this can be the value of a header field: no control character but the tab (RFC 9110, section 5.5).
    var isHTTPFieldValue: Bool {
        withBytes { bytes in
            for byte in bytes where byte < 0x20 && byte != 0x09 || byte == 0x7F { return false }
            return true
        }
    }

    /// The UTF-8 of this text in one piece of memory.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        return Array(utf8).withUnsafeBufferPointer(body)
    }
}

extension UInt8 {
    /// This byte, with an ASCII capital made small.
    var loweredASCII: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

    /// Whether this is a space or a tab.
    var isBlank: Bool { self == 0x20 || self == 0x09 }

    var isDigit: Bool { 0x30...0x39 ~= self }

    var isLowercaseLetter: Bool { 0x61...0x7A ~= self }

    var isTokenCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E: true  // digits, letters and ^_` | ~
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E: true  // ! #$%&' * + - .
        default: false
        }
    }
}
