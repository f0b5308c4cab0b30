/// The encoder of one value. It fits into an existential without an allocation.
struct TreeEncoder: Encoder {
    let tree: JSONTree
    let reference: JSONTree.Reference
    private var node: Int { tree.node(reference, .empty) }

    var codingPath: [any CodingKey] { tree.path(of: reference) }
    var userInfo: [CodingUserInfoKey: Any] { tree.encoder.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        tree.open(.object, at: node)
        return KeyedEncodingContainer(KeyedTreeContainer<Key>(tree: tree, reference: reference))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        tree.open(.array, at: node)
        return UnkeyedTreeContainer(tree: tree, reference: reference)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension TreeEncoder: SingleValueEncodingContainer {
    func encodeNil() throws {
        let node = node
        tree.beginValue(of: node)
        tree.text.pointee.append(literal: "null")
        tree.endValue(of: node)
    }

    func encode(_ value: Bool) throws { try tree.encode(value, in: node) }
    func encode(_ value: String) throws { try tree.encode(value, in: node) }
    func encode(_ value: Double) throws { try tree.encode(value, in: node) }

    func encode(_ value: Float) throws {
        guard value.isFinite else { return try tree.encodeNonFinite(Double(value), in: node) }
        let node = node
        tree.beginValue(of: node)
        tree.text.pointee.append(value)
        tree.endValue(of: node)
    }

    func encode(_ value: Int) throws { integer(value) }
    func encode(_ value: Int8) throws { integer(value) }
    func encode(_ value: Int16) throws { integer(value) }
    func encode(_ value: Int32) throws { integer(value) }
    func encode(_ value: Int64) throws { integer(value) }
    func encode(_ value: Int128) throws { integer(value) }
    func encode(_ value: UInt) throws { integer(value) }
    func encode(_ value: UInt8) throws { integer(value) }
    func encode(_ value: UInt16) throws { integer(value) }
    func encode(_ value: UInt32) throws { integer(value) }
    func encode(_ value: UInt64) throws { integer(value) }
    func encode(_ value: UInt128) throws { integer(value) }
    func encode<Value: Encodable>(_ value: Value) throws { try tree.encode(value, in: node) }

    @inline(__always)
    private func integer(_ value: some FixedWidthInteger) {
        let node = node
        tree.beginValue(of: node)
        tree.text.pointee.append(value)
        tree.endValue(of: node)
    }
}

/// The members of an object.
struct KeyedTreeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let tree: JSONTree
    let reference: JSONTree.Reference
    private var node: Int { tree.node(reference, .object) }

    var codingPath: [any CodingKey] { tree.path(of: reference) }

    func encodeNil(forKey key: Key) throws {
        let text = tree.openMember(key, of: node)
        tree.text.pointee.append(literal: "null")
        tree.closeText(text)
    }

    func encode(_ value: Bool, forKey key: Key) throws { try tree.encode(value, key, of: node) }
    func encode(_ value: String, forKey key: Key) throws { try tree.encode(value, key, of: node) }
    func encode(_ value: Double, forKey key: Key) throws { try tree.encode(value, key, of: node) }

    func encode(_ value: Float, forKey key: Key) throws {
        guard value.isFinite else { return try tree.encode(Double(value), key, of: node) }
        try tree.checkLimit()
        let text = tree.openMember(key, of: node)
        tree.text.pointee.append(value)
        tree.closeText(text)
    }

    func encode(_ value: Int, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int8, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int16, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int32, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int64, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int128, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt8, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try integer(value, key) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try tree.encode(value, key, of: node) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder(of: tree.addContainer(.object, key, of: node)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(of: tree.addContainer(.array, key, of: node)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder(of: tree.addMember(JSONCodingKey.super, of: node)) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(of: tree.addMember(key, of: node)) }

    @inline(__always)
    private func integer(_ value: some FixedWidthInteger, _ key: Key) throws {
        try tree.checkLimit()
        let text = tree.openMember(key, of: node)
        tree.text.pointee.append(value)
        tree.closeText(text)
    }

    private func encoder(of node: Int) -> TreeEncoder { TreeEncoder(tree: tree, reference: tree.reference(to: node)) }
}

/// The elements of an array.
struct UnkeyedTreeContainer: UnkeyedEncodingContainer {
    let tree: JSONTree
    let reference: JSONTree.Reference
    private var node: Int { tree.node(reference, .array) }
    private(set) var count = 0

    var codingPath: [any CodingKey] { tree.path(of: reference) }

    mutating func encodeNil() throws {
        let text = tree.openText(in: node)
        tree.text.pointee.append(literal: "null")
        tree.closeText(text)
        count += 1
    }

    mutating func encode(_ value: Bool) throws { try generic(value) }
    mutating func encode(_ value: String) throws { try generic(value) }
    mutating func encode(_ value: Double) throws { try generic(value) }

    mutating func encode(_ value: Float) throws {
        guard value.isFinite else { return try generic(Double(value)) }
        try tree.checkLimit()
        let text = tree.openText(in: node)
        tree.text.pointee.append(value)
        tree.closeText(text)
        count += 1
    }

    mutating func encode(_ value: Int) throws { try integer(value) }
    mutating func encode(_ value: Int8) throws { try integer(value) }
    mutating func encode(_ value: Int16) throws { try integer(value) }
    mutating func encode(_ value: Int32) throws { try integer(value) }
    mutating func encode(_ value: Int64) throws { try integer(value) }
    mutating func encode(_ value: Int128) throws { try integer(value) }
    mutating func encode(_ value: UInt) throws { try integer(value) }
    mutating func encode(_ value: UInt8) throws { try integer(value) }
    mutating func encode(_ value: UInt16) throws { try integer(value) }
    mutating func encode(_ value: UInt32) throws { try integer(value) }
    mutating func encode(_ value: UInt64) throws { try integer(value) }
    mutating func encode(_ value: UInt128) throws { try integer(value) }
    mutating func encode<Value: Encodable>(_ value: Value) throws { try generic(value) }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        addElement().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { addElement().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { addElement() }

    private mutating func addElement() -> TreeEncoder {
        defer { count += 1 }
        return TreeEncoder(tree: tree, reference: tree.reference(to: tree.addElement(count, of: node)))
    }

    @inline(__always)
    private mutating func generic<Value: Encodable>(_ value: Value) throws {
        try tree.encode(value, number: count, of: node)
        count += 1
    }

    @inline(__always)
    private mutating func integer(_ value: some FixedWidthInteger) throws {
        try tree.checkLimit()
        let text = tree.openText(in: node)
        tree.text.pointee.append(value)
        tree.closeText(text)
        count += 1
    }
}
