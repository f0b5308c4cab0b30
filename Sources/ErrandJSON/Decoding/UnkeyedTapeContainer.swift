/// The elements of an array.
struct UnkeyedTapeContainer: UnkeyedDecodingContainer {
    private let document: JSONDocument
    private let index: UInt32
    /// The index of the next element's token.
    private var next: UInt32
    private var element: UInt32 = 0

    init(document: JSONDocument, index: Int) {
        self.document = document
        self.index = UInt32(truncatingIfNeeded: index)
        next = self.index + 2
    }

    var codingPath: [any CodingKey] { document.path(of: Int(index)) }
    var count: Int? { document.tape[Int(index)].length }
    var currentIndex: Int { Int(element) }
    var isAtEnd: Bool { Int(next) >= document.tape[Int(index)].high }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw document.atEnd(Any?.self, of: Int(index), element: Int(element)) }
        guard document.isNull(at: Int(next)) else { return false }
        advance()
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try take(type) { try $0.bool(at: $1) } }
    mutating func decode(_ type: String.Type) throws -> String { try take(type) { try $0.string(at: $1) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try take(type) { try $0.double(at: $1) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try take(type) { try $0.float(at: $1) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try take(type) { try $0.decode(type, at: $1) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try take(KeyedDecodingContainer<NestedKey>.self) { try $0.keyedContainer(keyedBy: type, at: $1) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer(at: $1) }
    }

    mutating func superDecoder() throws -> any Decoder {
        try take((any Decoder).self) { TapeDecoder(document: $0, index: $1) }
    }

    /// Decodes the next element, and advances to the one after it if decoding succeeds.
    @inline(__always)
    private mutating func take<Value>(_ type: Any.Type, _ decode: (JSONDocument, Int) throws -> Value) throws -> Value {
        guard !isAtEnd else { throw document.atEnd(type, of: Int(index), element: Int(element)) }
        let value = try decode(document, Int(next))
        advance()
        return value
    }

    @inline(__always)
    private mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        try take(type) { try $0.integer(type, at: $1) }
    }

    @inline(__always)
    private mutating func advance() {
        next = UInt32(truncatingIfNeeded: document.tape.next(after: Int(next)))
        element &+= 1
    }
}
