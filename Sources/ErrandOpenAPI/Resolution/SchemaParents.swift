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

    /// The components that extend a schema, or that extend one that does. Each is listed once.
    func descendants(of node: Node) -> [Node.Member] {
        var found: [Node.Member] = []
        var seen = [ObjectIdentifier(node)] as Set
        var pending = [node]
        while let parent = pending.popLast() {
            for child in children[ObjectIdentifier(parent)] ?? []
            where seen.insert(ObjectIdentifier(child.value)).inserted {
                found.append(child)
                pending.append(child.value)
            }
        }
        return found
    }

    /// The components that are values of a union, because they extend a schema with a discriminator.
    func descendantsOfDiscriminated() -> Set<ObjectIdentifier> {
        let parents = components.filter { $0.value["discriminator"]?.isNull == false }
        return Set(parents.flatMap { descendants(of: $0.value) }.map { ObjectIdentifier($0.value) })
    }

    func childrenOfParents() -> [ObjectIdentifier: [Node.Member]] {
        var children: [ObjectIdentifier: [Node.Member]] = [:]
        for component in components {
            // Only these keys are looked at, because faults of schemas that nothing needs do not matter.
            for part in component.value["allOf"]?.elements ?? [] {
                guard let reference = References.reference(of: part), let parent = reader.references.resolve(reference)
                else { continue }
                children[ObjectIdentifier(parent), default: []].append(component)
            }
        }
        return children
    }
}
