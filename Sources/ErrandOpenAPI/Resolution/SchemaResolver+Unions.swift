/// Resolves `oneOf`, `anyOf` and several types: to a union, or to what is left if the branches are null, constants or
/// one schema.
extension SchemaResolver {
    /// What the branches of a union are, apart from schemas.
    private struct Branches {
        var schemas: [Union.Branch] = []
        var isNullable = false
        var acceptsAny = false
        /// Whether a branch only requires or limits members.
        var restricts = false
    }

    /// Resolves `oneOf` or `anyOf`.
    func union(_ schema: Schema) -> Resolved {
        let isAnyOf = schema.oneOf.isEmpty
        var rest = self.rest(of: schema, without: [isAnyOf ? .anyOf : .oneOf, .discriminator])
        var branches = Branches()
        let all = isAnyOf ? schema.anyOf : schema.oneOf
        for branch in all {
            // Generators for OData write null like this.
            if all.count == 2, all.contains(where: \.isReference), reader.version == .v30, branch.isNullable,
                branch.saysOnlyKind, branch.kinds == [.object]
            {
                branches.isNullable = true
            } else {
                add(branch, to: &branches, hasRest: rest != nil)
            }
        }
        if let known = rest, branches.schemas.isEmpty {
            var resolved = resolve(known)
            if branches.isNullable, !branches.restricts { resolved.isNullable = true }
            return resolved
        }
        if let known = rest, saysOnlyKind(known) { rest = nil }
        if let rest {
            branches.schemas = branches.schemas.map { $0.with(schemas.all([rest, $0.schema], at: $0.schema)) }
        }
        return resolved(branches, schema, isAnyOf: isAnyOf)
    }

    /// Resolves a schema with several types.
    func kinds(_ schema: Schema) -> Resolved {
        var branches = Branches()
        branches.schemas = schema.kinds.map { Union.Branch(schema: schemas.values(of: schema, kind: $0)) }
        return resolved(branches, schema, isAnyOf: true)
    }

    /// Returns the union of the schemas that extend a schema with a discriminator; `nil` if no schema does.
    func children(of schema: Schema) -> Union? {
        guard let discriminator = schema.discriminator else { return nil }
        var branches: [Union.Branch] = []
        var indices: [Schema: Int] = [:]
        for (value, node) in discriminator.mapping {
            guard let reference = reference(node), let target = schemas.target(of: reference), target != schema
            else { continue }
            if let known = indices[target] {
                branches[known].discriminatorValues.append(value)
            } else {
                indices[target] = branches.count
                branches.append(branch(reference, of: schema, value))
            }
        }
        for child in descendants(of: schema) where indices[child.schema] == nil {
            let reference = schemas.reference(to: child.schema, named: child.name, at: schema.node)
            branches.append(Union.Branch(schema: reference, discriminatorValues: [child.name]))
        }
        guard !branches.isEmpty else { return nil }
        return Union(
            schema: schema, branches: branches, discriminator: discriminator.property, isAnyOf: false,
            acceptsAny: false)
    }

    /// Returns the branch that a mapping names. If it does not extend the schema, it has the schema's members too.
    private func branch(_ reference: Schema, of schema: Schema, _ value: String) -> Union.Branch {
        let branch = Union.Branch(schema: reference, discriminatorValues: [value])
        let members = Set(schema.properties.map(\.name))
        guard let rest = self.rest(of: schema, without: [.discriminator]),
            !self.members(reference).isSuperset(of: members)
        else { return branch }
        return branch.with(schemas.all([rest, reference], at: reference))
    }

    // MARK: Branches

    private func add(_ schema: Schema, to branches: inout Branches, hasRest: Bool) {
        if schema.isUnrestricted {
            if schema.isNullable {
                branches.isNullable = true
            } else if hasRest || !schema.required.isEmpty {
                branches.restricts = true
            } else {
                branches.acceptsAny = true
            }
            return
        }
        // The branches of a union in a union, unless it has a name or a discriminator.
        if !schema.isReference, schema.discriminator == nil, schema.allOf.isEmpty,
            !(schema.oneOf.isEmpty && schema.anyOf.isEmpty), schema.oneOf.isEmpty || schema.anyOf.isEmpty,
            rest(of: schema, without: [schema.oneOf.isEmpty ? .anyOf : .oneOf]) == nil
        {
            if schema.isNullable { branches.isNullable = true }
            for inner in schema.oneOf + schema.anyOf { add(inner, to: &branches, hasRest: hasRest) }
            return
        }
        if isNullable(schema) { branches.isNullable = true }
        switch resolveReferences(schema) {
        case .null: branches.isNullable = true
        case .any: branches.acceptsAny = true
        default: branches.schemas.append(Union.Branch(schema: schema, name: schema.isReference ? nil : schema.title))
        }
    }

