import Errand

/// Takes out of a text what looks like a secret in it: the value behind a hidden name, as URLs, forms, JSON, XML and log
/// lines write it, and the user info of URLs.
///
/// It goes from word to word, and looks at what stands behind those that are hidden names.
struct TextRedaction {
    /// What names are hidden before a colon, and as elements.
    let keys: HiddenKeys
    /// What names are hidden before an equals sign.
    let items: HiddenKeys

    /// The text, fit to be kept: the same where there is nothing to hide.
    func redacted(_ text: String) -> String {
        guard text.utf8.contains(where: { Self.marks.contains($0) }) else { return text }
        var scanner = Scanner(bytes: Array(text.utf8), keys: keys, items: items)
        scanner.scan()
        return scanner.hasHidden ? String(decoding: scanner.copy, as: UTF8.self) : text
    }

    /// Without one of these there is no name with a value.
    private static let marks = Set("=:<%".utf8)

    private struct Scanner {
        let bytes: [UInt8]
        let keys: HiddenKeys
        let items: HiddenKeys
        var copy: [UInt8] = []
        var hasHidden = false
        private var position = 0

        init(bytes: [UInt8], keys: HiddenKeys, items: HiddenKeys) {
            self.bytes = bytes
            self.keys = keys
            self.items = items
            copy.reserveCapacity(bytes.count)
        }

        mutating func scan() {
            while position < bytes.count {
                if bytes[position...].starts(with: Self.authority) {
                    take(Self.authority.count)
                    skipUserInfo()
                } else if isWord(at: position) {
                    scanWord()
                } else {
                    take(1)
                }
            }
        }

        private mutating func scanWord() {
            let start = position
            let end = bytes[start...].firstIndex { !Self.wordCharacters.contains($0) } ?? bytes.count
            let word = String(decoding: bytes[start..<end], as: UTF8.self)
            // A URL or a form in the value of another, escaped.
            if word.contains("%"), let inner = word.removingPercentEncoding, inner != word,
                TextRedaction(keys: keys, items: items).redacted(inner) != inner
            {
                position = end
                return hide()
            }
            let isElement = start > 0 && bytes[start - 1] == UInt8(ascii: "<")
            let quote = end < bytes.count && Self.quotes.contains(bytes[end]) ? 1 : 0
            take(end - start + quote)
            if isElement { return scanElement(word) }
            let space = spaces(at: position)
            guard position + space < bytes.count else { return }
            let behind = position + space + 1
            let isQuoted = behind < bytes.count && Self.quotes.contains(bytes[behind])
            switch bytes[position + space] {
            // An attribute is no item.
            case UInt8(ascii: "=") where (isQuoted ? keys : items).contains(word):
                take(space + 1)
                hideValue(until: Self.itemEnds)
            case UInt8(ascii: ":") where keys.contains(word):
                take(space + 1)
                hideValue(until: quote > 0 ? Self.jsonEnds : Self.lineEnds)
            default:
                return
            }
        }

        /// `<name>value</name>`.
        private mutating func scanElement(_ name: String) {
            guard keys.contains(name), let close = bytes[position...].firstIndex(of: UInt8(ascii: ">")) else { return }
            guard close == position || Self.space.contains(bytes[position]) else { return }
            take(close + 1 - position)
            let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
            guard end > position else { return }
            position = end
            hide()
        }

        /// A value, in quotes or not; one that is not there stays so.
        private mutating func hideValue(until ends: Set<UInt8>) {
            take(spaces(at: position))
            guard position < bytes.count else { return }
            if Self.quotes.contains(bytes[position]) {
                let quote = bytes[position]
                take(1)
                var end = position
                while end < bytes.count, bytes[end] != quote { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
                position = min(end, bytes.count)
                return hide()
            }
            let end = bytes[position...].firstIndex { ends.contains($0) } ?? bytes.count
            guard end > position else { return }
            // A number in JSON stays one.
            let isNumber = ends == Self.jsonEnds && (bytes[position] == UInt8(ascii: "-") || bytes[position].isDigit)
            position = end
            hide(as: isNumber ? "0" : Cassette.Redaction.placeholder)
        }

        /// What stands before an `@` in the authority of a URL.
        private mutating func skipUserInfo() {
            let end = bytes[position...].firstIndex { Self.authorityEnds.contains($0) } ?? bytes.count
            guard let at = bytes[position..<end].lastIndex(of: UInt8(ascii: "@")) else { return }
            position = at + 1
            hasHidden = true
        }

        private mutating func take(_ count: Int) {
            let end = min(position + count, bytes.count)
            copy += bytes[position..<end]
            position = end
        }

        private mutating func hide(as word: String = Cassette.Redaction.placeholder) {
            copy += Array(word.utf8)
            hasHidden = true
        }

        private func isWord(at index: Int) -> Bool { Self.wordCharacters.contains(bytes[index]) }

        private func spaces(at index: Int) -> Int {
            bytes[index...].prefix { $0 == 0x20 || $0 == 0x09 }.count
        }

        private static let authority = Array("://".utf8)
        private static let wordCharacters = Set(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.%[]~".utf8)
        private static let quotes = Set("\"'".utf8)
        private static let space = Set(" \t\r\n/".utf8)
        private static let itemEnds = Set("&;, \t\r\n\"'<>)#".utf8)
        private static let jsonEnds = Set(",}]\r\n".utf8)
        private static let lineEnds = Set("\r\n".utf8)
        private static let authorityEnds = Set("/?# \t\r\n\"'<>".utf8)
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
