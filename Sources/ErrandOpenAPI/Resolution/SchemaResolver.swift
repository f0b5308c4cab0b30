/// Resolves schemas to shapes: `allOf` to one object, `oneOf` and `anyOf` to unions, enumerations or one branch.
final class SchemaResolver {
    let reader: DocumentReader
    /// The types that the configuration gives formats.
    let formats: [String: ChosenType]
    /// The formats of the configuration that a schema has.
    var usedFormats: Set<String> = []
    /// The known types that the configuration gives schemas.
    var chosen: [Schema: Scalar] = [:]
    /// The custom types that the configuration gives schemas.
    var customTypes: [Schema: CustomType] = [:]
    var schemas: SchemaArena { reader.schemas }
    private var shapes: [Schema: Resolved] = [:]
    private var ends: [Schema: (schema: Schema, resolved: Resolved)] = [:]
    /// The schemas that are being resolved, to recognize one that consists of itself.
    private(set) var open: Set<Schema> = []
    var knownFacts: [Schema: SchemaFacts] = [:]
    /// The schemas that refer to a schema in their `allOf`, by the schema. Filled when a discriminator needs it.
    private(set) lazy var children = childrenOfParents()
    lazy var unionMembers = descendantsOfDiscriminated()
    /// The schemas that a schema lists in `oneOf` and `anyOf`, by the schema. Filled when a schema has it in `allOf`.
    var branches: [Schema: Set<Schema>] = [:]
    /// Whether a schema is a parent with a discriminator, by the schema. Filled by `isDiscriminatedParent(_:)`.
    var discriminatedParents: [Schema: Bool] = [:]
    let components: [Component]
    let componentsByName: [String: Schema]

    typealias Component = (name: String, schema: Schema)

    /// The maximum number of schemas of which each is a part of the one before.
    static let maximumDepth = 100

    init(_ reader: DocumentReader, components: [Node.Member], formats: [String: ChosenType] = [:]) {
        self.reader = reader
        self.components = components.map { ($0.key, reader.schemas[$0.value]) }
        componentsByName = Dictionary(self.components.map { ($0.name, $0.schema) }) { first, _ in first }
        self.formats = formats
    }

    /// Returns what a schema describes.
    func resolve(_ schema: Schema) -> Resolved {
        if let known = shapes[schema] { return known }
        guard open.count < Self.maximumDepth else {
            reportDepth(schema)
            return Resolved(shape: .any, isNullable: false)
        }
        guard open.insert(schema).inserted else {
            reader.report(.error, .schema, "the schema consists of itself", schema.node)
            return Resolved(shape: .any, isNullable: false)
        }
        defer { open.remove(schema) }
        var resolved = resolved(schema)
        if let scalar = chosen[schema] { choose(scalar, for: schema, &resolved) }
        shapes[schema] = resolved
        return resolved
    }

    /// Reports a schema that is too deep in others.
    func reportDepth(_ schema: Schema) {
        reader.exceed("more than \(Self.maximumDepth) schemas are parts of each other", schema.node)
    }

    /// Whether null is a value of a schema, directly or by a reference.
    func isNullable(_ schema: Schema) -> Bool { end(of: schema).resolved.isNullable }

    /// Returns the shape of a schema, or of the one that it refers to. A schema that is being resolved stays a
    /// reference.
    func resolveReferences(_ schema: Schema) -> Shape { end(of: schema).resolved.shape }

    /// Returns the schema at the end of a chain of references, and what it describes; null too, if one of the chain
    /// accepts it. Each chain is followed once, unless it leads to a schema that is being resolved.
    func end(of schema: Schema) -> (schema: Schema, resolved: Resolved) {
        var chain: [Schema] = []
        var seen: Set<Schema> = []
        var isComplete = true
        var end = (schema: schema, resolved: resolve(schema))
        while case .reference(let target) = end.resolved.shape {
            if let known = ends[end.schema] {
                end = known
            } else if open.contains(target) {
                isComplete = false
                break
            } else if seen.insert(end.schema).inserted {
                chain.append(end.schema)
                end = (target, resolve(target))
            } else {
                end.resolved.shape = .any
            }
        }
        for link in chain.reversed() {
            if resolve(link).isNullable { end.resolved.isNullable = true }
            if isComplete { ends[link] = end }
        }
        return end
    }

    // MARK: One schema