    /// Whether a schema beside a union says no more than the kind of the values.
    private func saysOnlyKind(_ schema: Schema) -> Bool {
        guard schema.oneOf.isEmpty, schema.anyOf.isEmpty, schema.allOf.isEmpty, !schema.isReference else {
            return false
        }
        switch plain(schema).shape {
        case .dictionary(nil), .scalar, .any, .null, .array(nil): return true
        case .dictionary, .object, .array, .enumeration, .union, .reference: return false
        }
    }

    private func resolved(_ branches: Branches, _ schema: Schema, isAnyOf: Bool) -> Resolved {
        if let shape = constants(branches) { return Resolved(shape: shape, isNullable: branches.isNullable) }
        let distinct = distinct(branches.schemas)
        guard let first = distinct.first else {
            let shape = branches.acceptsAny || branches.restricts ? Shape.any : .null
            return Resolved(shape: shape, isNullable: branches.isNullable)
        }
        if distinct.count == 1, !branches.acceptsAny {
            var resolved = resolve(first.schema)
            if customTypes[first.schema] != nil { resolved.shape = .reference(first.schema) }
            resolved.isNullable = resolved.isNullable || branches.isNullable
            return resolved
        }
        let parent = schema.discriminator == nil ? discriminatedParent(of: distinct) : schema
        let union = Union(
            schema: schema, branches: withDiscriminatorValues(distinct, schema, parent?.discriminator),
            discriminator: parent?.discriminator?.property, isAnyOf: isAnyOf, acceptsAny: branches.acceptsAny)
        return Resolved(shape: .union(union), isNullable: branches.isNullable)
    }

    /// Returns one enumeration if all branches are texts or constants; `nil` otherwise.
    private func constants(_ branches: Branches) -> Shape? {
        guard !branches.acceptsAny, branches.schemas.count > 1,
            !branches.schemas.contains(where: { customType(of: $0.schema) != nil })
        else { return nil }
        var values: [Enumeration.Value] = []
        var seen = DistinctNodes()
        var plain: Set<JSONKind> = []
        var lists = 0
        for branch in branches.schemas {
            switch resolveReferences(branch.schema) {
            case .enumeration(let list):
                lists += 1
                let schema = branch.schema
                for value in list.values where seen.insert(value.node) {
                    let isTitled = list.values.count == 1 && !schema.isReference
                    values.append(
                        Enumeration.Value(
                            node: value.node, name: value.name ?? (isTitled ? schema.title : nil),
                            description: value.description ?? (isTitled ? schema.description : nil)))
                }
            case .scalar(let scalar) where scalar == .string || scalar == .integer: plain.insert(scalar.kind)
            default: return nil
            }
        }
        guard lists > 0, case .enumeration(var list) = Self.enumeration(values) else { return nil }
        list.isOpen = !plain.isEmpty
        switch list.kind {
        case .string: guard plain.subtracting([.string]).isEmpty else { return nil }
        case .integer: guard plain.subtracting([.integer]).isEmpty else { return nil }
        case .mixed: guard plain.isEmpty else { return nil }
        }
        // A referenced enumeration can have all known values.
        let whole = branches.schemas.first { branch in
            guard branch.schema.isReference, case .enumeration(let own) = resolveReferences(branch.schema) else {
                return false
            }
            return own.values.count == list.values.count
        }
        guard !list.isOpen || list.single == nil, let target = whole.flatMap({ schemas.target(of: $0.schema) }) else {
            return .enumeration(list)
        }
        return .reference(target)
    }

