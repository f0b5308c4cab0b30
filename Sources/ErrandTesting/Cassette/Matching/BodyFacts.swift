import Errand

/// What is compared of a body: of JSON the values, of a form the fields, of other text the lines.
enum BodyFacts {
    static func facts(of request: HAR.Request) -> [Fact] {
        guard let body = request.postData else {
            return request.bodySize > 0 ? [Fact("body", "not kept, \(request.bodySize) bytes")] : []
        }
        guard let data = body.data else { return [Fact("body", "not kept")] }
        return texts(of: data, type: ContentType(body.mimeType)).map { Fact("body", $0.value, shownAs: $0.text) }
    }

    private static func texts(of data: Data, type: ContentType?) -> [(value: String, text: String)] {
        if type?.isJSON == true, let document = try? FastJSONDecoder().decode(JSONDocument.self, from: data) {
            return document.lines(at: "$").map { ($0, $0) }
        }
        guard var text = String(validating: data, as: UTF8.self) else {
            let start = data.prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            return [(data.base64EncodedString(), "\(data.count) bytes that begin \(start)")]
        }
        if type?.isForm == true { return RequestParts.sorted(text, plusIsSpace: true).map { ($0.text, $0.text) } }
        // It is another for each request, and says nothing.
        if let boundary = type?["boundary"], !boundary.isEmpty {
            text = text.replacingOccurrences(of: boundary, with: "boundary")
        }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
            (String($0), String($0))
        }
    }
}

/// A JSON document, by its values.
private enum JSONDocument: Decodable {
    case null
    case bool(Bool)
    case number(Decimal)
    case text(String)
    case array([JSONDocument])
    case object([String: JSONDocument])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let object = try? value.decode([String: JSONDocument].self) {
            self = .object(object)
        } else if let array = try? value.decode([JSONDocument].self) {
            self = .array(array)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else {
            self = .number(try value.decode(Decimal.self))
        }
    }

    /// A line for each value that has none in it, with its place: `$.books[0].title = "Malafrena"`.
    func lines(at place: String) -> [String] {
        switch self {
        case .null: ["\(place) = null"]
        case .bool(let bool): ["\(place) = \(bool)"]
        case .number(let number): ["\(place) = \(number)"]
        case .text(let text): ["\(place) = \"\(text)\""]
        case .array(let values) where values.isEmpty: ["\(place) = []"]
        case .array(let values): values.enumerated().flatMap { $0.element.lines(at: "\(place)[\($0.offset)]") }
        case .object(let values) where values.isEmpty: ["\(place) = {}"]
        case .object(let values):
            values.sorted { $0.key < $1.key }.flatMap { $0.value.lines(at: "\(place).\($0.key)") }
        }
    }
}
