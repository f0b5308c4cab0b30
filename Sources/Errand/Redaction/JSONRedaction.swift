/// Replaces the values of secret names in JSON text, and keeps everything else: whitespace, the keys, and the structure
/// of a secret value, whose strings and numbers are replaced.
///
/// It reads the text itself: a log often contains only the beginning of a document, which a parser rejects. It stops at
/// the first invalid byte, because it cannot find secrets in the rest.
package struct JSONRedaction {
    private let text: [UInt8]
    private let names: SecretNames
    /// What replaces a string, in quotes, and a number.
    private let hidden: (string: [UInt8], number: [UInt8])
    private var position = 0
    private var copy: [UInt8] = []

    /// - Parameters:
    ///   - word: The text that replaces a string. It must not need escaping.
    ///   - number: The JSON value that replaces a number.
    package init(_ text: [UInt8], _ names: SecretNames, hiddenAs word: String = "***", number: String = #""***""#) {
        self.text = text
        self.names = names
        hidden = (Array("\"\(word)\"".utf8), Array(number.utf8))
        copy.reserveCapacity(text.count)
    }

    /// - Returns: The redacted text, and whether it covers the whole input.
    package mutating func redacted() -> (bytes: [UInt8], isWhole: Bool) {
        // The depth of the secret value that is being copied; `nil` outside of one.
        var depth: Int?
        while true {
            skipSpace()
            guard position < text.count else { return (copy, depth == nil) }
            let byte = text[position]
            switch byte {
            case UInt8(ascii: "\""):
                guard let end = endOfString() else { return (copy, false) }
                let raw = text[position..<end]
                position = end
                // The secret value itself is no key.
                if depth != 0, isKey {
                    copy += raw
                    skipSpace()
                    take(1)
                    if depth == nil, names.contains(Self.value(of: raw)) { depth = 0 }
                    continue
                }
                copy += depth == nil ? Array(raw) : hidden.string
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                take(1)
                if let level = depth { depth = level + 1 }
                continue
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // A key without a value ends here too.
                if let level = depth { depth = level > 0 ? level - 1 : nil }
                take(1)
            case UInt8(ascii: ","):
                take(1)
                if depth == 0 { depth = nil }
                continue
            default:
                guard copyWord(isHidden: depth != nil) else { return (copy, false) }
            }
            if depth == 0 { depth = nil }
        }
    }

    /// Whether the next character other than whitespace is a colon.
    private var isKey: Bool { text[position...].first { !Self.space.contains($0) } == UInt8(ascii: ":") }

    /// Copies a number, `true`, `false` or `null`.
    private mutating func copyWord(isHidden: Bool) -> Bool {
        let end = text[position...].firstIndex { !Self.wordCharacters.contains($0) } ?? text.count
        let word = Array(text[position..<end])
        let isNumber = word.first.map { $0.isDigit || $0 == UInt8(ascii: "-") } ?? false
        // The text may end within a word.
        guard isNumber || Self.words.contains(word) else { return false }
        copy += isNumber && isHidden ? hidden.number : word
        position = end
        return true
    }

    private mutating func skipSpace() {
        while position < text.count, Self.space.contains(text[position]) { take(1) }
    }

    private mutating func take(_ count: Int) {
        copy += text[position..<(position + count)]
        position += count
    }

    /// Returns the position after the closing quote of the string that begins here; `nil` if it has no closing quote.
    private func endOfString() -> Int? {
        var index = position + 1
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "\""): return index + 1
            default: index += 1
            }
        }
        return nil
    }

    /// Returns the content of a string without its quotes and escapes.
    private static func value(of raw: ArraySlice<UInt8>) -> String {
        if raw.contains(UInt8(ascii: "\\")),
            let decoded = try? FastJSONDecoder().decode([String].self, from: Data([0x5B] + raw + [0x5D]))
        {
            return decoded[0]
        }
        return String(decoding: raw.dropFirst().dropLast(), as: UTF8.self)
    }

    private static let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    private static let words = ["true", "false", "null"].map { Array($0.utf8) }
    private static let wordCharacters = Set("truefalsn0123456789+-.eE".utf8)
}
