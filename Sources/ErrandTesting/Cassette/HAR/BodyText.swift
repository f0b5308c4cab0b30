import Errand

/// A body as it stands in a HAR file: UTF-8 as text, everything else in Base64.
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

    /// The body of a type whose texts are read in another encoding than UTF-8: as text only where that gives the same bytes.
    init(_ data: Data, mimeType: String) {
        let kept = BodyText(data)
        let isSame = kept.data(of: mimeType) == data
        self.init(text: isSame ? kept.text : data.base64EncodedString(), encoding: isSame ? kept.encoding : "base64")
    }

    init(text: String, encoding: String?) {
        self.text = text
        self.encoding = encoding.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The bytes; nil where they are not in the encoding.
    var data: Data? {
        switch encoding?.lowercased() {
        case nil: Data(text.utf8)
        case "base64": Data(base64Encoded: text)
        default: nil
        }
    }

    /// The bytes of a body of a media type: browsers decode text of whatever encoding.
    func data(of mimeType: String) -> Data? {
        guard encoding == nil, let charset = ContentType(mimeType)?.charset, charset != .utf8 else { return data }
        return text.data(using: charset) ?? data
    }
}