    /// Leaves out branches whose values are those of another one. Those of a custom type are only its own.
    private func distinct(_ branches: [Union.Branch]) -> [Union.Branch] {
        var scalars: Set<Scalar> = []
        for branch in branches {
            if case .scalar(let scalar) = resolveReferences(branch.schema), customType(of: branch.schema) == nil {
                scalars.insert(scalar)
            }
        }
        var seen: Set<Scalar> = []
        var types: [JSONKind: Set<CustomType>] = [:]
        var targets: Set<Schema> = []
        return branches.filter { branch in
            let shape = resolveReferences(branch.schema)
            guard case .scalar(let scalar) = shape else {
                if case .enumeration(let list) = shape, customType(of: branch.schema) == nil,
                    isPart(list, of: scalars)
                {
                    return false
                }
                return targets.insert(schemas.target(of: branch.schema) ?? branch.schema).inserted
            }
            if let type = customType(of: branch.schema) {
                return types[scalar.kind, default: []].insert(type).inserted
            }
            if scalar.kind == .integer, scalars.contains(.number) { return false }
            if scalar.kind == .string, scalar != .string, scalars.contains(.string) { return false }
            return seen.insert(scalar).inserted
        }
    }

    /// Whether an enumeration has only numbers, all of which are values of one of the scalars.
    private func isPart(_ list: Enumeration, of scalars: Set<Scalar>) -> Bool {
        let kinds = Set(scalars.map(\.kind))
        if list.kind == .integer { return kinds.contains(.integer) || kinds.contains(.number) }
        return kinds.contains(.number)
            && list.values.allSatisfy { if case .number = $0.node.content { true } else { false } }
    }

    // MARK: Discriminators

    /// The nearest schema with a discriminator that all branches extend. It can be a branch itself.
    private func discriminatedParent(of branches: [Union.Branch]) -> Schema? {
        let all = branches.map { branch -> [Schema] in
            guard branch.schema.isReference, let target = schemas.target(of: branch.schema) else { return [] }
            return [target] + ancestors(of: target)
        }
        let shared = all.dropFirst().reduce(Set(all.first ?? [])) { $0.intersection($1) }
        return all.first?.first { shared.contains($0) && isDiscriminatedParent($0) }
    }

    /// - Parameter discriminator: The one of the schema, or of a parent, which can have other children.
    private func withDiscriminatorValues(
        _ branches: [Union.Branch], _ schema: Schema, _ discriminator: SchemaKeys.Discriminator?
    ) -> [Union.Branch] {
        guard let discriminator else { return branches }
        var branches = branches
        var indices: [Schema: Int] = [:]
        for (index, branch) in branches.enumerated() {
            for part in [branch.schema] + (branch.schema.isDerived ? branch.schema.allOf : []) {
                guard let target = schemas.target(of: part) else { continue }
                indices[target] = indices[target] ?? index
            }
        }
        for (value, node) in discriminator.mapping {
            guard let reference = reference(node), let target = schemas.target(of: reference) else { continue }
            guard let index = indices[target] else {
                guard schema.discriminator != nil else { continue }
                let message = "the mapping of \"\(value)\" names a schema that is not a branch; it is ignored"
                reader.report(.warning, .union, message, node)
                continue
            }
            branches[index].discriminatorValues.append(value)
        }
        for index in branches.indices where branches[index].discriminatorValues.isEmpty {
            let name = branches[index].schema.referencedName ?? branches[index].name
            branches[index].discriminatorValues = name.map { [$0] } ?? []
        }
        // Only its case can tell which of several values a branch has that does not declare the property.
        return branches.flatMap { branch in
            guard branch.discriminatorValues.count > 1, lacks(discriminator.property, branch.schema) else {
                return [branch]
            }
            return branch.discriminatorValues.map {
                Union.Branch(schema: branch.schema, discriminatorValues: [$0], name: $0)
            }
        }
    }

    /// Whether the values of a schema are objects that do not have a member.
    private func lacks(_ property: String, _ schema: Schema) -> Bool {
        guard case .object(let object) = resolveReferences(schema), object.additional.isIgnored else {
            return false
        }
        return !object.properties.contains { $0.name == property }
    }

    /// Returns a reference to what a mapping names: a component by its name, or any schema by a reference.
    private func reference(_ node: Node) -> Schema? {
        guard let text = node.string else {
            reader.report(.error, .type, "a mapping must name a schema, not \(node.kindText)", node)
            return nil
        }
        if let known = componentsByName[text] { return schemas.reference(to: known, named: text, at: node) }
        guard let target = reader.references.resolve(node) else { return nil }
        return schemas.reference(to: schemas[target], named: References.name(node), at: node)
    }
}
