/// Checks a document against RFC 8259 and writes its tokens to a tape, in one pass and without recursion.
///
/// Numbers and strings are checked here, and converted when a value asks for them. While an array or object is open, its first
/// word has the index of the one around it in place of the end, and its second word the number of its elements so far.
struct JSONTokenizer {
    let bytes: UnsafePointer<UInt8>
    let end: Int
    let maximumDepth: Int
    var position = 0

    private(set) var words: UnsafeMutablePointer<UInt64>
    private(set) var count = 0
    private var capacity: Int
    /// The deepest nesting so far.
    private(set) var deepest = 0

    /// Reads a whole document. The caller releases the words with `free`.
    static func tokens(
        of document: UnsafeBufferPointer<UInt8>, depth: Int
    ) throws(JSONSyntaxError) -> JSONTokenizer {
        var tokenizer = try JSONTokenizer(document, depth: depth)
        do throws(JSONSyntaxError) {
            try tokenizer.readDocument()
        } catch {
            free(tokenizer.words)
            throw error
        }
        return tokenizer
    }

    private init(_ document: UnsafeBufferPointer<UInt8>, depth: Int) throws(JSONSyntaxError) {
        guard let bytes = document.baseAddress, !document.isEmpty else {
            throw JSONSyntaxError(reason: .empty, offset: 0)
        }
        guard document.count <= JSONLimits.documentLength else {
            throw JSONSyntaxError(reason: .documentTooLong, offset: 0)
        }
        self.bytes = bytes
        end = document.count
        maximumDepth = depth
        capacity = document.count / 12 + 16
        guard let words = malloc(capacity * MemoryLayout<UInt64>.stride) else {
            fatalError("out of memory for the tokens of a JSON document")
        }
        self.words = words.assumingMemoryBound(to: UInt64.self)
    }

    private mutating func readDocument() throws(JSONSyntaxError) {
        if end >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { position = 3 }
        skipWhiteSpace()
        guard position < end else { throw failure(position == 0 || end == 3 ? .empty : .endsEarly) }
        try readValue()
        skipWhiteSpace()
        guard position == end else { throw failure(.expectedEnd) }
    }

    // MARK: Structure

    private mutating func readValue() throws(JSONSyntaxError) {
        var container = -1
        var isObject = false
        var members = 0
        var depth = 0
        while true {
            guard position < end else { throw failure(.endsEarly) }
            reserve()
            switch bytes[position] {
            case UInt8(ascii: "\""):
                try readString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard depth < maximumDepth else { throw failure(.tooDeep) }
                depth += 1
                deepest = max(deepest, depth)
                if container >= 0 { words[container + 1] = UInt64(position: words[container + 1].low, members) }
                isObject = bytes[position] == UInt8(ascii: "{")
                words[count] = JSONToken(isObject ? .object : .array, high: container).word
                words[count + 1] = UInt64(position: position, 0)
                words[count + 2] = 0
                container = count
                members = 0
                count += isObject ? 3 : 2
                position += 1
                skipWhiteSpace()
                guard position < end else { throw failure(.endsEarly) }
                if bytes[position] != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    members = 1
                    if isObject { try readKey(of: container, after: 0) }
                    continue
                }
                position += 1
                (container, members) = close(container, 0)
                depth -= 1
                isObject = container >= 0 && JSONToken(word: words[container]).kind == .object
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                try readNumber()
            case UInt8(ascii: "t"):
                try readLiteral("true", .true)
            case UInt8(ascii: "f"):
                try readLiteral("false", .false)
            case UInt8(ascii: "n"):
                try readLiteral("null", .null)
            default:
                throw failure(.expectedValue)
            }
            // A value has ended, and with it perhaps what is around it.
            while true {
                guard container >= 0 else { return }
                skipWhiteSpace()
                guard position < end else { throw failure(.endsEarly) }
                let byte = bytes[position]
                if byte == UInt8(ascii: ",") {
                    position += 1
                    skipWhiteSpace()
                    members += 1
                    if isObject {
                        reserve()
                        try readKey(of: container, after: members - 1)
                    }
                    break
                }
                guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw failure(isObject ? .expectedCommaOrBrace : .expectedCommaOrBracket)
                }
                position += 1
                guard members <= JSONLimits.members else { throw failure(.tooManyMembers) }
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
        if token.kind == .object, members > JSONTape.fewMembers || token.word & Self.escapedKey != 0 {
            isMarked = JSONKeyIndex(tape, from: first, members: members).hasDuplicates
        }
        let outer = Int(Int32(truncatingIfNeeded: token.high))
        words[container] = JSONToken(token.kind, isMarked: isMarked, length: members, high: count).word
        // A lookup begins with the first key, unless it is one of two.
        words[container + 1] = UInt64(position: words[container + 1].low, members == 0 || isMarked ? 0 : first)
        return (outer, outer < 0 ? 0 : words[outer + 1].high)
    }

