/// Which schemas are the parents of others: a child refers to its parent in `allOf`, and a parent can list its children
/// in `oneOf` or `anyOf`. Each list is read once, so that a parent can have very many children.
extension SchemaResolver {
    /// Whether a schema lists one of other schemas in its `oneOf` or `anyOf`.
    func isParent(_ schema: Schema, ofAny others: Set<Schema>) -> Bool {
        if let known = branches[schema] { return !known.isDisjoint(with: others) }
        branches[schema] = Set((schema.oneOf + schema.anyOf).map { schemas.target(of: $0) ?? $0 })
        return isParent(schema, ofAny: others)
    }

    /// The components that extend a schema, or that extend one that does. Each is listed once.
    func descendants(of schema: Schema) -> [Component] {
        var found: [Component] = []
        var seen = [schema] as Set
        var pending = [schema]
        while let parent = pending.popLast() {
            for child in children[parent] ?? [] where seen.insert(child.schema).inserted {
                found.append(child)
                pending.append(child.schema)
            }
        }
        return found
    }

    /// Whether the schemas that extend a schema are its values: it has a discriminator, and either lists no branches or
    /// one that extends it. Other branches make it a union, which a schema with it in `allOf` restricts.
    func isDiscriminatedParent(_ schema: Schema) -> Bool {
        if let known = discriminatedParents[schema] { return known }
        let branches = ["oneOf", "anyOf"].flatMap { schema[$0]?.elements ?? [] }.map { schemas[$0] }
        let isParent =
            schema["discriminator"]?.isNull == false
            && (branches.isEmpty || branches.contains { ancestors(of: schemas.target(of: $0) ?? $0).contains(schema) })
        discriminatedParents[schema] = isParent
        return isParent
    }

    /// The components that are values of a union, because they extend a schema with a discriminator.
    func descendantsOfDiscriminated() -> Set<Schema> {
        Set(components.map(\.schema).filter(isDiscriminatedParent).flatMap(descendants).map(\.schema))
    }

    func childrenOfParents() -> [Schema: [Component]] {
        var children: [Schema: [Component]] = [:]
        for component in components {
            for parent in parents(of: component.schema) { children[parent, default: []].append(component) }
        }
        return children
    }

    /// The schemas that a schema extends, the nearest first.
    func ancestors(of schema: Schema) -> [Schema] {
        var found = parents(of: schema)
        var seen: Set<Schema> = []
        var next = 0
        while next < found.count {
            if seen.insert(found[next]).inserted { found += parents(of: found[next]) }
            next += 1
        }
        return found
    }

    /// The schemas to which the `allOf` of a schema refers.
    private func parents(of schema: Schema) -> [Schema] {
        // Only these keys are looked at, because faults of schemas that nothing needs do not matter.
        (schema["allOf"]?.elements ?? []).compactMap { part in
            References.reference(of: part).flatMap { reader.references.resolve($0) }.map { schemas[$0] }
        }
    }
}
