// These functions use contiguous bytes: they run for every field of every request, and a string view costs a call for
// each byte.

extension String {
    /// Returns whether both texts are equal without regard to the case of ASCII letters, as for field names and media
    /// types.
    ///
    /// `lowercased()` follows Unicode: it maps the Kelvin sign to `k`, which no HTTP recipient does.
    package func equalsIgnoringASCIICase(_ other: String) -> Bool {
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

    /// This text with ASCII capitals in lowercase.
    package var asciiLowercased: String { withBytes { String(decoding: $0.map(\.loweredASCII), as: UTF8.self) } }

    /// Whether this is a token (RFC 9110, section 5.6.2), as methods and field names must be.
    package var isHTTPToken: Bool {
        withBytes { bytes in
            for byte in bytes where !byte.isTokenCharacter { return false }
            return !bytes.isEmpty
        }
    }

    /// Whether this is valid as the value of a header field: it has no control characters except tabs (RFC 9110,
    /// section 5.5).
    var isHTTPFieldValue: Bool {
        withBytes { bytes in
            for byte in bytes where byte < 0x20 && byte != 0x09 || byte == 0x7F { return false }
            return true
        }
    }
}

extension UInt8 {
    /// This byte, with ASCII capitals in lowercase.
    var loweredASCII: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

    /// Whether this is a space or a tab.
    package var isBlank: Bool { self == 0x20 || self == 0x09 }

    package var isDigit: Bool { 0x30...0x39 ~= self }

    var isLowercaseLetter: Bool { 0x61...0x7A ~= self }

    var isTokenCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E: true  // digits, letters and ^_` | ~
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E: true  // ! #$%&' * + - .
        default: false
        }
    }
}
