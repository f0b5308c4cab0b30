/// Copies JSON text without white space, and with `"***"` for secrets.
///
/// It reads the text itself, since what is logged is mostly the beginning of a document, which no parser takes. It stops
/// where the text is no JSON: what cannot be read cannot be searched for secrets.
package struct JSONRedaction {
    let names: SecretNames

    package init(_ names: SecretNames) {
        self.names = names
    }

    /// - Returns: What was read, and whether that is all of it.
    func redacted(_ text: [UInt8]) -> (bytes: [UInt8], isWhole: Bool) {
        var reader = Reader(text: text, names: names)
        while reader.copyToken() {}
        return (reader.copy, reader.isAtEnd && !reader.isCutOff)
    }

    /// The same for a document that a program reads again: white space stays, and so does the shape of a secret. A word
    /// replaces its texts, and 0 its numbers. Of a text that holds a secret, the rest stays.
    ///
    /// - Parameter word: The word, which must not need escapes.
    /// - Returns: What was read, and how many bytes of the document that is.
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
        /// Whether the text ended inside a value that is hidden.
        var isCutOff = false
        let keepsShape: Bool

        var isAtEnd: Bool { position == text.count }

        /// What stands for what is hidden.
        private let hidden: [UInt8]

        init(text: [UInt8], names: SecretNames, hidden: String = "***", keepsShape: Bool = false) {
            self.text = text
            self.hidden = Array("\"\(hidden)\"".utf8)
            self.names = names
            self.keepsShape = keepsShape
        }

        /// - Returns: Whether there may be more.
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

        /// A string; where it is a hidden key, with its value.
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

        /// Whether a colon comes next, white space left out.
        private var isAtColon: Bool {
            text[position...].first { !Self.space.contains($0) } == UInt8(ascii: ":")
        }

        /// Whether the next value is a number, white space left out.
        private var isAtNumber: Bool {
            let value = text[position...].drop { Self.space.contains($0) }
            return value.prefix { !Self.delimiters.contains($0) }.isNumber
        }

        /// A text that is not a key, without its secrets.
        private func shown(_ raw: ArraySlice<UInt8>) -> [UInt8] {
            let value = Self.value(of: raw)
            let redaction = TextRedaction(names)
            guard redaction.findsSecret(in: value.utf8) else { return Array(raw) }
            guard keepsShape else { return hidden }
            return (try? FastJSONEncoder().encode(redaction.redacted(value))).map { Array($0) } ?? hidden
        }

        /// A value that is hidden, with its shape.
        ///
        /// - Returns: Whether its end was found.
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

        /// A number, `true`, `false` or `null`.
        private mutating func copyWord() -> Bool {
            let end = text[position...].firstIndex { !Self.wordCharacters.contains($0) } ?? text.count
            let word = text[position..<end]
            let isNumber = word.first.map { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") } ?? false
            // A word at the end may be the beginning of one.
            guard isNumber || Self.words.contains(where: { $0 == Array(word) }) else { return false }
            copy += word
            position = end
            return true
        }

        /// - Returns: Whether its end was found.
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

        /// The position after the closing quote; `nil` if it is missing.
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

        /// A string without its quotes and escapes.
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
