/// Scans a text for the names of secrets, and hides the values after them.
struct TextScanner {
    let bytes: [UInt8]
    let redaction: TextRedaction
    var copy: [UInt8] = []
    var hasHidden = false
    private var position = 0

    init(bytes: [UInt8], redaction: TextRedaction) {
        self.bytes = bytes
        self.redaction = redaction
        copy.reserveCapacity(bytes.count)
    }

    mutating func scan() {
        while position < bytes.count {
            if bytes[position...].starts(with: Self.authority) {
                take(Self.authority.count)
                skipUserInfo()
            } else if Self.wordCharacters.contains(bytes[position]) {
                scanWord()
            } else {
                take(1)
            }
        }
    }

    private mutating func scanWord() {
        let start = position
        let end = firstIndex(from: start) { !Self.wordCharacters.contains($0) }
        let word = bytes[start..<end]
        if hidesEncoded(word) { return }
        let isElement = start > 0 && bytes[start - 1] == UInt8(ascii: "<")
        let quote = quote(at: end)
        take(end - start + quote.count)
        if isElement { return scanElement(word) }
        let mark = firstIndex(from: position) { !$0.isBlank }
        guard mark < bytes.count, [UInt8(ascii: "="), UInt8(ascii: ":")].contains(bytes[mark]) else { return }
        let value = firstIndex(from: mark + 1) { !$0.isBlank }
        let isItem = bytes[mark] == UInt8(ascii: "=")
        let ends = isItem ? Self.itemEnds : quote.isEmpty ? Self.lineEnds : Self.jsonEnds
        let (name, isNumber) = (word.fullyDecoded, isNumber(at: value, until: ends))
        // In an XML attribute, the name is not that of a query item.
        let isHidden =
            isItem && self.quote(at: value).isEmpty
            ? redaction.names.contains(item: name, number: isNumber)
            : redaction.names.contains(name, number: isNumber)
        guard isHidden else { return }
        take(value - position)
        hideValue(until: ends)
    }

    /// Hides encoded text that contains a secret, with the rest of its query item. Returns `false` if it contains none.
    private mutating func hidesEncoded(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.contains(UInt8(ascii: "%")) else { return false }
        // After an encoded name, the value may begin with characters that are not encoded.
        let beginning = bytes[word.startIndex..<min(word.endIndex + 16, bytes.count)]
        guard redaction.findsSecret(inEncoded: word) || redaction.findsSecret(inEncoded: beginning) else {
            return false
        }
        position = firstIndex(from: word.endIndex, where: Self.itemEnds.contains)
        hide()
        return true
    }

    /// Hides the content of `<name>value</name>`, which may have a namespace and attributes.
    private mutating func scanElement(_ word: ArraySlice<UInt8>) {
        var name = word
        if position < bytes.count, bytes[position] == UInt8(ascii: ":") {
            name = bytes[(position + 1)..<firstIndex(from: position + 1) { !Self.wordCharacters.contains($0) }]
            take(name.count + 1)
        }
        let close = firstIndex(from: position, where: Self.tagEnds.contains)
        guard redaction.names.contains(name.fullyDecoded), close < bytes.count, bytes[close] == UInt8(ascii: ">"),
            close == position || Self.space.contains(bytes[position])
        else { return }
        let attributes = Array(bytes[position...close])
        copy += redaction.redacted(attributes)
        hasHidden = hasHidden || redaction.findsSecret(in: attributes)
        position = close + 1
        let end = firstIndex(from: position) { $0 == UInt8(ascii: "<") }
        guard end > position,
            !isNumber(at: position, until: [UInt8(ascii: "<")])
                || redaction.names.contains(name.fullyDecoded, number: true)
        else { return }
        position = end
        hide()
    }

    /// Hides a value with or without quotes. Does nothing if there is no value.
    private mutating func hideValue(until ends: Set<UInt8>) {
        let quote = quote(at: position)
        if !quote.isEmpty {
            take(quote.count)
            position = endOfString(from: position, quote: quote)
            return hide()
        }
        guard position < bytes.count else { return }
        var end = firstIndex(from: position, where: ends.contains)
        if Self.brackets.contains(bytes[position]) { end = max(end, endOfBrackets(from: position)) }
        while end > position, Self.punctuation.contains(bytes[end - 1]) { end -= 1 }
        guard end > position else { return }
        // A number in JSON is replaced by a number.
        let isNumber = ends == Self.jsonEnds && (bytes[position] == UInt8(ascii: "-") || bytes[position].isDigit)
        position = end
        hide(as: isNumber ? "0" : nil)
    }

