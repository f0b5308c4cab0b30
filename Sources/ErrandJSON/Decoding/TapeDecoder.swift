/// The decoder of one value of a document. It fits into an existential without an allocation.
struct TapeDecoder: Decoder {
    let document: JSONDocument
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
        // The object may be decoded with other keys than before.
        if index <= lastFailure.container { lastFailure.container = -1 }
        guard let maker = AnyKeyedContainerMaker.maker(for: type) else {
            tape.words[index &+ 2] = 0
            keyTypes[index] = type
            return KeyedDecodingContainer(KeyedTapeContainer<Key>(document: self, index: index))
        }
        // The tokenizer does not need this word of the object any more.
        tape.words[index &+ 2] = maker.word
        return maker.container(of: self, at: index)
    }

    func unkeyedContainer(at index: Int) throws -> any UnkeyedDecodingContainer {
        guard tape[index].kind == .array else { throw mismatch([Any].self, at: index) }
        return UnkeyedTapeContainer(document: self, index: index)
    }

    /// Returns a key of the type that the object was decoded with last; `nil` if that type does not have it.
    func codingKey(_ name: String, in object: Int) -> (any CodingKey)? {
        if let type = keyTypes[object] { return type.init(stringValue: name) }
        return AnyKeyedContainerMaker.maker(tape.words[object + 2])?.codingKey(name)
    }

    /// Returns a decoder of `null` for a superclass if the object has no member for it.
    func nullDecoder(_ key: any CodingKey, in container: Int) -> TapeDecoder {
        let null: StaticString = "null"
        let text = UnsafeBufferPointer(start: null.utf8Start, count: null.utf8CodeUnitCount)
        let place = JSONOffset(bytes: tape.offset(of: container), found: JSONOffset.noMember, document: identity)
        let missing = MissingMember(path: path(of: container) + [key], place: missingMember?.place ?? place)
        guard let document = try? JSONDocument(text, decoder: decoder, missingMember: missing) else {
            preconditionFailure("null is JSON")
        }
        return TapeDecoder(document: document, index: 0)
    }
}