    private mutating func readKey(of object: Int, after members: Int) throws(JSONSyntaxError) {
        guard position < end else { throw failure(.endsEarly) }
        guard bytes[position] == UInt8(ascii: "\"") else { throw failure(.expectedKey) }
        let key = count
        try readString()
        let token = JSONToken(word: words[key])
        let bit = tape.keyBit(of: token)
        if words[object &+ 2] & bit != 0, members < JSONTape.fewMembers, tape.has(key, among: members, from: object + 3)
        {
            words[object] |= JSONToken(.null, isMarked: true, high: 0).word
        }
        words[object &+ 2] |= bit
        if token.isMarked { words[object] |= Self.escapedKey }
        skipWhiteSpace()
        guard position < end else { throw failure(.endsEarly) }
        guard bytes[position] == UInt8(ascii: ":") else { throw failure(.expectedColon) }
        position += 1
        skipWhiteSpace()
    }

    // MARK: Tokens

    private mutating func readLiteral(_ literal: StaticString, _ kind: JSONToken.Kind) throws(JSONSyntaxError) {
        for index in 0..<literal.utf8CodeUnitCount {
            guard position + index < end else { throw failure(.endsEarly, at: end) }
            guard bytes[position + index] == literal.utf8Start[index] else { throw failure(.expectedValue) }
        }
        words[count] = JSONToken(kind, high: position).word
        count += 1
        position += literal.utf8CodeUnitCount
    }

