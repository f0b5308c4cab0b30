/// An incremental validator of UTF-8 (RFC 3629). A character may be split between two calls.
struct UTF8Validator: Sendable {
    /// The number of missing bytes of the current character.
    private var missing = 0
    /// The allowed range of the next byte. The range of the first byte after the lead excludes surrogates, overlong
    /// forms and numbers beyond U+10FFFF.
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether the last character is complete.
    var isComplete: Bool { missing == 0 }

    /// - Returns: `false` if the bytes cannot be UTF-8, whatever follows.
    mutating func append(_ bytes: some Sequence<UInt8>) -> Bool {
        for byte in bytes {
            if missing == 0 {
                if byte < 0x80 { continue }
                guard begin(byte) else { return false }
            } else {
                guard allowed.contains(byte) else { return false }
                missing -= 1
                allowed = 0x80...0xBF
            }
        }
        return true
    }

    private mutating func begin(_ lead: UInt8) -> Bool {
        switch lead {
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF: missing = 2
        case 0xF0...0xF4: missing = 3
        default: return false
        }
        switch lead {
        case 0xE0: allowed = 0xA0...0xBF
        case 0xED: allowed = 0x80...0x9F
        case 0xF0: allowed = 0x90...0xBF
        case 0xF4: allowed = 0x80...0x8F
        default: allowed = 0x80...0xBF
        }
        return true
    }
}
