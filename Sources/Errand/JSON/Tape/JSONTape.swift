/// The tokens of a document and the bytes that they refer to. It does not own either.
struct JSONTape {
    let words: UnsafeMutablePointer<UInt64>
    let bytes: UnsafePointer<UInt8>
    /// The length of the document in bytes.
    let end: Int

    @inline(__always)
    subscript(index: Int) -> JSONToken { JSONToken(word: words[index]) }

    /// Returns the index of the first key of an object, or of the first element of an array.
    @inline(__always)
    func firstChild(of container: Int) -> Int { container &+ (self[container].kind == .object ? 3 : 2) }

    /// Returns the index of the token after a value or a key.
    @inline(__always)
    func next(after index: Int) -> Int {
        let token = self[index]
        return token.isContainer ? token.high : index &+ (token.kind == .longString ? 2 : 1)
    }

    /// Returns the offset where a token begins in the document.
    func offset(of index: Int) -> Int {
        let token = self[index]
        switch token.kind {
        case .array, .object: return words[index + 1].low
        // The text of a string begins after its quote.
        case .string, .longString: return token.high - 1
        default: return token.high
        }
    }

    /// Returns the bytes of a string, with its escapes, or of a number.
    @inline(__always)
    func text(of index: Int) -> UnsafeBufferPointer<UInt8> {
        let token = self[index]
        let length = token.kind == .longString ? Int(truncatingIfNeeded: words[index + 1] &>> 4) : token.length
        return UnsafeBufferPointer(start: bytes + token.high, count: length)
    }

    /// Returns a string without its escapes.
    @inline(__always)
    func string(at index: Int) -> String {
        let text = text(of: index)
        guard self[index].isMarked else {
            // Faster than to decode: the initializer that repairs goes through the text twice.
            return String(unsafeUninitializedCapacity: text.count) { target in
                guard let start = text.baseAddress, let copy = target.baseAddress else { return 0 }
                memcpy(copy, start, text.count)
                return text.count
            }
        }
        return String(unsafeUninitializedCapacity: text.count) { target in
            target.baseAddress.map { JSONBytes.unescape(text, into: $0) } ?? 0
        }
    }

    /// Calls `body` with the bytes of a string without its escapes.
    @inline(__always)
    func withString<Result>(at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let text = text(of: index)
        guard self[index].isMarked else { return body(text) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { target in
            let count = target.baseAddress.map { JSONBytes.unescape(text, into: $0) } ?? 0
            return body(UnsafeBufferPointer(rebasing: target[..<count]))
        }
    }

    /// Whether a key has these bytes, which have no escapes.
    @inline(__always)
    func key(at index: Int, equals name: UnsafeBufferPointer<UInt8>) -> Bool {
        let token = self[index]
        if !token.isMarked {
            guard token.length == name.count, token.kind == .string, let start = name.baseAddress else {
                return token.kind == .longString && Self.equal(text(of: index), name)
                    || token.length == 0 && name.isEmpty && token.kind == .string
            }
            return Self.equal(bytes + token.high, start, name.count)
        }
        return withString(at: index) { Self.equal($0, name) }
    }

    static func equal(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        return equal(first, second, left.count)
    }

    /// Compares bytes. Most keys have four to sixteen, which are two loads that may overlap.
    @inline(__always)
    static func equal(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard count >= 4, count <= 16 else { return memcmp(left, right, count) == 0 }
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
