import Errand

/// The request as httpbin reports it.
struct Echo: Decodable, Sendable {
    /// Missing if the path names the method.
    let method: String?
    /// The URL as Werkzeug reassembles it, with some percent escapes decoded.
    let url: String
    let origin: String
    let args: [String: [String]]
    let headers: HeaderFields
    /// The body, if it is not a form.
    let data: Data
    let form: [String: [String]]
    let files: [String: [String]]
    let json: Book?

    private enum CodingKeys: CodingKey {
        case method, url, origin, args, headers, data, form, files, json
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        method = try values.decodeIfPresent(String.self, forKey: .method)
        url = try values.decode(String.self, forKey: .url)
        origin = try values.decode(String.self, forKey: .origin)
        args = try values.decodeIfPresent([String: OneOrMany].self, forKey: .args)?.mapValues(\.values) ?? [:]
        headers = HeaderFields(
            try values.decode([String: String].self, forKey: .headers).map { HeaderFields.Field($0.key, $0.value) })
        data = try values.decodeIfPresent(String.self, forKey: .data).map(Self.bytes) ?? Data()
        form = try values.decodeIfPresent([String: OneOrMany].self, forKey: .form)?.mapValues(\.values) ?? [:]
        files = try values.decodeIfPresent([String: OneOrMany].self, forKey: .files)?.mapValues(\.values) ?? [:]
        json = try? values.decodeIfPresent(Book.self, forKey: .json)
    }

    /// The bytes that a text represents: bytes that are not UTF-8 arrive as a `data:` URL (RFC 2397).
    static func bytes(of text: String) -> Data {
        guard text.hasPrefix("data:"), let comma = text.firstIndex(of: ","), text[..<comma].hasSuffix(";base64") else {
            return Data(text.utf8)
        }
        return Data(base64Encoded: String(text[text.index(after: comma)...])) ?? Data()
    }
}

/// The values of one name: a list, or a single value.
private struct OneOrMany: Decodable {
    let values: [String]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        values = try (try? container.decode([String].self)) ?? [container.decode(String.self)]
    }
}

/// One of the echoes of a stream.
struct NumberedEcho: Decodable, Sendable {
    let id: Int
    let url: String
}

/// A document to send.
struct Book: Codable, Hashable, Sendable {
    var title: String
    var year: Int
    var tags: [String]
}
