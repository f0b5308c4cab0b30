/// The child elements of an element, by their names.
struct KeyedElements<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let element: DocumentElement
    let codingPath: [any CodingKey]

    var allKeys: [Key] { Set(element.children.map(\.name)).compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { element.children.contains { $0.name == key.stringValue } }

    /// XML has no null; a missing element is missing.
    func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(forKey: key).value(of: type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(forKey: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { ElementDecoder(elements: [element], codingPath: codingPath) }

    func superDecoder(forKey key: Key) throws -> any Decoder { decoder(forKey: key) }

    private func decoder(forKey key: Key) -> ElementDecoder {
        ElementDecoder(
            elements: element.children.filter { $0.name == key.stringValue }, codingPath: codingPath + [key])
    }
}