    private mutating func readNumber() throws(JSONSyntaxError) {
        let start = position
        var at = position
        var hasFraction = false
        if bytes[at] == UInt8(ascii: "-") { at += 1 }
        guard at < end else { throw failure(.endsEarly, at: end) }
        if bytes[at] == UInt8(ascii: "0") {
            at += 1
        } else {
            at = try digits(from: at)
        }
        if at < end, bytes[at] == UInt8(ascii: ".") {
            hasFraction = true
            at = try digits(from: at + 1)
        }
        if at < end, bytes[at] | 0x20 == UInt8(ascii: "e") {
            hasFraction = true
            at += 1
            if at < end, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at += 1 }
            at = try digits(from: at)
        }
        guard at - start <= JSONLimits.numberLength else { throw failure(.numberTooLong) }
        words[count] = JSONToken(.number, isMarked: hasFraction, length: at - start, high: start).word
        count += 1
        position = at
    }

    /// Returns the offset after one digit or more.
    @inline(__always)
    private func digits(from start: Int) throws(JSONSyntaxError) -> Int {
        var at = start
        while at < end, bytes[at] &- UInt8(ascii: "0") < 10 { at += 1 }
        guard at > start else { throw failure(at < end ? .invalidNumber : .endsEarly, at: at) }
        return at
    }

    @inline(__always)
    private mutating func readString() throws(JSONSyntaxError) {
        let start = position &+ 1
        let at = JSONBytes.endOfPlainText(bytes, from: start, to: end)
        guard at < end, bytes[at] == UInt8(ascii: "\""), at &- start <= JSONToken.maximumLength else {
            return try readOtherString(start, from: at)
        }
        words[count] = JSONToken(.string, length: at &- start, high: start).word
        count &+= 1
        position = at &+ 1
    }

    /// Reads a string that is not short ASCII without escapes, from the first byte that is special.
    @inline(never)
    private mutating func readOtherString(_ start: Int, from special: Int) throws(JSONSyntaxError) {
        var at = special
        var hasEscapes = false
        while true {
            guard at < end else { throw failure(.endsEarly, at: end) }
            switch bytes[at] {
            case UInt8(ascii: "\""):
                endString(start, at, hasEscapes)
                return
            case UInt8(ascii: "\\"):
                hasEscapes = true
                // Escapes tend to follow each other.
                repeat { at = try readEscape(at) } while at < end && bytes[at] == UInt8(ascii: "\\")
            case 0..<0x20:
                throw failure(.controlCharacter, at: at)
            default:
                at = JSONBytes.endOfNonASCII(bytes, from: at, to: end)
                guard at == end || bytes[at] < 0x80 else { throw failure(.invalidUTF8, at: at) }
            }
            at = JSONBytes.endOfPlainText(bytes, from: at, to: end)
        }
    }

    private mutating func endString(_ start: Int, _ at: Int, _ hasEscapes: Bool) {
        let length = at - start
        position = at + 1
        if length <= JSONToken.maximumLength {
            words[count] = JSONToken(.string, isMarked: hasEscapes, length: length, high: start).word
            count += 1
        } else {
            words[count] = JSONToken(.longString, isMarked: hasEscapes, high: start).word
            words[count + 1] = UInt64(length) << 4 | UInt64(JSONToken.Kind.length.rawValue)
            count += 2
        }
    }

    /// Returns the offset after an escape sequence, or after both of a surrogate pair.
    private func readEscape(_ start: Int) throws(JSONSyntaxError) -> Int {
        guard start + 1 < end else { throw failure(.endsEarly, at: end) }
        switch bytes[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "u"):
            let unit = try hexadecimal(start)
            guard unit & 0xF800 == 0xD800 else { return start + 6 }
            guard unit < 0xDC00, start + 7 < end, bytes[start + 6] == UInt8(ascii: "\\"),
                bytes[start + 7] == UInt8(ascii: "u"), try hexadecimal(start + 6) & 0xFC00 == 0xDC00
            else { throw failure(.loneSurrogate, at: start) }
            return start + 12
        default:
            throw failure(.invalidEscape, at: start)
        }
    }

    private func hexadecimal(_ start: Int) throws(JSONSyntaxError) -> UInt32 {
        guard start + 6 <= end else { throw failure(.endsEarly, at: end) }
        guard let unit = JSONBytes.hexadecimal(bytes + start + 2) else { throw failure(.invalidEscape, at: start) }
        return unit
    }

    // MARK: Helpers

    /// The mark of an open object that has a key with escapes, which can be another key written differently.
    private static let escapedKey: UInt64 = 32

    @inline(__always) private var tape: JSONTape { JSONTape(words: words, bytes: bytes, end: end) }

    @inline(__always)
    private mutating func skipWhiteSpace() {
        guard position < end, bytes[position] <= 0x20 else { return }
        // Mostly nothing, or one space after a colon or a comma.
        if bytes[position] == 0x20, position &+ 1 < end, bytes[position &+ 1] > 0x20 {
            position &+= 1
        } else {
            position = JSONBytes.endOfWhiteSpace(bytes, from: position, to: end)
        }
    }

    /// Makes room for a key and a value, of at most two and three words.
    @inline(__always)
    private mutating func reserve() {
        if count + 5 > capacity { grow() }
    }

    @inline(never)
    private mutating func grow() {
        capacity += capacity / 2 + 16
        // Large blocks are moved by the system without a copy.
        guard let moved = realloc(words, capacity * MemoryLayout<UInt64>.stride) else {
            fatalError("out of memory for the tokens of a JSON document")
        }
        words = moved.assumingMemoryBound(to: UInt64.self)
    }

    private func failure(_ reason: JSONSyntaxError.Reason, at offset: Int? = nil) -> JSONSyntaxError {
        JSONSyntaxError(reason: reason, offset: offset ?? position)
    }
}

extension UInt64 {
    /// The second word of an array or object.
    @inline(__always)
    init(position: Int, _ high: Int) {
        self = UInt64(truncatingIfNeeded: position) | UInt64(truncatingIfNeeded: high) &<< 32
    }

    @inline(__always) var low: Int { Int(truncatingIfNeeded: self & 0xFFFF_FFFF) }
    @inline(__always) var high: Int { Int(truncatingIfNeeded: self &>> 32) }
}
