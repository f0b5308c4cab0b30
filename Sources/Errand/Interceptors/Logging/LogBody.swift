/// A body on its way into a log: cut, and without the values of the keys that are hidden.
struct LogBody {
    let data: Data
    let type: ContentType
    /// As the user wrote them.
    let hiddenKeys: Set<String>

    /// So many bytes of it, and how many it has where that is not all; nil where it is no UTF-8.
    func text(limit: Int) -> String? {
        let shown: (bytes: [UInt8], isWhole: Bool)
        let keys = HiddenKeys(hiddenKeys)
        // What is hidden makes room, but reading on and on for it is not worth it.
        let read = Array(data.prefix(4 * limit + 4))
        if type.isJSON {
            shown = JSONRedaction(keys: keys).redacted(read)
        } else if type.isForm {
            shown = (keys.redacted(form: read), true)
        } else {
            shown = (read, true)
        }
        let isWhole = shown.isWhole && read.count == data.count && shown.bytes.count <= limit
        guard let text = String(cutting: shown.bytes.prefix(limit), isWhole: shown.bytes.count <= limit) else {
            return nil
        }
        return isWhole ? text : "\(text)... (\(data.count) bytes)"
    }
}

/// The names of values that are hidden.
package struct HiddenKeys: Sendable {
    private let keys: [String]
    private let wholeKeys: Set<String>

    /// - Parameters:
    ///   - keys: What a key that is hidden ends in.
    ///   - wholeKeys: What else is hidden, but not as the end of a longer key.
    package init(_ keys: Set<String>, whole wholeKeys: Set<String> = []) {
        self.keys = keys.map(Self.normalized).filter { !$0.isEmpty }
        self.wholeKeys = Set(wholeKeys.map(Self.normalized))
    }

    /// Whether a key ends in one of these.
    package func contains(_ key: String) -> Bool {
        let key = Self.normalized(key)
        return wholeKeys.contains(key) || keys.contains { key.hasSuffix($0) || key.hasSuffix($0 + "s") }
    }

    /// Whether a text has one of these in it anywhere: it may be a document of its own.
    func areMentioned(in text: String) -> Bool {
        let text = Self.normalized(text)
        return keys.contains { text.contains($0) }
    }

    /// Whether a text seems to be a URL or a form with one of these in it.
    package func areNamed(in text: String) -> Bool {
        let text = text.removingPercentEncoding ?? text
        return text.contains("=") && areMentioned(in: text)
    }

    /// An encoded form (WHATWG URL, section 5) with a word for the values of these, and for URLs that have some.
    package func redacted(form: [UInt8], hiddenAs word: String = "***") -> [UInt8] {
        let items = form.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        return Array(
            items.map { item -> [UInt8] in
                let name = item.prefix { $0 != UInt8(ascii: "=") }
                let text = String(decoding: name, as: UTF8.self)
                let value = String(decoding: item.dropFirst(name.count + 1), as: UTF8.self)
                let isHidden = contains(text.removingPercentEncoding ?? text) || areNamed(in: value)
                return isHidden ? name + Array("=\(word)".utf8) : Array(item)
            }.joined(separator: [UInt8(ascii: "&")]))
    }

    /// Letters and digits alone, in small letters: `access_token`, `accessToken` and `user[Access-Token]` end alike.
    private static func normalized(_ key: String) -> String {
        String(key.unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil })
            .lowercased()
    }
}

extension String {
    /// These bytes as text; of those that were cut off a longer text, without the character that was cut through.
    init?(cutting bytes: some Collection<UInt8>, isWhole: Bool) {
        for dropped in 0...(isWhole ? 0 : 3) {
            guard let text = String(validating: bytes.dropLast(dropped), as: UTF8.self) else { continue }
            self = text
            return
        }
        return nil
    }

    /// This text without line breaks, other control characters and invisible formatting, which are written as escapes:
    /// what a server sends can begin no line of its own, and command no terminal.
    package var onOneLogLine: String {
        guard unicodeScalars.contains(where: \.isUnfitForLogs) else { return self }
        return unicodeScalars.reduce(into: "") { line, scalar in
            switch scalar {
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            case _ where scalar.isUnfitForLogs: line += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: line.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isUnfitForLogs: Bool {
        if value >= 0x20 && value < 0x7F { return false }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .format: return true
        default: return false
        }
    }
}

extension ContentType {
    package var isJSON: Bool { subtype == "json" || subtype.hasSuffix("+json") || subtype.hasSuffix("ndjson") }
    package var isForm: Bool { type == "application" && subtype == "x-www-form-urlencoded" }
}
