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

    /// The components that are values of a union, because they extend a schema with a discriminator.
    func descendantsOfDiscriminated() -> Set<Schema> {
        let parents = components.map(\.schema).filter { $0["discriminator"]?.isNull == false }
        return Set(parents.flatMap { descendants(of: $0) }.map(\.schema))
    }

    func childrenOfParents() -> [Schema: [Component]] {
        var children: [Schema: [Component]] = [:]
        for component in components {
            // Only these keys are looked at, because faults of schemas that nothing needs do not matter.
            for part in component.schema["allOf"]?.elements ?? [] {
                guard let reference = References.reference(of: part), let parent = reader.references.resolve(reference)
                else { continue }
                children[schemas[parent], default: []].append(component)
            }
        }
        return children
    }
}
