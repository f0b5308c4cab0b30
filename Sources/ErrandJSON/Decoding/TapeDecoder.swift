/// The decoder of one value of a document. It fits into an existential without an allocation.
struct TapeDecoder: Decoder {
    let document: JSONDocument
    /// The index of the value's token on the tape.
    let index: Int

    var codingPath: [any CodingKey] { document.path(of: index) }
    var userInfo: [CodingUserInfoKey: Any] { document.decoder.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try document.keyedContainer(keyedBy: type, at: index)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try document.unkeyedContainer(at: index)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension TapeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { document.isNull(at: index) }
    func decode(_ type: Bool.Type) throws -> Bool { try document.bool(at: index) }
    func decode(_ type: String.Type) throws -> String { try document.string(at: index) }
    func decode(_ type: Double.Type) throws -> Double { try document.double(at: index) }
    func decode(_ type: Float.Type) throws -> Float { try document.float(at: index) }
    func decode(_ type: Int.Type) throws -> Int { try document.integer(type, at: index) }
    func decode(_ type: Int8.Type) throws -> Int8 { try document.integer(type, at: index) }
    func decode(_ type: Int16.Type) throws -> Int16 { try document.integer(type, at: index) }
    func decode(_ type: Int32.Type) throws -> Int32 { try document.integer(type, at: index) }
    func decode(_ type: Int64.Type) throws -> Int64 { try document.integer(type, at: index) }
    func decode(_ type: Int128.Type) throws -> Int128 { try document.integer(type, at: index) }
    func decode(_ type: UInt.Type) throws -> UInt { try document.integer(type, at: index) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try document.integer(type, at: index) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try document.integer(type, at: index) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try document.integer(type, at: index) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try document.integer(type, at: index) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try document.integer(type, at: index) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try document.decode(type, at: index) }
}

extension JSONDocument {
    func keyedContainer<Key: CodingKey>(keyedBy type: Key.Type, at index: Int) throws -> KeyedDecodingContainer<Key> {
        guard tape[index].kind == .object else { throw mismatch([String: Any].self, at: index) }
        // `lastFailure` keeps the path of a container. If that is this object or in it, the keys may be others now.
        if let container = lastFailure?.container, index <= container { lastFailure = nil }
        // The third word of an object, which the tokenizer does not need any more, refers to the maker for its type of
        // keys. A type has no maker if another type has its slot in the table of makers; the word is then 0.
        guard let maker = AnyKeyedContainerMaker.maker(for: type) else {
            tape.words[index &+ 2] = 0
            keyTypes[index] = type
            return KeyedDecodingContainer(KeyedTapeContainer<Key>(document: self, index: index))
        }
        tape.words[index &+ 2] = maker.word
        return maker.container(of: self, at: index)
    }

    func unkeyedContainer(at index: Int) throws -> any UnkeyedDecodingContainer {
        guard tape[index].kind == .array else { throw mismatch([Any].self, at: index) }
        return UnkeyedTapeContainer(document: self, index: index)
    }

    /// Returns a key of the type that the object was decoded with last; `nil` if that type does not have it.
    func codingKey(_ name: String, in object: Int) -> (any CodingKey)? {
        if let maker = AnyKeyedContainerMaker.maker(tape.words[object + 2]) { return maker.codingKey(name) }
        return keyTypes[object]?.init(stringValue: name)
    }

    /// Returns the decoder for a superclass for which the object has no member. It decodes `null`, with the errors of
    /// a missing member.
    func nullDecoder(_ key: any CodingKey, in object: Int) -> TapeDecoder {
        let null: StaticString = "null"
        let text = UnsafeBufferPointer(start: null.utf8Start, count: null.utf8CodeUnitCount)
        let place = JSONOffset(bytes: tape.offset(of: object), found: JSONOffset.missing, document: identity)
        let missing = MissingMember(path: path(of: object) + [key], place: place)
        guard let document = try? JSONDocument(text, decoder: decoder, missingMember: missing) else {
            preconditionFailure("null is JSON")
        }
        return TapeDecoder(document: document, index: 0)
    }
}

/// The elements of an array. With indices of 32 bits, it fits into an existential without an allocation.
struct UnkeyedTapeContainer: UnkeyedDecodingContainer {
    private let document: JSONDocument
    /// The index of the array's token on the tape.
    private let index: UInt32
    /// The index of the next element's token.
    private var next: UInt32
    /// The number of elements before the next one.
    private var position: UInt32 = 0

    init(document: JSONDocument, index: Int) {
        self.document = document
        self.index = UInt32(truncatingIfNeeded: index)
        next = UInt32(truncatingIfNeeded: document.tape.firstChild(of: index))
    }

    var codingPath: [any CodingKey] { document.path(of: Int(index)) }
    var count: Int? { document.tape[Int(index)].length }
    var currentIndex: Int { Int(position) }
    var isAtEnd: Bool { Int(next) >= document.tape[Int(index)].high }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw document.atEnd(Any?.self, of: Int(index), element: Int(position)) }
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
        guard !isAtEnd else { throw document.atEnd(type, of: Int(index), element: Int(position)) }
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
        position &+= 1
    }
}
