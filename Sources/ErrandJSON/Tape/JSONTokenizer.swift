/// Checks a document against RFC 8259 and writes its tokens to a tape, in one pass and without recursion.
///
/// Numbers are checked here, and converted when they are decoded. Strings are checked and unescaped. While an array or
/// object is open, its first word contains the index of the enclosing one in place of the end. While an inner one is
/// open too, its second word contains the number of its elements so far.
struct JSONTokenizer {
    let bytes: UnsafePointer<UInt8>
    let end: Int
    let maximumDepth: Int
    /// The number of words at which the tape stops growing.
    let maximumWords: Int

    private(set) var words: UnsafeMutablePointer<UInt64>
    /// The unescaped characters of all strings that have escapes. An unescaped string is shorter than its source, so
    /// memory for the rest of the document is enough.
    var texts: UnsafeMutablePointer<UInt8>?
    var textsEnd = 0
    private(set) var count = 0
    private var capacity: Int

    /// Reads a whole document. The caller must release the tokenizer.
    ///
    /// - Parameter words: The ``maximumWords``; less than the limit only in tests.
    static func tokens(
        of document: UnsafeBufferPointer<UInt8>, depth: Int, words: Int = JSONLimits.words
    ) throws(JSONSyntaxError) -> JSONTokenizer {
        var tokenizer = try JSONTokenizer(document, depth: depth, words: words)
        do throws(JSONSyntaxError) {
            try tokenizer.readDocument()
        } catch {
            tokenizer.release()
            throw error
        }
        return tokenizer
    }

    func release() {
        free(words)
        free(texts)
    }

    /// The tokens, which are valid until the tokenizer is released.
    @inline(__always) var tape: JSONTape { JSONTape(words: words, bytes: bytes, texts: UnsafePointer(texts), end: end) }

    private init(
        _ document: UnsafeBufferPointer<UInt8>, depth: Int, words maximumWords: Int
    ) throws(JSONSyntaxError) {
        guard let bytes = document.baseAddress, !document.isEmpty else {
            throw JSONSyntaxError(reason: .empty, offset: 0)
        }
        guard document.count <= JSONLimits.documentLength else {
            throw JSONSyntaxError(reason: .documentTooLong, offset: 0)
        }
        self.bytes = bytes
        end = document.count
        maximumDepth = depth
        self.maximumWords = maximumWords
        // Most documents have at least 12 bytes for each word, and short ones fit into 64 words. The six words are
        // those that `reserve(at:)` needs.
        capacity = min(document.count / 12 + 64, maximumWords + 6)
        words = JSONMemory.resized(nil, to: capacity)
    }

    private mutating func readDocument() throws(JSONSyntaxError) {
        let hasMark = end >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
        let first = hasMark ? 3 : 0
        let start = endOfWhiteSpace(from: first)
        guard start < end else { throw failure(start == first ? .empty : .endsEarly, at: start) }
        let at = endOfWhiteSpace(from: try readValue(at: start))
        guard at == end else { throw failure(.expectedEnd, at: at) }
    }

    // MARK: Structure

