/// Copies JSON text without whitespace, with secrets replaced by `"***"`.
///
/// It reads the text itself: a log often contains only the beginning of a document, which a parser rejects. It stops at
/// the first invalid byte, because it cannot find secrets in the rest.
package struct JSONRedaction {
    let names: SecretNames

    package init(_ names: SecretNames) {
        self.names = names
    }

    /// - Returns: The redacted text, and whether it covers the whole input.
    func redacted(_ text: [UInt8]) -> (bytes: [UInt8], isWhole: Bool) {
        var reader = Reader(text: text, names: names)
        while reader.copyToken() {}
        return (reader.copy, reader.isAtEnd && !reader.isCutOff)
    }

    /// Redacts a document that a program reads again. Whitespace and the structure of secret values are preserved:
    /// strings are replaced by a word, and numbers by 0. In a text that contains a secret, the rest is preserved.
    ///
    /// - Parameter word: The word, which must not need escaping.
    /// - Returns: The redacted text, and the number of bytes of the document that it covers.
    package func redactedKeepingShape(_ text: [UInt8], hiddenAs word: String) -> (bytes: [UInt8], count: Int) {
        var reader = Reader(text: text, names: names, hidden: word, keepsShape: true)
        while reader.copyToken() {}
        return (reader.copy, reader.isCutOff ? text.count : reader.position)
    }

    private struct Reader {
        let text: [UInt8]
        let names: SecretNames
        var position = 0
        var copy: [UInt8] = []
        /// Whether the text ended inside a hidden value.
        var isCutOff = false
        let keepsShape: Bool

        var isAtEnd: Bool { position == text.count }

        /// The JSON string that replaces a hidden value.
        private let hidden: [UInt8]

        init(text: [UInt8], names: SecretNames, hidden: String = "***", keepsShape: Bool = false) {
            self.text = text
            self.hidden = Array("\"\(hidden)\"".utf8)
            self.names = names
            self.keepsShape = keepsShape
        }

        /// - Returns: Whether the copy can continue.
        mutating func copyToken() -> Bool {
            skipSpace()
            guard position < text.count else { return false }
            switch text[position] {
            case UInt8(ascii: "\""):
                return copyString()
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
                UInt8(ascii: ":"):
                copy.append(text[position])
                position += 1
                return true
            default:
                return copyWord()
            }
        }

        /// Copies a string. If it is a key of a secret, also hides its value.
        private mutating func copyString() -> Bool {
            guard let end = endOfString(at: position) else { return false }
            let raw = text[position..<end]
            position = end
            guard isAtColon else {
                copy += shown(raw)
                return true
            }
            copy += raw
            skipSpace()
            position += 1
            copy.append(UInt8(ascii: ":"))
            guard names.contains(Self.value(of: raw), number: isAtNumber) else { return true }
            if !keepsShape {
                copy += hidden
                isCutOff = !skipValue()
            } else {
                isCutOff = !copyShape()
            }
            return !isCutOff
        }

        /// Whether the next character other than whitespace is a colon.
        private var isAtColon: Bool {
            text[position...].first { !Self.space.contains($0) } == UInt8(ascii: ":")
        }

        /// Whether the next value is a number.
        private var isAtNumber: Bool {
            let value = text[position...].drop { Self.space.contains($0) }
            return value.prefix { !Self.delimiters.contains($0) }.isNumber
        }

        /// Returns a string that is not a key, without its secrets.
        private func shown(_ raw: ArraySlice<UInt8>) -> [UInt8] {
            let value = Self.value(of: raw)
            let redaction = TextRedaction(names)
            guard redaction.findsSecret(in: value.utf8) else { return Array(raw) }
            guard keepsShape else { return hidden }
            return (try? FastJSONEncoder().encode(redaction.redacted(value))).map { Array($0) } ?? hidden
        }

        /// Hides a value and preserves its structure.
        ///
        /// - Returns: Whether the end of the value was found.
        private mutating func copyShape() -> Bool {
            var depth = 0
            repeat {
                skipSpace()
                guard position < text.count else { return false }
                switch text[position] {
                case UInt8(ascii: "\""):
                    guard let end = endOfString(at: position) else { return false }
                    let raw = text[position..<end]
                    position = end
                    copy += isAtColon ? Array(raw) : hidden
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    depth += 1
                    copy.append(text[position])
                    position += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"):
                    // A key without a value.
                    guard depth > 0 else { return true }
                    if [UInt8(ascii: "}"), UInt8(ascii: "]")].contains(text[position]) { depth -= 1 }
                    copy.append(text[position])
                    position += 1
                default:
                    let end = text[position...].firstIndex { Self.delimiters.contains($0) } ?? text.count
                    let word = Array(text[position..<end])
                    copy += Self.words.contains(word) ? word : [UInt8(ascii: "0")]
                    position = end
                }
            } while depth > 0
            return true
        }

        /// Copies a number, `true`, `false` or `null`.
        private mutating func copyWord() -> Bool {
            let end = text[position...].firstIndex { !Self.wordCharacters.contains($0) } ?? text.count
            let word = text[position..<end]
            let isNumber = word.first.map { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") } ?? false
            // The text may end within a word.
            guard isNumber || Self.words.contains(where: { $0 == Array(word) }) else { return false }
            copy += word
            position = end
            return true
        }

        /// - Returns: Whether the end of the value was found.
        private mutating func skipValue() -> Bool {
            skipSpace()
            var depth = 0
            repeat {
                guard position < text.count else { return false }
                switch text[position] {
                case UInt8(ascii: "\""):
                    guard let end = endOfString(at: position) else { return false }
                    position = end
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    depth += 1
                    position += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    // A key without a value.
                    guard depth > 0 else { return true }
                    depth -= 1
                    position += 1
                case UInt8(ascii: ","), UInt8(ascii: ":"),
                    _ where depth > 0 && Self.space.contains(text[position]):
                    guard depth > 0 else { return true }
                    position += 1
                default:
                    let end = text[position...].firstIndex { Self.delimiters.contains($0) } ?? text.count
                    position = end
                }
            } while depth > 0
            return true
        }

        private mutating func skipSpace() {
            while position < text.count, Self.space.contains(text[position]) {
                if keepsShape { copy.append(text[position]) }
                position += 1
            }
        }

        /// Returns the position after the closing quote; `nil` if there is none.
        private func endOfString(at start: Int) -> Int? {
            var index = start + 1
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
        private static let delimiters = space.union("{}[],:\"".utf8)
    }
}
