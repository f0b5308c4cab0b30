import Errand
import TestSupport

/// Decodes XML documents. Elements are found by name, and several elements of one name are an array. Text is decoded as
/// a string, a number, a Boolean or a date.
///
/// ```swift
/// sendRequest().decode(ObjectList.self, decoder: XMLDocumentDecoder(root: "ListBucketResult"))
/// ```
///
/// An array is empty if the document has no element of its name, because XML has no other notation for an empty array.
struct XMLDocumentDecoder: DataDecoder {
    /// The required name of the root element. Only this name distinguishes an error from a result.
    let root: String

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let element = try DocumentElement(document: data)
        guard element.name == root else {
            let reason = "the root element is not \(root)"
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: reason))
        }
        return try ElementDecoder(elements: [element], codingPath: []).value(of: type)
    }
}

/// The elements of one name in one parent, decoded as the requested kind: a value, a group of values, or an array.
struct ElementDecoder: Decoder {
    let elements: [DocumentElement]
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func value<Value: Decodable>(of type: Value.Type) throws -> Value {
        guard type == Date.self else { return try type.init(from: self) }
        let text = try element().text
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        guard let date = try? style.parse(text) as? Value else { throw mismatch(type) }
        return date
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(KeyedElements(element: try element(), codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        ElementArray(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        ElementText(decoder: self, text: try element().text)
    }

    /// The one element.
    func element() throws -> DocumentElement {
        guard let element = elements.first else {
            throw DecodingError.valueNotFound(
                DocumentElement.self, .init(codingPath: codingPath, debugDescription: "there is no such element"))
        }
        return element
    }

    func mismatch(_ type: any Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "the text is not a \(type)"))
    }
}