    /// Reads a value with its content. Like the other functions that read, it returns the offset after what it has
    /// read.
    private mutating func readValue(at start: Int) throws(JSONSyntaxError) -> Int {
        var at = start
        var container = -1
        var isObject = false
        // The members or elements of the container, with the one that is being read.
        var members = 0
        var depth = 0
        while true {
            guard at < end else { throw failure(.endsEarly, at: at) }
            try reserve(at: at)
            switch bytes[at] {
            case UInt8(ascii: "\""):
                at = try readString(at: at)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard depth < maximumDepth else { throw failure(.tooDeep, at: at) }
                depth += 1
                if container >= 0 { words[container + 1] = UInt64(position: words[container + 1].low, members) }
                isObject = bytes[at] == UInt8(ascii: "{")
                words[count] = JSONToken(isObject ? .object : .array, high: container).word
                words[count + 1] = UInt64(position: at, 0)
                // In an array, this is the word of the first element, which is not written yet.
                words[count + 2] = 0
                container = count
                members = 0
                count += isObject ? 3 : 2
                at = endOfWhiteSpace(from: at + 1)
                guard at < end else { throw failure(.endsEarly, at: at) }
                if bytes[at] != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    members = 1
                    if isObject { at = try readKey(at: at, of: container, after: 0) }
                    continue
                }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                at = try readNumber(at: at)
            case UInt8(ascii: "t"):
                at = try readLiteral("true", .true, at: at)
            case UInt8(ascii: "f"):
                at = try readLiteral("false", .false, at: at)
            case UInt8(ascii: "n"):
                at = try readLiteral("null", .null, at: at)
            default:
                throw failure(.expectedValue, at: at)
            }
            // Here a value ends, or an array or object has no elements. The containers around it can end too.
            while true {
                guard container >= 0 else { return at }
                at = endOfWhiteSpace(from: at)
                guard at < end else { throw failure(.endsEarly, at: at) }
                let byte = bytes[at]
                if byte == UInt8(ascii: ",") {
                    at = endOfWhiteSpace(from: at &+ 1)
                    members += 1
                    if isObject {
                        try reserve(at: at)
                        at = try readKey(at: at, of: container, after: members - 1)
                    }
                    break
                }
                guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw failure(isObject ? .expectedCommaOrBrace : .expectedCommaOrBracket, at: at)
                }
                at += 1
                guard members <= JSONLimits.members else { throw failure(.tooManyMembers, at: at) }
                (container, members) = close(container, members)
                depth -= 1
                isObject = container >= 0 && JSONToken(word: words[container]).kind == .object
            }
        }
    }

    /// Completes the words of an array or object, and returns the one around it with the number of its elements so far.
    private mutating func close(_ container: Int, _ members: Int) -> (container: Int, members: Int) {
        let token = JSONToken(word: words[container])
        var isMarked = token.isMarked
        let first = container + (token.kind == .object ? 3 : 2)
        if token.kind == .object, members > JSONTape.fewMembers {
            isMarked = JSONKeyIndex(tape, from: first, members: members).hasDuplicates
        }
        // For the outermost container, the index -1 was written. The token keeps 32 bits of it.
        let outer = token.high == Int(UInt32.max) ? -1 : token.high
        words[container] = JSONToken(token.kind, isMarked: isMarked, length: members, high: count).word
        // A lookup begins with the first key, unless a key occurs twice.
        words[container + 1] = UInt64(position: words[container + 1].low, members == 0 || isMarked ? 0 : first)
        if token.kind == .object { words[container + 2] = 0 }
        return (outer, outer < 0 ? 0 : words[outer + 1].high)
    }

    /// Reads a key and its colon, up to the value. The object has this number of members before the key.
    private mutating func readKey(at start: Int, of object: Int, after members: Int) throws(JSONSyntaxError) -> Int {
        guard start < end else { throw failure(.endsEarly, at: start) }
        guard bytes[start] == UInt8(ascii: "\"") else { throw failure(.expectedKey, at: start) }
        let key = count
        var at = try readString(at: start)
        let bit = tape.keyBit(of: key)
        // Of many members, only the first are compared here: `close` looks for keys that occur twice.
        if words[object &+ 2] & bit != 0, members < JSONTape.fewMembers,
            tape.hasDuplicate(of: key, among: members, from: object + 3)
        {
            // Sets only the mark, because the kind `null` is 0.
            words[object] |= JSONToken(.null, isMarked: true, high: 0).word
        }
        words[object &+ 2] |= bit
        at = endOfWhiteSpace(from: at)
        guard at < end else { throw failure(.endsEarly, at: at) }
        guard bytes[at] == UInt8(ascii: ":") else { throw failure(.expectedColon, at: at) }
        return endOfWhiteSpace(from: at &+ 1)
    }

    // MARK: Tokens

    @inline(__always)
    private func endOfWhiteSpace(from start: Int) -> Int {
        guard start < end, bytes[start] <= 0x20 else { return start }
        // Mostly there is no white space, or one space after a colon or a comma.
        if bytes[start] == 0x20, start &+ 1 < end, bytes[start &+ 1] > 0x20 { return start &+ 1 }
        return JSONBytes.endOfWhiteSpace(bytes, from: start, to: end)
    }

    @inline(__always)
    mutating func add(_ token: JSONToken) {
        words[count] = token.word
        count &+= 1
    }

    /// Adds the words of a text whose closing quote is at `end`, and whose `length` unescaped bytes begin at `offset`.
    mutating func addText(_ token: JSONToken, length: Int, to end: Int, offset: Int) {
        words[count] = token.word
        words[count + 1] = UInt64(position: length, end - token.high)
        words[count + 2] = JSONToken(.offset, high: offset).word
        count += 3
    }

    /// Makes room for a key and a value, of at most three words each.
    @inline(__always)
    private mutating func reserve(at offset: Int) throws(JSONSyntaxError) {
        if count + 6 > capacity { try grow(at: offset) }
    }

    @inline(never)
    private mutating func grow(at offset: Int) throws(JSONSyntaxError) {
        guard count < maximumWords else { throw failure(.tooManyValues, at: offset) }
        capacity = min(capacity + capacity / 2 + 16, maximumWords + 6)
        // The system moves large blocks without a copy.
        words = JSONMemory.resized(words, to: capacity)
    }

    func failure(_ reason: JSONSyntaxError.Reason, at offset: Int) -> JSONSyntaxError {
        JSONSyntaxError(reason: reason, offset: offset)
    }
}

extension UInt64 {
    /// The second word of an array, an object or a text, with a number in each half.
    @inline(__always)
    init(position: Int, _ high: Int) {
        self = UInt64(truncatingIfNeeded: position) | UInt64(truncatingIfNeeded: high) &<< 32
    }

    @inline(__always) var low: Int { Int(truncatingIfNeeded: self & 0xFFFF_FFFF) }
    @inline(__always) var high: Int { Int(truncatingIfNeeded: self &>> 32) }
}
