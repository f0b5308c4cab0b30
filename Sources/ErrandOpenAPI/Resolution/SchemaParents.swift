/// Which schemas are the parents of others: a child refers to its parent in `allOf`, and a parent can list its children
/// in `oneOf` or `anyOf`. Each list is read once, so that a parent can have very many children.
extension SchemaResolver {
    /// Whether a schema refers to another one in its `allOf`.
    func isChild(_ node: Node, of parent: Node) -> Bool {
        childIDs[ObjectIdentifier(parent)]?.contains(ObjectIdentifier(node)) ?? false
    }

    /// Whether a schema lists one of other schemas in its `oneOf` or `anyOf`.
    func isParent(_ schema: Schema, ofAny others: Set<ObjectIdentifier>) -> Bool {
        let id = ObjectIdentifier(schema.node)
        if let known = branchIDs[id] { return !known.isDisjoint(with: others) }
        let branches = (schema.oneOf + schema.anyOf).map { ObjectIdentifier(reader.target(of: $0) ?? $0) }
        branchIDs[id] = Set(branches)
        return isParent(schema, ofAny: others)
    }

    func childrenOfParents() -> [ObjectIdentifier: [Node.Member]] {
        var children: [ObjectIdentifier: [Node.Member]] = [:]
        for component in components {
            for part in reader.schema(of: component.value).allOf {
                guard let reference = References.reference(of: part), let parent = reader.references.resolve(reference)
                else { continue }
                children[ObjectIdentifier(parent), default: []].append(component)
            }
        }
        return children
    }
}
