// Literals, numbers and strings. Each `read` function returns the offset after what it has read. It adds at most three
// words, for which its caller has reserved room.
extension JSONTokenizer {
    mutating func readLiteral(
        _ literal: StaticString, _ kind: JSONToken.Kind, at start: Int
    ) throws(JSONSyntaxError) -> Int {
        for index in 0..<literal.utf8CodeUnitCount {
            guard start + index < end else { throw failure(.endsEarly, at: end) }
            guard bytes[start + index] == literal.utf8Start[index] else { throw failure(.expectedValue, at: start) }
        }
        add(JSONToken(kind, high: start))
        return start + literal.utf8CodeUnitCount
    }

    mutating func readNumber(at start: Int) throws(JSONSyntaxError) -> Int {
        var at = start
        var hasFractionOrExponent = false
        if bytes[at] == UInt8(ascii: "-") { at += 1 }
        guard at < end else { throw failure(.endsEarly, at: end) }
        if bytes[at] == UInt8(ascii: "0") {
            at += 1
        } else {
            at = try digits(from: at)
        }
        if at < end, bytes[at] == UInt8(ascii: ".") {
            hasFractionOrExponent = true
            at = try digits(from: at + 1)
        }
        if at < end, bytes[at] | 0x20 == UInt8(ascii: "e") {
            hasFractionOrExponent = true
            at += 1
            if at < end, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at += 1 }
            at = try digits(from: at)
        }
        guard at - start <= JSONLimits.numberLength else { throw failure(.numberTooLong, at: start) }
        add(JSONToken(.number, isMarked: hasFractionOrExponent, length: at - start, high: start))
        return at
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
    mutating func readString(at quote: Int) throws(JSONSyntaxError) -> Int {
        let start = quote &+ 1
        let at = JSONBytes.endOfPlainText(bytes, from: start, to: end)
        guard at < end, bytes[at] == UInt8(ascii: "\""), at &- start <= JSONToken.maximumLength else {
            return try readOtherString(start, from: at)
        }
        add(JSONToken(.string, length: at &- start, high: start))
        return at &+ 1
    }

    /// Reads the rest of a string from the first byte that is special: an escape, a control character, a byte that is
    /// not ASCII, the end of the document, or the end of a string of 64 MiB or more.
    @inline(never)
    private mutating func readOtherString(_ start: Int, from special: Int) throws(JSONSyntaxError) -> Int {
        var at = special
        var isASCII = true
        while true {
            guard at < end else { throw failure(.endsEarly, at: end) }
            switch bytes[at] {
            case UInt8(ascii: "\""):
                if at - start <= JSONToken.maximumLength {
                    add(JSONToken(.string, isASCII: isASCII, length: at - start, high: start))
                } else {
                    addText(JSONToken(.text, isASCII: isASCII, high: start), length: at - start, to: at, offset: start)
                }
                return at + 1
            case UInt8(ascii: "\\"):
                return try readEscapedString(start, from: at, isASCII)
            case 0..<0x20:
                throw failure(.controlCharacter, at: at)
            default:
                isASCII = false
                at = JSONBytes.endOfNonASCII(bytes, from: at, to: end)
                guard at == end || bytes[at] < 0x80 else { throw failure(.invalidUTF8, at: at) }
            }
            at = JSONBytes.endOfPlainText(bytes, from: at, to: end)
        }
    }

    /// Reads a string with escapes, from the first of them, and unescapes it.
    private mutating func readEscapedString(
        _ start: Int, from escape: Int, _ isASCII: Bool
    ) throws(JSONSyntaxError) -> Int {
        let texts = self.texts ?? JSONMemory.resized(nil, to: end - start + 8)
        self.texts = texts
        var isASCII = isASCII
        var at = escape
        // An unescaped string is shorter than its source, and the memory has eight bytes more than the rest of the
        // document, so eight bytes can always be written here.
        var target = texts + textsEnd
        target.update(from: bytes + start, count: at - start)
        target += at - start
        while true {
            guard at < end else { throw failure(.endsEarly, at: end) }
            switch bytes[at] {
            case UInt8(ascii: "\\"):
                let first = target
                at = try readEscape(at, to: &target)
                // A character of more than one byte is not ASCII.
                if target > first + 1 { isASCII = false }
                // Escapes tend to follow each other.
                if at < end, bytes[at] == UInt8(ascii: "\\") { continue }
            case UInt8(ascii: "\""):
                let textStart = textsEnd
                textsEnd = target - texts
                let token = JSONToken(.text, isMarked: true, isASCII: isASCII, high: start)
                addText(token, length: textsEnd - textStart, to: at, offset: textStart)
                return at + 1
            case 0..<0x20:
                throw failure(.controlCharacter, at: at)
            default:
                isASCII = false
                let next = JSONBytes.endOfNonASCII(bytes, from: at, to: end)
                guard next == end || bytes[next] < 0x80 else { throw failure(.invalidUTF8, at: next) }
                target.update(from: bytes + at, count: next - at)
                target += next - at
                at = next
            }
            let next = JSONBytes.copyPlainText(bytes, from: at, to: end, target)
            target += next - at
            at = next
        }
    }

    /// Writes the character of an escape sequence, or of a surrogate pair, and returns the offset after it.
    @inline(__always)
    private func readEscape(
        _ start: Int, to target: inout UnsafeMutablePointer<UInt8>
    ) throws(JSONSyntaxError) -> Int {
        guard start + 1 < end else { throw failure(.endsEarly, at: end) }
        guard bytes[start + 1] == UInt8(ascii: "u") else {
            guard let character = JSONBytes.character(of: bytes[start + 1]) else {
                throw failure(.invalidEscape, at: start)
            }
            target.pointee = character
            target += 1
            return start + 2
        }
        let unit = try codeUnit(start)
        guard unit & 0xF800 == 0xD800 else {
            target += JSONBytes.encode(unit, to: target)
            return start + 6
        }
        guard unit < 0xDC00, start + 7 < end, bytes[start + 6] == UInt8(ascii: "\\"),
            bytes[start + 7] == UInt8(ascii: "u")
        else { throw failure(.loneSurrogate, at: start) }
        let second = try codeUnit(start + 6)
        guard second & 0xFC00 == 0xDC00 else { throw failure(.loneSurrogate, at: start) }
        target += JSONBytes.encode(0x1_0000 &+ (unit & 0x3FF) &<< 10 &+ (second & 0x3FF), to: target)
        return start + 12
    }

    /// Returns the code unit that an escape sequence represents.
    @inline(__always)
    private func codeUnit(_ start: Int) throws(JSONSyntaxError) -> UInt32 {
        guard start + 6 <= end else { throw failure(.endsEarly, at: end) }
        guard JSONBytes.areHexadecimal(bytes + start + 2) else { throw failure(.invalidEscape, at: start) }
        return JSONBytes.hexadecimal(bytes + start + 2)
    }
}
