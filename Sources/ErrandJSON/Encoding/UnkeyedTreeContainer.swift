/// The elements of an array.
struct UnkeyedTreeContainer: UnkeyedEncodingContainer {
    let tree: JSONTree
    let reference: JSONTree.Reference
    private var node: Int { tree.node(reference, .array) }
    private(set) var count = 0

    init(tree: JSONTree, reference: JSONTree.Reference) {
        self.tree = tree
        self.reference = reference
    }

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
