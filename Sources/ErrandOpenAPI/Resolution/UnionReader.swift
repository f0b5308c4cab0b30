/// Resolves `oneOf`, `anyOf` and several types: to a union, or to what is left if the branches are null, constants or
/// one schema.
struct UnionReader {
    private let resolver: SchemaResolver
    private var reader: DocumentReader { resolver.reader }

    /// What the branches of a union are, apart from schemas.
    private struct Branches {
        var schemas: [Union.Branch] = []
        var isNullable = false
        var acceptsAny = false
        /// Whether a branch only requires or limits members.
        var restricts = false
    }

    init(_ resolver: SchemaResolver) {
        self.resolver = resolver
    }

    /// Resolves `oneOf` or `anyOf`.
    func union(_ schema: Schema) -> Resolved {
        let key = schema.oneOf.isEmpty ? "anyOf" : "oneOf"
        var rest = resolver.withoutKeys([key, "discriminator"], schema)
        var branches = Branches()
        for node in schema.oneOf.isEmpty ? schema.anyOf : schema.oneOf {
            add(node, to: &branches, hasRest: rest != nil, depth: 0)
        }
        if let known = rest, branches.schemas.isEmpty {
            var resolved = resolver.resolve(known)
            if branches.isNullable, !branches.restricts { resolved.isNullable = true }
            return resolved
        }
        if let known = rest, saysOnlyKind(known) { rest = nil }
        if let rest {
            branches.schemas = branches.schemas.map { branch in
                var combined = branch
                if combined.name == nil { combined.name = branch.schema.referencedName }
                combined.schema = resolver.combine([rest, branch.schema], like: branch.schema)
                return combined
            }
        }
        return resolved(branches, schema, isAnyOf: schema.oneOf.isEmpty)
    }

    /// Resolves a schema with several types.
    func kinds(_ schema: Schema) -> Resolved {
        var branches = Branches()
        branches.schemas = schema.kinds.map { kind in
            let type = Node.Member(
                key: "type", offset: schema.node.offset, value: Node(.string(kind.rawValue), like: schema.node))
            let others = schema.node.members.filter { $0.key != "type" && $0.key != "nullable" }
            return Union.Branch(schema: Node(.object([type] + others), like: schema.node))
        }
        return resolved(branches, schema, isAnyOf: true)
    }

    /// Returns the union of the schemas that extend a schema with a discriminator; `nil` if no schema does.
    func children(of schema: Schema) -> Union? {
        guard let discriminator = schema.discriminator else { return nil }
        var branches: [Union.Branch] = []
        var indices: [ObjectIdentifier: Int] = [:]
        for (value, node) in discriminator.mapping {
            guard let reference = reference(node), let target = reader.target(of: reference), target !== schema.node
            else { continue }
            if let known = indices[ObjectIdentifier(target)] {
                branches[known].discriminatorValues.append(value)
            } else {
                indices[ObjectIdentifier(target)] = branches.count
                branches.append(branch(reference, of: schema, value))
            }
        }
        for child in resolver.descendants(of: schema.node) where indices[ObjectIdentifier(child.value)] == nil {
            branches.append(
                Union.Branch(schema: component(child.key, like: schema.node), discriminatorValues: [child.key]))
        }
        guard !branches.isEmpty else { return nil }
        return Union(
            node: schema.node, branches: branches, discriminator: discriminator.property, isAnyOf: false,
            acceptsAny: false)
    }

    /// Returns the branch that a mapping names. If it does not extend the schema, it has the schema's members too.
    private func branch(_ reference: Node, of schema: Schema, _ value: String) -> Union.Branch {
        let branch = Union.Branch(schema: reference, discriminatorValues: [value])
        let members = Set(schema.properties.map(\.name))
        guard let rest = resolver.withoutKeys(["discriminator"], schema),
            resolver.generation(of: schema.node) < SchemaResolver.maximumGeneration,
            !AllOfMerger(resolver).members(reference).isSuperset(of: members)
        else { return branch }
        var combined = branch
        combined.name = reference.referencedName
        combined.schema = resolver.combine([rest, reference], asBranchOf: schema.node, like: reference)
        return combined
    }

    // MARK: Branches

