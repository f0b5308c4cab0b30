import Errand

/// Removes the secrets from bodies according to their media types.
struct BodyRedaction {
    let names: SecretNames

    func redacted(_ body: Data, mimeType: String) -> Data {
        guard !body.isEmpty else { return body }
        let type = ContentType(lenient: mimeType)
        if type?.isForm == true {
            return Data(TextRedaction(names, placeholder: Self.word).redacted(form: Array(body)))
        }
        if type?.type == "multipart", let boundary = type?["boundary"], !boundary.isEmpty {
            return multipart(body, boundary: boundary)
        }
        let text = String(validating: body, as: UTF8.self)
        if type?.isJSON == true || text?.looksLikeJSON == true { return json(body) }
        // Binary data cannot be searched.
        guard text != nil || type?.isText == true else { return body }
        return Data(TextRedaction(names).redacted(Array(body)))
    }

    /// The text that replaces a value. It contains no asterisk, so that it can be used as a token during replay.
    private static let word = "redacted"

    /// Redacts one or several JSON documents. After the first invalid byte, the rest is redacted as text.
    private func json(_ body: Data) -> Data {
        let bytes = Array(body)
        let (shown, count) = JSONRedaction(names).redactedKeepingShape(bytes, hiddenAs: Self.word)
        return Data(shown + TextRedaction(names).redacted(Array(bytes[count...])))
    }

    /// Redacts the parts of a multipart body (RFC 7578) by their media types, also an incomplete last one. A part with
    /// a hidden name is replaced completely.
    private func multipart(_ body: Data, boundary: String) -> Data {
        let delimiter = Data("--\(boundary)".utf8)
        var shown = Data()
        var rest = body[...]
        while let range = rest.range(of: delimiter) {
            shown += part(rest[..<range.lowerBound]) + delimiter
            rest = rest[range.upperBound...]
        }
        return shown + part(rest)
    }

    private func part(_ part: Data) -> Data {
        // Without a head, this is the text before the first part or after the last one, or it is malformed.
        guard let end = part.range(of: Data("\r\n\r\n".utf8)) else { return redacted(Data(part), mimeType: "") }
        let head = String(decoding: part[..<end.lowerBound], as: UTF8.self)
        let content = part[end.upperBound...]
        let ending = content.suffix(2) == Data("\r\n".utf8) ? content.suffix(2) : Data()
        let bare = Data(content.dropLast(ending.count))
        let fields = head.split(whereSeparator: \.isNewline)
        let name = fields.lazy.compactMap { $0.firstMatch(of: #/(?i)[;\s]name="([^"]*)"/#)?.1 }.first ?? ""
        let type = fields.lazy.compactMap { $0.firstMatch(of: #/(?i)^content-type:\s*(.*)$/#)?.1 }.first ?? ""
        let shown =
            names.contains(item: String(name))
            ? Data(Self.word.utf8) : redacted(bare, mimeType: String(type))
        return Data(part[..<end.upperBound]) + shown + ending
    }
}

extension String {
    /// Whether the text begins like a JSON object or array.
    fileprivate var looksLikeJSON: Bool {
        guard let first = unicodeScalars.first(where: { !$0.properties.isWhitespace }) else { return false }
        return first == "{" || first == "["
    }
}
