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

    /// Reads an unsigned number of exactly this many digits.
    mutating func number(digits: Int) -> Int? {
        let bytes = rest.prefix(digits)
        guard bytes.count == digits, bytes.allSatisfy(\.isDigit) else { return nil }
        rest = rest[bytes.endIndex...]
        return bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) }
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
