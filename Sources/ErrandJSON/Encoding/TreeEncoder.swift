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
