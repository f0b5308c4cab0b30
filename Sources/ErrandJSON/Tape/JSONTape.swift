/// The tokens of a document and the bytes that they refer to. It does not own them.
///
/// The tokens are in the order of the document. Each has one to three words, which ``JSONToken`` describes. A value or
/// a key is named by the index of its first word. The index of the outermost value is 0.
struct JSONTape {
    let words: UnsafeMutablePointer<UInt64>
    var bytes: UnsafePointer<UInt8>
    /// The unescaped characters of all strings that have escapes. It is `nil` if no string has escapes.
    let texts: UnsafePointer<UInt8>?
    /// The length of the document in bytes.
    let end: Int

    @inline(__always)
    subscript(index: Int) -> JSONToken { JSONToken(word: words[index]) }

    /// Returns the index of the first key of an object, whose token has three words, or of the first element of an
    /// array, whose token has two.
    @inline(__always)
    func firstChild(of container: Int) -> Int { container &+ (self[container].kind == .object ? 3 : 2) }

    /// Returns the index of the token after a value or a key.
    @inline(__always)
    func next(after index: Int) -> Int {
        let token = self[index]
        return token.isContainer ? token.high : index &+ (token.kind == .text ? 3 : 1)
    }

    /// Returns the offset where a token begins in the document.
    func offset(of index: Int) -> Int {
        let token = self[index]
        switch token.kind {
        case .array, .object: return words[index + 1].low
        // A string begins with its quote.
        case .string, .text: return token.high - 1
        default: return token.high
        }
    }

    /// Returns the characters of a string without its escapes, or of a number.
    @inline(__always)
    func text(of index: Int) -> UnsafeBufferPointer<UInt8> {
        let token = self[index]
        guard token.kind == .text else { return UnsafeBufferPointer(start: bytes + token.high, count: token.length) }
        let start = token.isMarked ? texts.unsafelyUnwrapped : bytes
        return UnsafeBufferPointer(start: start + self[index &+ 2].high, count: words[index &+ 1].low)
    }

    @inline(__always)
    func string(at index: Int) -> String { String(checkedUTF8: text(of: index), isASCII: self[index].isASCII) }

    /// Whether a key has these characters.
    @inline(__always)
    func key(at index: Int, equals name: UnsafeBufferPointer<UInt8>) -> Bool { Self.equal(text(of: index), name) }

    static func equal(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        return equal(first, second, left.count)
    }

    /// Compares bytes. Most keys have at most sixteen, which are two loads that may overlap.
    @inline(__always)
    static func equal(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard count <= 16 else { return memcmp(left, right, count) == 0 }
        guard count >= 4 else {
            // The first, the middle and the last byte are all the bytes.
            return count == 0
                || left[0] == right[0] && left[count &>> 1] == right[count &>> 1]
                    && left[count &- 1] == right[count &- 1]
        }
        let (left, right) = (UnsafeRawPointer(left), UnsafeRawPointer(right))
        if count >= 8 {
            return left.loadUnaligned(as: UInt64.self) == right.loadUnaligned(as: UInt64.self)
                && (left + count - 8).loadUnaligned(as: UInt64.self)
                    == (right + count - 8).loadUnaligned(as: UInt64.self)
        }
        return left.loadUnaligned(as: UInt32.self) == right.loadUnaligned(as: UInt32.self)
            && (left + count - 4).loadUnaligned(as: UInt32.self) == (right + count - 4).loadUnaligned(as: UInt32.self)
    }
}

extension String {
    /// Copies UTF-8 that has been checked. Other initializers would check it again.
    @inline(__always)
    fileprivate init(checkedUTF8 text: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            self.init(copying: UTF8Span(unchecked: text.span, isKnownASCII: isASCII))
        } else {
            self.init(unsafeUninitializedCapacity: text.count) { target in
                _ = target.initialize(from: text)
                return text.count
            }
        }
    }
}

/// The bounds of a JSON document.
enum JSONLimits {
    /// The offsets of tokens have 32 bits.
    static let documentLength = (1 << 32) - 1
    /// The indices of words have 32 bits. The last one stands for no container, and six words can be added at
    /// this limit.
    static let words = (1 << 32) - 16
    static let numberLength = 4_096
    static let members = JSONToken.maximumLength
}
