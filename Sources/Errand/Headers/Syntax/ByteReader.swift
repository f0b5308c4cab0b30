/// A reader for ASCII syntax, from the first byte to the last.
///
/// It is generic, so that both arrays and borrowed memory can be read without a copy.
struct ByteReader<Bytes: Collection<UInt8>> where Bytes.SubSequence == Bytes {
    private var rest: Bytes

    init(_ bytes: Bytes) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next byte, which stays unread.
    var next: UInt8? { rest.first }

    /// Reads the next byte. Returns `nil` at the end.
    @discardableResult
    mutating func take() -> UInt8? {
        guard let next = rest.first else { return nil }
        rest = rest.dropFirst()
        return next
    }

    /// Reads bytes as long as they match.
    mutating func take(while isWanted: (UInt8) -> Bool) -> Bytes {
        let taken = rest.prefix(while: isWanted)
        rest = rest[taken.endIndex...]
        return taken
    }

    /// Reads the next byte if it is this character. Returns whether it was.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Skips spaces and tabs.
    mutating func skipBlanks() {
        rest = rest.drop { $0.isBlank }
    }

    /// Skips spaces, but not tabs.
    mutating func skipSpaces() {
        rest = rest.drop { $0 == UInt8(ascii: " ") }
    }

    /// Reads this many digits as a number. Returns `nil`, and reads nothing, if fewer digits follow.
    mutating func number(digits: Int) -> Int? {
        let bytes = rest.prefix(digits)
        guard bytes.count == digits, bytes.allSatisfy(\.isDigit) else { return nil }
        rest = rest[bytes.endIndex...]
        return bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

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

extension BidirectionalCollection<UInt8> where SubSequence == Self {
    /// These bytes without spaces and tabs at both ends (`OWS` in RFC 9110, section 5.6.3).
    var trimmingBlanks: Self { trimming(while: \.isBlank) }

    /// These bytes without those at both ends that match.
    func trimming(while isUnwanted: (UInt8) -> Bool) -> Self {
        var trimmed = drop(while: isUnwanted)
        while let last = trimmed.last, isUnwanted(last) { trimmed = trimmed.dropLast() }
        return trimmed
    }
}

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

    /// Returns whether both texts have the same bytes. Equal texts can have different ones, such as a letter with an
    /// accent and a letter before a combining accent.
    func hasBytes(of other: String) -> Bool {
        withBytes { mine in
            other.withBytes { theirs in
                guard let first = mine.baseAddress, let second = theirs.baseAddress, mine.count == theirs.count else {
                    return mine.isEmpty && theirs.isEmpty
                }
                return memcmp(first, second, mine.count) == 0
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

    /// Whether the text has a CR or an LF.
    package var hasLineBreak: Bool { contains(byte: "\r") || contains(byte: "\n") }

    /// Returns whether the text contains an ASCII character.
    func contains(byte: Unicode.Scalar) -> Bool {
        withBytes { bytes in
            bytes.baseAddress.map { memchr($0, Int32(byte.value), bytes.count) != nil } ?? false
        }
    }

    /// Whether this is valid as the value of a header field: it has no control characters except tabs (RFC 9110,
    /// section 5.5).
    var isHTTPFieldValue: Bool {
        withBytes { bytes in
            for byte in bytes where byte.isControlExceptTab { return false }
            return true
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns `true` if these bytes begin with a lowercase text, ignoring case.
    func begins(with text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount where self[index].loweredASCII != text.utf8Start[index] { return false }
        return true
    }
}

extension UInt8 {
    /// This byte, with ASCII capitals in lowercase.
    var loweredASCII: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

    /// Whether this is a space or a tab.
    package var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// Whether this is a control character that no header field may contain: any but the tab.
    var isControlExceptTab: Bool { self < 0x20 && self != 0x09 || self == 0x7F }

    package var isDigit: Bool { 0x30...0x39 ~= self }

    var isLowercaseLetter: Bool { 0x61...0x7A ~= self }

    /// Whether a token may contain this byte (RFC 9110, section 5.6.2).
    var isTokenCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E: true  // digits, letters and ^_` | ~
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E: true  // ! #$%&' * + - .
        default: false
        }
    }
}