    private func resolved(_ schema: Schema) -> Resolved {
        if schema.isReference {
            guard let target = schemas.next(of: schema) else { return Resolved(shape: .any, isNullable: false) }
            guard reader.version != .v30, let rest = siblings(of: schema, target) else {
                return Resolved(shape: .reference(target), isNullable: schema.isNullable)
            }
            var resolved = resolve(schemas.all([target, rest], at: schema))
            if schema.isNullable { resolved.isNullable = true }
            return resolved
        }
        var resolved: Resolved
        if !schema.allOf.isEmpty {
            resolved = allOf(schema)
        } else if !schema.oneOf.isEmpty || !schema.anyOf.isEmpty {
            resolved = union(schema)
        } else if schema.discriminator != nil, let union = children(of: schema) {
            resolved = Resolved(shape: .union(union), isNullable: false)
        } else {
            resolved = plain(schema)
        }
        if schema.isNullable { resolved.isNullable = true }
        return resolved
    }

    /// Returns what stands beside a reference, if it changes the values: not if it only repeats their kind.
    private func siblings(of schema: Schema, _ target: Schema) -> Schema? {
        if !schema.required.isEmpty, !Set(schema.required).isSubset(of: required(target)) {
            return schemas.rest(of: schema, without: [.reference])
        }
        return rest(of: schema, without: [.reference]).flatMap { repeatsKind($0, of: target) ? nil : $0 }
    }

    /// Whether a schema says nothing but the kind of another schema's values.
    func repeatsKind(_ schema: Schema, of other: Schema) -> Bool {
        guard schema.saysOnlyKind, let kind = schema.kinds.first else { return false }
        switch resolveReferences(other) {
        case .object, .union: return kind == .object
        case .dictionary: return kind == .object && !other.saysOnlyKind
        case .array(let elements): return kind == .array && elements != nil
        case .scalar(let scalar): return kind == scalar.kind && !other.saysOnlyKind
        case .enumeration(let list):
            return list.kind == .string && kind == .string || list.kind == .integer && kind == .integer
        // A schema that is being resolved, such as one that contains itself.
        case .reference(let target): return kind == .object && target.describesObject
        case .any, .null: return false
        }
    }

    /// Resolves a schema without `$ref`, `allOf`, `oneOf` and `anyOf`, or ignores these keys.
    func plain(_ schema: Schema) -> Resolved {
        if let constants = schema.constants { return enumeration(constants, schema) }
        if schema.kinds.count > 1 { return kinds(schema) }
        let shape: Shape =
            switch schema.kinds.first {
            case .string: .scalar(string(schema))
            case .boolean: .scalar(.boolean)
            case .integer: .scalar(integer(schema))
            case .number: .scalar(number(schema))
            case .array: array(schema)
            case .object: object(schema)
            case .null: .null
            case nil where schema.isNullable && schema.hasType: .null
            case nil where !schema.properties.isEmpty: object(schema)
            case nil where schema.items != nil || !schema.prefixItems.isEmpty: array(schema)
            case nil
            where schema.contentEncoding != nil || schema.contentMediaType != nil || formats[schema.format ?? ""] != nil:
                .scalar(string(schema))
            case nil: schema.describesObject ? object(schema) : .any
            }
        return Resolved(shape: shape, isNullable: false)
    }

    private func array(_ schema: Schema) -> Shape {
        guard let first = schema.prefixItems.first else { return .array(schema.items) }
        let rest = schema.prefixItems.dropFirst() + (schema.items.map { [$0] } ?? [])
        return .array(rest.allSatisfy { $0 == first || $0.node.isEqual(to: first.node) } ? first : nil)
    }

    private func object(_ schema: Schema) -> Shape {
        guard !schema.properties.isEmpty else {
            switch schema.additional {
            case .schema(let values): return .dictionary(values)
            case .unsaid, .any: return .dictionary(nil)
            case .forbidden: return .object(ObjectShape(properties: [], additional: .forbidden))
            }
        }
        let required = Set(schema.required)
        let properties = schema.properties.map { name, schema in
            ObjectShape.Property(name: name, schema: schema, isRequired: required.contains(name))
        }
        return .object(ObjectShape(properties: properties, additional: schema.additional))
    }

    private func enumeration(_ constants: [Node], _ schema: Schema) -> Resolved {
        let names = (schema["x-enum-varnames"] ?? schema["x-enumNames"])?.elements ?? []
        let texts = schema["x-enum-descriptions"]?.elements ?? []
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

    /// Returns a schema without some keys; `nil` if the rest restricts nothing.
    func rest(of schema: Schema, without keys: Set<Schema.Key>) -> Schema? {
        let rest = schemas.rest(of: schema, without: keys)
        return rest.isUnrestricted ? nil : rest
    }
}
