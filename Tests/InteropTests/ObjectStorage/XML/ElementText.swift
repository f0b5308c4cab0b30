import Errand

/// The text of an element as a string, a number or a Boolean.
struct ElementText: SingleValueDecodingContainer {
    let decoder: ElementDecoder
    let text: String
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let text = text as? Value { return text }
        guard let type = type as? any (Decodable & LosslessStringConvertible).Type else {
            return try decoder.value(of: type)
        }
        guard let value = type.init(text.trimmingCharacters(in: .whitespacesAndNewlines)) as? Value else {
            throw decoder.mismatch(type)
        }
        return value
    }
}
