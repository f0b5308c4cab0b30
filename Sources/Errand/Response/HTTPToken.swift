extension StringProtocol {
    /// Whether both are the same but for the case of ASCII letters, as field names and media types are compared.
    ///
    /// `lowercased()` is Unicode's: it maps the Kelvin sign to `k`, which no HTTP recipient does.
    func equalsIgnoringASCIICase(_ other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) { $0.loweredASCII == $1.loweredASCII }
    }

    /// Whether this is a token (RFC 9110, section 5.6.2): what methods and field names are made of.
    var isHTTPToken: Bool {
        !isEmpty && utf8.allSatisfy(\.isTokenCharacter)
    }

    /// Whether this can be the value of a header field: no control character but the tab (RFC 9110, section 5.5).
    var isHTTPFieldValue: Bool {
        utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}

extension UInt8 {
    /// This byte, with an ASCII capital made small.
    var loweredASCII: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }

    var isTokenCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E: true  // digits, letters and ^_` | ~
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E: true  // ! #$%&' * + - .
        default: false
        }
    }
}
