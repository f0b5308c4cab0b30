import Errand

/// A body in the form in which a HAR file contains it: UTF-8 as text, anything else in Base64.
struct BodyText {
    let text: String
    let encoding: String?

    init(_ data: Data) {
        if let text = String(validating: data, as: UTF8.self) {
            self.text = text
            encoding = nil
        } else {
            text = data.base64EncodedString()
            encoding = "base64"
        }
    }

    /// Creates the text of a body whose media type may name another charset. Uses Base64 if reading the text with that
    /// charset gives other bytes.
    init(_ data: Data, mimeType: String) {
        let kept = BodyText(data)
        let isSame = kept.data(of: mimeType) == data
        self.init(text: isSame ? kept.text : data.base64EncodedString(), encoding: isSame ? kept.encoding : "base64")
    }

    init(text: String, encoding: String?) {
        self.text = text
        self.encoding = encoding.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The bytes; `nil` if the text is not valid in the encoding.
    var data: Data? {
        switch encoding?.lowercased() {
        case nil: Data(text.utf8)
        case "base64": Data(base64Encoded: text)
        default: nil
        }
    }

    /// Returns the bytes of a body of a media type. Browsers store text decoded, so the media type's charset is
    /// applied.
    func data(of mimeType: String) -> Data? {
        guard encoding == nil, let charset = ContentType(lenient: mimeType)?.charset, charset != .utf8 else {
            return data
        }
        return text.data(using: charset) ?? data
    }
}
