/// The schemas of a document, and those that are derived from them. Each is one term with its own number.
final class SchemaArena {
    private unowned let reader: DocumentReader
    /// The schemas of the document by their nodes, which they keep alive.
    private var read: [ObjectIdentifier: Schema] = [:]
    private var derived: [Schema.Derivation: Schema] = [:]
    /// The number of schemas that are the values of several others.
    private var combined = 0
    /// The maximum number of them: unions in each other, whose branches are combined, multiply them.
    private static let maximumCombined = 10_000

    init(_ reader: DocumentReader) {
        self.reader = reader
    }

    /// The schema that a part of the document describes.
    subscript(node: Node) -> Schema {
        if let known = read[ObjectIdentifier(node)] { return known }
        let schema = Schema(read.count + derived.count, node, reader)
        read[ObjectIdentifier(node)] = schema
        return schema
    }

    // MARK: References

    /// Returns the schema that a reference names; `nil`, after a report, if it does not exist.
    func next(of schema: Schema) -> Schema? {
        if case .reference(let target, _, _) = schema.derivation { return target }
        return schema.reference.flatMap { reader.references.resolve($0) }.map { self[$0] }
    }

    /// Follows references to a schema that is not one. Returns `nil`, after a report, if they lead to none.
    func target(of schema: Schema) -> Schema? {
        if case .reference(let target, _, _) = schema.derivation { return self.target(of: target) }
        return schema.reference == nil ? schema : reader.target(of: schema.node).map { self[$0] }
    }

    // MARK: Derived schemas

    /// Returns the schema of the values that fit several schemas.
    ///
    /// - Parameter origin: The schema whose place it has.
    func all(_ schemas: [Schema], at origin: Schema) -> Schema {
        guard schemas.count != 1 else { return schemas[0] }
        guard combined < Self.maximumCombined else {
            reader.exceed("more than \(Self.maximumCombined) schemas are combined of others", origin.node)
            return schemas[0]
        }
        return derive(.all(schemas), at: origin.node) {
            $0.allOf = schemas
            combined += 1
        }
    }

    /// Returns a schema without some of its keys.
    func rest(of schema: Schema, without keys: Set<Schema.Key>) -> Schema {
        derive(.rest(of: schema, without: keys), at: schema.node) {
            $0 = schema.keys
            if keys.contains(.allOf) { $0.allOf = [] }
            if keys.contains(.oneOf) { $0.oneOf = [] }
            if keys.contains(.anyOf) { $0.anyOf = [] }
            if keys.contains(.discriminator) { $0.discriminator = nil }
        }
    }

    /// Returns the schema of the values that are of one of the types of a schema.
    func values(of schema: Schema, kind: JSONKind) -> Schema {
        derive(.kind(kind, of: schema), at: schema.node) {
            $0 = schema.keys
            $0.kinds = [kind]
            $0.isNullable = false
        }
    }

    /// Returns a reference to a schema, with the place of what names it.
    func reference(to schema: Schema, named name: String?, at node: Node) -> Schema {
        derive(.reference(to: schema, named: name, offset: node.offset), at: node) { _ in }
    }

    private func derive(_ derivation: Schema.Derivation, at node: Node, _ set: (inout SchemaKeys) -> Void) -> Schema {
        if let known = derived[derivation] { return known }
        var keys = SchemaKeys()
        set(&keys)
        let schema = Schema(read.count + derived.count, node, reader, derivation, keys)
        derived[derivation] = schema
        return schema
    }
}
