/// One token of a JSON document: the first, and mostly the only, word of it on a ``JSONTape``.
///
/// | bits | literal | number, string | array, object |
/// |---|---|---|---|
/// | 0 to 3 | kind | kind | kind |
/// | 4 | | has a fraction or exponent, or has escapes | has a key twice |
/// | 6 to 31 | | length in bytes | number of elements or members |
/// | 32 to 63 | offset | offset | index of the token after its end |
///
/// An array or object has a second word: the offset of its bracket, and the member where the next lookup begins. An object has a
/// third one, with a bit for each hash of its keys. A string of 64 MiB or more has a second word with its length.
struct JSONToken {
    enum Kind: UInt8 {
        case null, `false`, `true`, number, string, longString, length, array, object
    }

    static let maximumLength = 1 << 26 - 1

    var word: UInt64

    init(word: UInt64) {
        self.word = word
    }

    @inline(__always)
    init(_ kind: Kind, isMarked: Bool = false, length: Int = 0, high: Int) {
        word =
            UInt64(kind.rawValue) | (isMarked ? 16 : 0) | UInt64(truncatingIfNeeded: length) &<< 6
            | UInt64(truncatingIfNeeded: high) &<< 32
    }

    @inline(__always) var kind: Kind { unsafeBitCast(UInt8(truncatingIfNeeded: word & 15), to: Kind.self) }
    /// Whether a string has escapes, a number a fraction or an exponent, or an object a key twice.
    @inline(__always) var isMarked: Bool { word & 16 != 0 }
    /// The bytes of a string or number, the elements of an array, or the members of an object.
    @inline(__always) var length: Int { Int(truncatingIfNeeded: (word &>> 6) & 0x3FF_FFFF) }
    /// The offset of a literal, number or string, or the index after the end of an array or object.
    @inline(__always) var high: Int { Int(truncatingIfNeeded: word &>> 32) }
    @inline(__always) var isContainer: Bool { word & 15 >= UInt64(Kind.array.rawValue) }
}
