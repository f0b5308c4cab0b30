/// A body for a log: cut to a limit, and with its secrets redacted.
struct LogBody {
    let data: Data
    let type: ContentType
    let names: SecretNames

    /// Returns at most `limit` bytes of the redacted text, followed by the size of the body if it was cut; `nil` if it
    /// is not UTF-8. A body that is neither JSON nor a form is not redacted.
    func text(limit: Int) -> String? {
        // Redaction shortens a text, so more than `limit` bytes are read, but not the whole body.
        let read = data.prefix(4 * limit + 4)
        var shown: (bytes: [UInt8], isWhole: Bool)
        if type.isJSON {
            var redaction = JSONRedaction(Array(read), names)
            shown = redaction.redacted()
        } else {
            guard let text = String(cutting: read, isWhole: read.count == data.count) else { return nil }
            shown = (Array((type.isForm ? names.redacted(form: text) : text).utf8), true)
        }
        let isWhole = shown.isWhole && read.count == data.count && shown.bytes.count <= limit
        guard let text = String(cutting: shown.bytes.prefix(limit), isWhole: shown.bytes.count <= limit) else {
            return nil
        }
        return isWhole ? text : "\(text)... (\(data.count) bytes)"
    }
}

extension String {
    /// Decodes UTF-8. If the bytes were cut from a longer text, drops an incomplete character at the end.
    init?(cutting bytes: some Collection<UInt8>, isWhole: Bool) {
        for dropped in 0...(isWhole ? 0 : 3) {
            guard let text = String(validating: bytes.dropLast(dropped), as: UTF8.self) else { continue }
            self = text
            return
        }
        return nil
    }

    /// This text with escapes in place of line breaks, other control characters and invisible formatting characters. So
    /// text from a server cannot begin a log line or control a terminal.
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
