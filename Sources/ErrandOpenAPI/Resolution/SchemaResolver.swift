/// Resolves schemas to shapes: `allOf` to one object, `oneOf` and `anyOf` to unions, enumerations or one branch.
final class SchemaResolver {
    let reader: DocumentReader
    let formats: [String: Scalar]
    private var shapes: [ObjectIdentifier: Resolved] = [:]
    /// The schemas that are being resolved, to recognize one that consists of itself.
    private var open: Set<ObjectIdentifier> = []
    private var combined: [[ObjectIdentifier]: Node] = [:]
    private var reduced: [Reduction: Node] = [:]
    /// How often the branches of a union were combined with another schema to get a schema.
    private var generations: [ObjectIdentifier: Int] = [:]
    /// The facts about schemas. A schema that contains itself is followed to a certain depth.
    var knownFacts: [FactsKey: SchemaFacts] = [:]
    /// The schemas that refer to a schema in their `allOf`, by the schema. Filled when a discriminator needs it.
    private(set) lazy var children = childrenOfParents()
    lazy var unionMembers = descendantsOfDiscriminated()
    lazy var childIDs = children.mapValues { Set($0.map { ObjectIdentifier($0.value) }) }
    /// The schemas that a schema lists in `oneOf` and `anyOf`, by the schema. Filled when a schema has it in `allOf`.
    var branchIDs: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]
    let components: [Node.Member]
    let componentNames: Set<String>

    struct FactsKey: Hashable {
        let schema: ObjectIdentifier
        let depth: Int
    }

    /// A schema and the keys that are taken from it.
    private struct Reduction: Hashable {
        let schema: ObjectIdentifier
        let keys: Set<String>
    }

    /// The maximum number of schemas of which each is a part of the one before.
    static let maximumDepth = 100
    /// Whether there are more schemas than that. No type can be complete then.
    private(set) var isTooDeep = false

    init(_ reader: DocumentReader, components: [Node.Member], formats: [String: Scalar] = [:]) {
        self.reader = reader
        self.components = components
        componentNames = Set(components.map(\.key))
        self.formats = formats
    }

    /// Returns what a schema describes.
    func resolve(_ node: Node) -> Resolved {
        let id = ObjectIdentifier(node)
        if let known = shapes[id] { return known }
        guard open.count < Self.maximumDepth else {
            reportDepth(node)
            return Resolved(shape: .any, isNullable: false)
        }
        guard open.insert(id).inserted else {
            reader.report(.error, .schema, "the schema consists of itself", node)
            return Resolved(shape: .any, isNullable: false)
        }
        defer { open.remove(id) }
        let resolved = resolved(reader.schema(of: node))
        shapes[id] = resolved
        return resolved
    }

    /// Reports a schema that is too deep in others. The first one is enough.
    func reportDepth(_ node: Node) {
        guard !isTooDeep else { return }
        isTooDeep = true
        reader.report(.error, .limit, "more than \(Self.maximumDepth) schemas are parts of each other", node)
    }

    /// Whether null is a value of a schema, directly or by a reference.
    func isNullable(_ node: Node) -> Bool {
        var node = node
        for _ in 0..<References.maximumChain {
            let resolved = resolve(node)
            if resolved.isNullable { return true }
            guard case .reference(let target) = resolved.shape, !isOpen(target) else { return false }
            node = target
        }
        return false
    }

    /// Whether a schema is being resolved: one that refers to it is a part of it.
    private func isOpen(_ node: Node) -> Bool { open.contains(ObjectIdentifier(node)) }

    /// Returns the shape of a schema, or of the one that it refers to. A schema that is being resolved stays a
    /// reference.
    func resolveReferences(_ node: Node) -> Shape {
        var shape = resolve(node).shape
        for _ in 0..<References.maximumChain {
            guard case .reference(let target) = shape, !isOpen(target) else { return shape }
            shape = resolve(target).shape
        }
        return .any
    }

    // MARK: One schema

    private func resolved(_ schema: Schema) -> Resolved {
        if let reference = schema.reference {
            guard let target = reader.references.resolve(reference) else {
                return Resolved(shape: .any, isNullable: false)
            }
            guard reader.version != .v30, let rest = siblings(of: schema, target) else {
                return Resolved(shape: .reference(target), isNullable: schema.isNullable)
            }
            var resolved = resolve(combine([target, rest], like: schema.node))
            if schema.isNullable { resolved.isNullable = true }
            return resolved
        }
        var resolved: Resolved
        if !schema.allOf.isEmpty {
            resolved = AllOfMerger(self).merge(schema)
        } else if !schema.oneOf.isEmpty || !schema.anyOf.isEmpty {
            resolved = UnionReader(self).union(schema)
        } else if schema.discriminator != nil, let union = UnionReader(self).children(of: schema) {
            resolved = Resolved(shape: .union(union), isNullable: false)
        } else {
            resolved = plain(schema)
        }
        if schema.isNullable { resolved.isNullable = true }
        return resolved
    }

    /// Returns what stands beside a reference, if it changes the values: not if it only repeats their kind.
    private func siblings(of schema: Schema, _ target: Node) -> Node? {
        if !schema.required.isEmpty, !Set(schema.required).isSubset(of: AllOfMerger(self).required(target)) {
            return rest(of: schema, without: ["$ref"])
        }
        return withoutKeys(["$ref"], schema).flatMap { repeatsKind($0, of: target) ? nil : $0 }
    }

    /// Whether a schema says nothing but the kind of another schema's values.
    func repeatsKind(_ node: Node, of other: Node) -> Bool {
        let schema = reader.schema(of: node)
        guard schema.saysOnlyKind, let kind = schema.kinds.first else { return false }
        switch resolveReferences(other) {
        case .object, .union: return kind == .object
        case .dictionary: return kind == .object && !reader.schema(of: other).saysOnlyKind
        case .array(let elements): return kind == .array && elements != nil
        case .scalar(let scalar): return kind == scalar.kind && !reader.schema(of: other).saysOnlyKind
        case .enumeration(let list):
            return list.kind == .string && kind == .string || list.kind == .integer && kind == .integer
        // A schema that is being resolved, such as one that contains itself.
        case .reference(let target): return kind == .object && reader.schema(of: target).describesObject
        case .any, .null: return false
        }
    }

    /// Resolves a schema without `$ref`, `allOf`, `oneOf` and `anyOf`, or ignores these keys.
    func plain(_ schema: Schema) -> Resolved {
        if let constants = schema.constants { return enumeration(constants, schema) }
        if schema.kinds.count > 1 { return UnionReader(self).kinds(schema) }
        let shape: Shape =
            switch schema.kinds.first {
            case .string: .scalar(string(schema))
            case .boolean: .scalar(.boolean)
            case .integer: .scalar(integer(schema))
            case .number: .scalar(number(schema.format))
            case .array: array(schema)
            case .object: object(schema)
            case .null: .null
            case nil where schema.isNullable && schema.node["type"] != nil: .null
            case nil where !schema.properties.isEmpty: object(schema)
            case nil where schema.items != nil || !schema.prefixItems.isEmpty: array(schema)
            case nil where schema.format != nil || schema.contentEncoding != nil || schema.contentMediaType != nil:
                .scalar(string(schema))
            case nil: schema.describesObject ? object(schema) : .any
            }
        return Resolved(shape: shape, isNullable: false)
    }

    private func array(_ schema: Schema) -> Shape {
        guard let first = schema.prefixItems.first else { return .array(schema.items) }
        let rest = schema.prefixItems.dropFirst() + (schema.items.map { [$0] } ?? [])
        return .array(rest.allSatisfy { $0 === first || $0.isEqual(to: first) } ? first : nil)
    }

    private func object(_ schema: Schema) -> Shape {
        guard !schema.properties.isEmpty else {
            switch schema.additional {
            case .schema(let values): return .dictionary(values)
            case .unsaid, .any: return .dictionary(nil)
            case .forbidden: return .object(ObjectShape(properties: [], additional: .ignored))
            }
        }
        let required = Set(schema.required)
        let properties = schema.properties.map { name, node in
            ObjectShape.Property(name: name, schema: node, isRequired: required.contains(name))
        }
        return .object(ObjectShape(properties: properties, additional: ObjectShape.Additional(schema.additional)))
    }

    private func enumeration(_ constants: [Node], _ schema: Schema) -> Resolved {
        let names = (schema.node["x-enum-varnames"] ?? schema.node["x-enumNames"])?.elements ?? []
        let texts = schema.node["x-enum-descriptions"]?.elements ?? []
        var values: [Enumeration.Value] = []
        var seen = DistinctNodes()
        var isNullable = false
        for (index, node) in constants.enumerated() {
            if node.isNull {
                isNullable = true
            } else if seen.insert(node) {
                let name = names.count == constants.count ? names[index].text : nil
                let text = texts.count == constants.count ? texts[index].text : nil
                values.append(Enumeration.Value(node: node, name: name, description: text))
            }
        }
        if constants.isEmpty {
            reader.report(.warning, .schema, "the enumeration has no values; any value is accepted", schema.node)
        }
        guard !values.isEmpty else { return Resolved(shape: isNullable ? .null : .any, isNullable: isNullable) }
        return Resolved(shape: Self.enumeration(values), isNullable: isNullable)
    }

    static func enumeration(_ values: [Enumeration.Value]) -> Shape {
        let areBooleans = values.allSatisfy { $0.node.bool != nil }
        if areBooleans { return .scalar(.boolean) }
        let areStrings = values.allSatisfy { $0.node.string != nil }
        let areIntegers = values.allSatisfy {
            if case .number(let text) = $0.node.content { Int(text) != nil } else { false }
        }
        return .enumeration(Enumeration(kind: areStrings ? .string : areIntegers ? .integer : .mixed, values: values))
    }

    // MARK: Schemas that are not in the document

    /// Returns a schema of the values that fit several schemas.
    func combine(_ nodes: [Node], like origin: Node) -> Node {
        guard nodes.count != 1 else { return nodes[0] }
        let key = nodes.map { ObjectIdentifier($0) }
        if let known = combined[key] { return known }
        let list = Node(.array(nodes), like: origin)
        let node = Node(.object([Node.Member(key: "allOf", offset: origin.offset, value: list)]), like: origin)
        combined[key] = node
        return node
    }

    /// The maximum number of unions in each other whose branches are combined with other schemas: each multiplies them.
    static let maximumGeneration = 4

    /// How many unions in each other have their branches combined in a schema.
    func generation(of node: Node) -> Int { generations[ObjectIdentifier(node)] ?? 0 }

    /// Returns a schema of the values that fit a branch of a union and other schemas.
    func combine(_ nodes: [Node], asBranchOf union: Node, like origin: Node) -> Node {
        let node = combine(nodes, like: origin)
        let generation = generation(of: union) + 1
        generations[ObjectIdentifier(node)] = max(generation, generations[ObjectIdentifier(node)] ?? 0)
        return node
    }

    /// Returns a schema without some keys; `nil` if the rest restricts nothing.
    func withoutKeys(_ keys: Set<String>, _ schema: Schema) -> Node? {
        let rest = rest(of: schema, without: keys)
        return isAnnotation(rest) ? nil : rest
    }

    private func rest(of schema: Schema, without keys: Set<String>) -> Node {
        let key = Reduction(schema: ObjectIdentifier(schema.node), keys: keys)
        if let known = reduced[key] { return known }
        let rest = Node(.object(schema.node.members.filter { !keys.contains($0.key) }), like: schema.node)
        reduced[key] = rest
        return rest
    }

    /// Whether a schema only describes or limits values: it does not say which kind they have.
    func isAnnotation(_ node: Node) -> Bool { reader.schema(of: node).isUnrestricted }
}

extension ObjectShape.Additional {
    init(_ additional: Schema.Additional) {
        switch additional {
        case .unsaid, .forbidden: self = .ignored
        case .any: self = .any
        case .schema(let node): self = .schema(node)
        }
    }
}
