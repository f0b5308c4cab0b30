/// What can be told about the JSON values of a schema without decoding them.
struct SchemaFacts {
    var kinds: Set<JSONKind> = []
    /// The names of all known members.
    var members: Set<String> = []
    /// The members that every value has.
    var required: Set<String> = []
    /// The texts of a member that has only some: of constants and enumerations.
    var constants: [String: [String]] = [:]
    /// The schemas of the members of an object; empty for a union.
    var memberSchemas: [String: Schema] = [:]
    /// The known texts, if the value is one of an enumeration.
    var texts: [String]?
    /// The schemas of array elements; `nil` if they are not known.
    var element: Schema?

    /// The number of facts about members.
    var size: Int { 1 + members.count + constants.reduce(0) { $0 + $1.value.count } }
}

extension SchemaResolver {
    /// Returns the facts about a schema: the least ones that agree with each other, because a union can contain itself.
    func facts(of schema: Schema) -> SchemaFacts {
        let schema = end(of: schema).schema
        if let known = knownFacts[schema] { return known }
        var visited: [Schema: SchemaFacts] = [:]
        let facts = facts(of: schema, &visited, 0)
        knownFacts[schema] = facts
        return facts
    }

    /// - Parameter visited: The facts of each schema on the way. Those of one that is still being visited are empty,
    ///   and add nothing: the facts of the first schema are complete, those of its parts may lack what it has.
    private func facts(of schema: Schema, _ visited: inout [Schema: SchemaFacts], _ depth: Int) -> SchemaFacts {
        let (schema, resolved) = end(of: schema)
        if let known = visited[schema] { return known }
        guard depth < Self.maximumDepth else {
            reportDepth(schema)
            return SchemaFacts()
        }
        visited[schema] = SchemaFacts()
        var facts = SchemaFacts()
        switch resolved.shape {
        case .any: facts.kinds = Set(JSONKind.allCases)
        case .null: facts.kinds = [.null]
        case .scalar(let scalar):
            facts.kinds = scalar.kind == .number ? [.number, .integer] : [scalar.kind]
        case .enumeration(let list):
            switch list.kind {
            case .string: facts.kinds = [.string]
            case .integer: facts.kinds = [.integer]
            case .mixed: facts.kinds = Set(list.values.flatMap { Self.kinds(of: $0.node) })
            }
            if !list.isOpen { facts.texts = list.values.compactMap(\.node.text) }
        case .array(let element):
            facts.kinds = [.array]
            facts.element = element
        case .dictionary: facts.kinds = [.object]
        case .object(let object): facts = self.facts(of: object)
        case .union(let union): facts = self.facts(of: union, &visited, depth)
        // Only a schema that is being resolved stays a reference.
        case .reference: break
        }
        visited[schema] = facts
        return facts
    }

    private func facts(of object: ObjectShape) -> SchemaFacts {
        var facts = SchemaFacts(kinds: [.object])
        for property in object.properties {
            facts.members.insert(property.name)
            facts.memberSchemas[property.name] = property.schema
            if property.isRequired { facts.required.insert(property.name) }
            switch resolveReferences(property.schema) {
            case .enumeration(let list) where !list.isOpen:
                facts.constants[property.name] = list.values.compactMap { Self.text(of: $0.node) }
            case .scalar(.boolean):
                facts.constants[property.name] = constant(ofBoolean: property.schema)?.text.map { [$0] }
            default: break
            }
        }
        return facts
    }

    private static func kinds(of node: Node) -> [JSONKind] {
        switch node.content {
        case .null: [.null]
        case .bool: [.boolean]
        case .number: [.integer, .number]
        case .string: [.string]
        case .array: [.array]
        case .object: [.object]
        }
    }

    /// The text of a constant, as a client reads it from a value.
    private static func text(of node: Node) -> String? {
        guard case .number(let text) = node.content, Int(text) == nil, let number = Double(text) else {
            return node.text
        }
        return Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }

    /// The only value of a Boolean; `nil` if it can have both.
    func constant(ofBoolean schema: Schema) -> Node? {
        guard case .scalar(.boolean) = resolveReferences(schema) else { return nil }
        var seen: Set<Schema> = []
        var pending = [schema]
        while let part = pending.popLast().map({ end(of: $0).schema }) {
            guard seen.insert(part).inserted else { continue }
            let values = (part.constants ?? []).filter { $0.bool != nil }
            if Set(values.map(\.bool)).count == 1 { return values[0] }
            pending += part.allOf
        }
        return nil
    }

    /// The facts that hold for all branches of a union.
    private func facts(of union: Union, _ visited: inout [Schema: SchemaFacts], _ depth: Int) -> SchemaFacts {
        let all = union.branches.map { self.facts(of: $0.schema, &visited, depth + 1) }
        var facts = SchemaFacts()
        for branch in all {
            facts.kinds.formUnion(branch.kinds)
            facts.members.formUnion(branch.members)
        }
        let objects = all.filter { $0.kinds.contains(.object) }
        guard let first = objects.first else { return facts }
        facts.required = objects.dropFirst().reduce(first.required) { $0.intersection($1.required) }
        for name in first.constants.keys {
            let texts = objects.compactMap { $0.constants[name] }
            guard texts.count == objects.count else { continue }
            // Branches can have texts in common.
            var seen: Set<String> = []
            facts.constants[name] = texts.flatMap(\.self).filter { seen.insert($0).inserted }
        }
        if let name = union.discriminator, facts.constants[name] == nil {
            let texts = union.branches.flatMap(\.discriminatorValues)
            if !texts.isEmpty { facts.constants[name] = texts }
        }
        return facts
    }
}