    private func add(_ node: Node, to branches: inout Branches, hasRest: Bool, depth: Int) {
        let schema = reader.schema(of: node)
        if resolver.isAnnotation(node) {
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
        if schema.reference == nil, schema.discriminator == nil, schema.allOf.isEmpty, depth < 20,
            !(schema.oneOf.isEmpty && schema.anyOf.isEmpty), schema.oneOf.isEmpty || schema.anyOf.isEmpty,
            resolver.withoutKeys([schema.oneOf.isEmpty ? "anyOf" : "oneOf"], schema) == nil
        {
            if schema.isNullable { branches.isNullable = true }
            for inner in schema.oneOf + schema.anyOf { add(inner, to: &branches, hasRest: hasRest, depth: depth + 1) }
            return
        }
        let resolved = resolver.resolve(node)
        if case .null = resolved.shape {
            branches.isNullable = true
        } else {
            if resolver.isNullable(node) { branches.isNullable = true }
            if case .any = resolver.resolveReferences(node) {
                branches.acceptsAny = true
            } else {
                branches.schemas.append(Union.Branch(schema: node, name: schema.reference == nil ? schema.title : nil))
            }
        }
    }

    /// Whether a schema beside a union says no more than the kind of the values.
    private func saysOnlyKind(_ node: Node) -> Bool {
        let schema = reader.schema(of: node)
        guard schema.oneOf.isEmpty, schema.anyOf.isEmpty, schema.allOf.isEmpty, schema.reference == nil else {
            return false
        }
        switch resolver.plain(schema).shape {
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
            var resolved = resolver.resolve(first.schema)
            resolved.isNullable = resolved.isNullable || branches.isNullable
            return resolved
        }
        let union = Union(
            node: schema.node, branches: withDiscriminatorValues(distinct, schema),
            discriminator: schema.discriminator?.property, isAnyOf: isAnyOf, acceptsAny: branches.acceptsAny)
        return Resolved(shape: .union(union), isNullable: branches.isNullable)
    }

    /// Returns one enumeration if all branches are texts or constants; `nil` otherwise.
    private func constants(_ branches: Branches) -> Shape? {
        guard !branches.acceptsAny, branches.schemas.count > 1 else { return nil }
        var values: [Enumeration.Value] = []
        var seen = DistinctNodes()
        var plain: Set<JSONKind> = []
        var lists = 0
        for branch in branches.schemas {
            switch resolver.resolveReferences(branch.schema) {
            case .enumeration(let list):
                lists += 1
                let schema = reader.schema(of: branch.schema)
                for value in list.values where seen.insert(value.node) {
                    let isTitled = list.values.count == 1 && schema.reference == nil
                    values.append(
                        Enumeration.Value(
                            node: value.node, name: value.name ?? (isTitled ? schema.title : nil),
                            description: value.description ?? (isTitled ? schema.description : nil)))
                }
            case .scalar(let scalar) where scalar == .string || scalar == .integer: plain.insert(scalar.kind)
            default: return nil
            }
        }
        guard lists > 0, case .enumeration(let list) = SchemaResolver.enumeration(values) else { return nil }
        switch list.kind {
        case .string: guard plain.subtracting([.string]).isEmpty else { return nil }
        case .integer: guard plain.subtracting([.integer]).isEmpty else { return nil }
        case .mixed: guard plain.isEmpty else { return nil }
        }
        // The enumeration that the only reference names has all known values.
        let named = branches.schemas.filter { References.reference(of: $0.schema) != nil }
        if lists == 1, named.count == 1, case .enumeration = resolver.resolveReferences(named[0].schema),
            let target = reader.target(of: named[0].schema)
        {
            return .reference(target)
        }
        return .enumeration(list)
    }

    /// Leaves out branches whose values are those of another one.
    private func distinct(_ branches: [Union.Branch]) -> [Union.Branch] {
        var scalars: Set<Scalar> = []
        for branch in branches {
            if case .scalar(let scalar) = resolver.resolveReferences(branch.schema) { scalars.insert(scalar) }
        }
        var seen: Set<Scalar> = []
        var targets: Set<ObjectIdentifier> = []
        return branches.filter { branch in
            guard case .scalar(let scalar) = resolver.resolveReferences(branch.schema) else {
                return targets.insert(ObjectIdentifier(reader.target(of: branch.schema) ?? branch.schema)).inserted
            }
            if scalar.kind == .integer, scalars.contains(.number) { return false }
            if scalar.kind == .string, scalar != .string, scalars.contains(.string) { return false }
            return seen.insert(scalar).inserted
        }
    }

    // MARK: Discriminators

    private func withDiscriminatorValues(_ branches: [Union.Branch], _ schema: Schema) -> [Union.Branch] {
        guard let discriminator = schema.discriminator else { return branches }
        var branches = branches
        var indices: [ObjectIdentifier: Int] = [:]
        for (index, branch) in branches.enumerated() {
            let parts = branch.schema.isSynthetic ? reader.schema(of: branch.schema).allOf : []
            for part in [branch.schema] + parts {
                guard let target = reader.target(of: part) else { continue }
                indices[ObjectIdentifier(target)] = indices[ObjectIdentifier(target)] ?? index
            }
        }
        for (value, node) in discriminator.mapping {
            guard let reference = reference(node), let target = reader.target(of: reference) else { continue }
            guard let index = indices[ObjectIdentifier(target)] else {
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
    private func lacks(_ property: String, _ node: Node) -> Bool {
        guard case .object(let object) = resolver.resolveReferences(node), case .ignored = object.additional else {
            return false
        }
        return !object.properties.contains { $0.name == property }
    }

    /// Returns an object that refers to what a mapping names: a reference, or the name of a component.
    private func reference(_ node: Node) -> Node? {
        guard let text = node.string else {
            reader.report(.error, .type, "a mapping must name a schema, not \(node.kindText)", node)
            return nil
        }
        if resolver.componentNames.contains(text) { return component(text, like: node) }
        let reference = Node(.object([Node.Member(key: "$ref", offset: node.offset, value: node)]), like: node)
        return reader.references.resolve(node) == nil ? nil : reference
    }

    private func component(_ name: String, like node: Node) -> Node {
        let text = Node(.string("#/components/schemas/\(name.escapedToken)"), like: node)
        return Node(.object([Node.Member(key: "$ref", offset: node.offset, value: text)]), like: node)
    }
}
