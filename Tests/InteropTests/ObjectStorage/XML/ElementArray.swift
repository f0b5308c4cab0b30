/// Elements of the same name, in order.
struct ElementArray: UnkeyedDecodingContainer {
    /// A place in the array.
    private struct Index: CodingKey {
        let intValue: Int?
        let stringValue: String

        /// Errand shows the index in errors, because the text is that of Foundation's keys.
        init(intValue: Int) {
            self.intValue = intValue
            stringValue = "Index \(intValue)"
        }
        init?(stringValue: String) { nil }
    }

    let elements: [DocumentElement]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(elements: [DocumentElement], codingPath: [any CodingKey]) {
        self.elements = elements
        self.codingPath = codingPath
    }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try next().value(of: type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try next().container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try next().unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = next()
        currentIndex += 1
        return decoder
    }

    /// Returns a decoder for the next element. After the last one, it finds nothing.
    private func next() -> ElementDecoder {
        ElementDecoder(
            elements: isAtEnd ? [] : [elements[currentIndex]], codingPath: codingPath + [Index(intValue: currentIndex)])
    }
}
