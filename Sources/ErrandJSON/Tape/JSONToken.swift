/// One token of a JSON document: the first, and mostly the only, word of it on a ``JSONTape``.
///
/// | bits | literal | number, string | text | array, object |
/// |---|---|---|---|---|
/// | 0 to 3 | kind | kind | kind | kind |
/// | 4 | | has a fraction or exponent | has escapes | has a key twice |
/// | 5 | | has characters that are not ASCII | the same | |
/// | 6 to 31 | | length in bytes | | number of elements or members |
/// | 32 to 63 | offset | offset | offset | index of the token after its end |
///
/// A string with escapes, or of 64 MiB or more, is a text. It has three words. The second one has the unescaped length
/// and the length in the document. The third one says where the characters begin: in the tokenizer's memory if the text
/// has escapes, otherwise in the document. Its kind, `offset`, shows a search backward from a value that the key has
/// three words.
///
/// An array or object has a second word: the offset of its bracket, and the key where the next lookup begins. An
/// object has a third one: while it is read, a bit for each hash of its keys; while it is decoded, the
/// ``KeyedContainerMaker``, which makes the containers for its type of keys, or 0.
struct JSONToken {
    enum Kind: UInt8 {
        case null, `false`, `true`, number, string, text, offset, array, object
    }

    /// The maximum of the length, which has 26 bits.
    static let maximumLength = (1 << 26) - 1
    /// The mark of a string with characters that are not ASCII.
    static let nonASCIIMark: UInt64 = 32

    var word: UInt64

    init(word: UInt64) {
        self.word = word
    }

    @inline(__always)
    init(_ kind: Kind, isMarked: Bool = false, isASCII: Bool = true, length: Int = 0, high: Int) {
        let marks: UInt64 = (isMarked ? 16 : 0) | (isASCII ? 0 : Self.nonASCIIMark)
        let (length, high) = (UInt64(truncatingIfNeeded: length), UInt64(truncatingIfNeeded: high))
        word = UInt64(kind.rawValue) | marks | length &<< 6 | high &<< 32
    }

    @inline(__always) var kind: Kind { unsafeBitCast(UInt8(truncatingIfNeeded: word & 15), to: Kind.self) }
    /// Whether a text has escapes, a number a fraction or an exponent, or an object a key twice.
    @inline(__always) var isMarked: Bool { word & 16 != 0 }
    @inline(__always) var isASCII: Bool { word & Self.nonASCIIMark == 0 }
    /// The number of bytes of a string or number, the elements of an array, or the members of an object.
    @inline(__always) var length: Int { Int(truncatingIfNeeded: (word &>> 6) & 0x3FF_FFFF) }
    /// The offset of a literal, a number or the first character of a string, or the index after an array or object.
    @inline(__always) var high: Int { Int(truncatingIfNeeded: word &>> 32) }
    @inline(__always) var isContainer: Bool { word & 15 >= UInt64(Kind.array.rawValue) }
}

/// Memory for the coders, which `free` releases.
enum JSONMemory {
    /// Allocates memory, or moves the content of `memory` to a place with room for `count` values.
    ///
    /// Without memory, the program ends, as it does when an array of the standard library cannot grow. An error would
    /// need memory too.
    static func resized<Value: BitwiseCopyable>(
        _ memory: UnsafeMutablePointer<Value>?, to count: Int
    ) -> UnsafeMutablePointer<Value> {
        guard let moved = realloc(memory, count * MemoryLayout<Value>.stride) else {
            fatalError("out of memory for a JSON document")
        }
        return moved.assumingMemoryBound(to: Value.self)
    }
}