    /// Removes the user info before an `@` in the authority of a URL.
    private mutating func skipUserInfo() {
        let end = firstIndex(from: position, where: Self.authorityEnds.contains)
        guard let at = bytes[position..<end].lastIndex(of: UInt8(ascii: "@")) else { return }
        position = at + 1
        hasHidden = true
    }

    private mutating func take(_ count: Int) {
        let end = min(position + count, bytes.count)
        copy += bytes[position..<end]
        position = end
    }

    private mutating func hide(as word: String? = nil) {
        copy += Array((word ?? redaction.placeholder).utf8)
        hasHidden = true
    }
}

/// Searches for the ends of values.
extension TextScanner {
    private func firstIndex(from start: Int, where isWanted: (UInt8) -> Bool) -> Int {
        guard start < bytes.count else { return bytes.count }
        return bytes[start...].firstIndex(where: isWanted) ?? bytes.count
    }

    /// Returns `true` if only a number precedes one of these ends.
    private func isNumber(at start: Int, until ends: Set<UInt8>) -> Bool {
        let end = firstIndex(from: start) { !$0.isInNumber }
        let next = firstIndex(from: end) { !$0.isBlank }
        return end > start && (next == bytes.count || ends.contains(bytes[next]))
    }

    /// Returns the quote at an index, with the backslashes that escape it within another string; empty if there is
    /// none.
    private func quote(at index: Int) -> ArraySlice<UInt8> {
        let end = firstIndex(from: index) { $0 != UInt8(ascii: "\\") }
        guard end < bytes.count, Self.quotes.contains(bytes[end]) else { return [] }
        return bytes[index...end]
    }

    /// Returns the index of the closing quote, including its backslashes.
    private func endOfString(from start: Int, quote: ArraySlice<UInt8>) -> Int {
        let escapes = quote.count - 1
        var backslashes = 0
        for index in start..<max(start, bytes.count) {
            // Each level of nesting doubles the backslashes of the string.
            if bytes[index] == quote.last, backslashes % (2 * quote.count) == escapes { return index - escapes }
            backslashes = bytes[index] == UInt8(ascii: "\\") ? backslashes + 1 : 0
        }
        return bytes.count
    }

    /// Returns the index after the bracket that closes the bracket at an index.
    private func endOfBrackets(from start: Int) -> Int {
        var depth = 0
        var index = start
        while index < bytes.count {
            let quote = quote(at: index)
            if quote.last == UInt8(ascii: "\"") {
                index = endOfString(from: index + quote.count, quote: quote) + quote.count
                continue
            }
            // Backslashes that escape no quote are read once, not once for each of them.
            if bytes[index] == UInt8(ascii: "\\") {
                index = firstIndex(from: index) { $0 != UInt8(ascii: "\\") }
                continue
            }
            if Self.brackets.contains(bytes[index]) { depth += 1 }
            if Self.closingBrackets.contains(bytes[index]) { depth -= 1 }
            index += 1
            if depth == 0 { return index }
        }
        return bytes.count
    }

    private static let authority = Array("://".utf8)
    private static let wordCharacters = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.%[]~".utf8)
    private static let quotes = Set("\"'".utf8)
    private static let brackets = Set("[{".utf8)
    private static let closingBrackets = Set("]}".utf8)
    private static let punctuation = Set(",;".utf8)
    private static let space = Set(" \t\r\n/".utf8)
    private static let tagEnds = Set("<>".utf8)
    private static let itemEnds = Set("& \t\r\n\"'<>)#".utf8)
    private static let jsonEnds = Set(",}]\r\n".utf8)
    private static let lineEnds = Set("\r\n".utf8)
    private static let authorityEnds = Set("/?# \t\r\n\"'<>".utf8)
}
