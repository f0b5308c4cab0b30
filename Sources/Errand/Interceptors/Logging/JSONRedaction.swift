/// Copies JSON text without white space, and with `"***"` for the values of hidden keys.
///
/// It reads the text itself, since what is logged is mostly the beginning of a document, which no parser takes. It stops
/// where the text is no JSON: what cannot be read cannot be searched for secrets.
package struct JSONRedaction {
    let keys: HiddenKeys

    package init(keys: HiddenKeys) {
        self.keys = keys
    }

    /// - Returns: What was read, and whether that is all of it.
    func redacted(_ text: [UInt8]) -> (bytes: [UInt8], isWhole: Bool) {
        var reader = Reader(text: text, keys: keys)
        while reader.copyToken() {}
        return (reader.copy, reader.isAtEnd && !reader.isCutOff)
    }

    /// The same for a document that a program is to read again: white space stays, and so does the shape of what is hidden:
    /// a word stands for its texts and 0 for its numbers. A text is not hidden for what it seems to hold.
    ///
    /// - Parameters:
    ///   - word: Stands for texts; without what would have to be escaped.
    ///   - scrub: What becomes of a text that is not hidden, without its quotes and escapes.
    /// - Returns: What was read, and how many bytes of the document that is.
    package func redactedKeepingShape(
        _ text: [UInt8], hiddenAs word: String, _ scrub: @escaping (String) -> String
    ) -> (bytes: [UInt8], count: Int) {
        var reader = Reader(text: text, keys: keys, hidden: word, scrub: scrub)
        while reader.copyToken() {}
        return (reader.copy, reader.isCutOff ? text.count : reader.position)
    }

    private struct Reader {
        let text: [UInt8]
        let keys: HiddenKeys
        var position = 0
        var copy: [UInt8] = []
        /// Whether the text ended inside a value that is hidden.
        var isCutOff = false
        /// What becomes of texts where the shape of the document is kept; nil where it is not.
        let scrub: ((String) -> String)?

        var isAtEnd: Bool { position == text.count }

        /// What stands for what is hidden.
        private let hidden: [UInt8]

        init(text: [UInt8], keys: HiddenKeys, hidden: String = "***", scrub: ((String) -> String)? = nil) {
            self.text = text
            self.hidden = Array("\"\(hidden)\"".utf8)
            self.keys = keys
            self.scrub = scrub
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
            guard keys.contains(Self.value(of: raw)) else { return true }
            if scrub == nil {
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

        /// A text that is no key, fit to be shown.
        private func shown(_ raw: ArraySlice<UInt8>) -> [UInt8] {
            guard let scrub else { return hidesDocument(raw) ? hidden : Array(raw) }
            let value = Self.value(of: raw)
            // What has no escapes still has its quotes.
            let isQuoted = !raw.contains(UInt8(ascii: "\\"))
            let bare = isQuoted ? String(value.dropFirst().dropLast()) : value
            let scrubbed = scrub(bare)
            guard scrubbed != bare else { return Array(raw) }
            return (try? FastJSONEncoder().encode(scrubbed)).map { Array($0) } ?? hidden
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
                if scrub != nil { copy.append(text[position]) }
                position += 1
            }
        }

        /// Behind the closing quote; nil where there is none.
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

        /// Whether a string value seems to be a JSON document itself, or a URL or a form, with a hidden key in it.
        private func hidesDocument(_ raw: ArraySlice<UInt8>) -> Bool {
            let text = Self.value(of: raw)
            return raw.contains(UInt8(ascii: "\\")) && keys.areMentioned(in: text) || keys.areNamed(in: text)
        }

        /// A string without its quotes and escapes; as it stands where it is none.
        private static func value(of raw: ArraySlice<UInt8>) -> String {
            guard raw.contains(UInt8(ascii: "\\")) else { return String(decoding: raw, as: UTF8.self) }
            let decoded = try? FastJSONDecoder().decode([String].self, from: Data([0x5B] + raw + [0x5D]))
            return decoded?.first ?? String(decoding: raw, as: UTF8.self)
        }

        private static let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        private static let words = ["true", "false", "null"].map { Array($0.utf8) }
        private static let wordCharacters = Set("truefalsn0123456789+-.eE".utf8)
        private static let delimiters = space.union("{}[],:\"".utf8)
    }
}
