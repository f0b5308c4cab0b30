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
