/// A body on its way into a log: cut, and without its secrets.
struct LogBody {
    let data: Data
    let type: ContentType
    let names: SecretNames

    /// So many bytes of it, and how many it has where that is not all; nil where it is no UTF-8.
    func text(limit: Int) -> String? {
        let shown: (bytes: [UInt8], isWhole: Bool)
        // What is hidden makes room, but reading on and on for it is not worth it.
        let read = Array(data.prefix(4 * limit + 4))
        if type.isJSON {
            shown = JSONRedaction(names).redacted(read)
        } else if type.isForm {
            shown = (TextRedaction(names).redacted(form: read), true)
        } else {
            shown = (TextRedaction(names).redacted(read), true)
        }
        let isWhole = shown.isWhole && read.count == data.count && shown.bytes.count <= limit
        guard let text = String(cutting: shown.bytes.prefix(limit), isWhole: shown.bytes.count <= limit) else {
            return nil
        }
        return isWhole ? text : "\(text)... (\(data.count) bytes)"
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

    /// Whether a body of this type is meant to be read by people too.
    package var isText: Bool {
        type == "text" || isJSON || isForm
            || type == "application" && (subtype == "xml" || subtype.hasSuffix("+xml") || subtype == "graphql")
    }
}
