import Errand

/// Takes the secrets out of bodies, each as its media type is read.
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
        // Bytes that are not known to be text cannot be searched.
        guard text != nil || type?.isText == true else { return body }
        return Data(TextRedaction(names).redacted(Array(body)))
    }

    /// What is hidden may be used again when it is replayed: a token, say, which must not have an asterisk.
    private static let word = "redacted"

    /// A document, or several after each other. From where it is invalid, it is searched as any text.
    private func json(_ body: Data) -> Data {
        let bytes = Array(body)
        let (shown, count) = JSONRedaction(names).redactedKeepingShape(bytes, hiddenAs: Self.word)
        return Data(shown + TextRedaction(names).redacted(Array(bytes[count...])))
    }

    /// Parts (RFC 7578), each with its own type; one whose name is hidden as a whole.
    private func multipart(_ body: Data, boundary: String) -> Data {
        let delimiter = Data("--\(boundary)".utf8)
        var shown = Data()
        var rest = body[...]
        while let range = rest.range(of: delimiter) {
            shown += part(rest[..<range.lowerBound]) + delimiter
            rest = rest[range.upperBound...]
        }
        return shown + rest
    }

    private func part(_ part: Data) -> Data {
        guard let end = part.range(of: Data("\r\n\r\n".utf8)) else { return part }
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
    /// Whether it begins as an object or an array does.
    fileprivate var looksLikeJSON: Bool {
        guard let first = unicodeScalars.first(where: { !$0.properties.isWhitespace }) else { return false }
        return first == "{" || first == "["
    }
}
