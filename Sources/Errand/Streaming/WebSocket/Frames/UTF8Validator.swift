/// Tells whether bytes are UTF-8 as they come (RFC 3629), a character cut in two included; a pure value.
struct UTF8Validator: Sendable {
    /// How many bytes of the character under way are missing.
    private var missing = 0
    /// What the next of them may be: the first one behind the lead is what rules out surrogates, long forms and numbers
    /// beyond U+10FFFF.
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether no character is left unfinished.
    var isComplete: Bool { missing == 0 }

    /// - Returns: Whether this can go on to be UTF-8.
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
