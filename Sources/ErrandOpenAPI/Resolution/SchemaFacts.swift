/// What can be told about the JSON values of a schema without decoding them.
struct SchemaFacts {
    var kinds: Set<JSONKind> = []
    /// The names of all known members.
    var members: Set<String> = []
    /// The members that every value has.
    var required: Set<String> = []
    /// The texts of a member that has only some: of constants and enumerations.
    var constants: [String: [String]] = [:]
    /// The kinds of the members that have only some.
    var memberKinds: [String: Set<JSONKind>] = [:]
    /// The known texts, if the value is one of an enumeration.
    var texts: [String]?
    /// The schemas of array elements; `nil` if they are not known.
    var element: Node?
    /// Whether an object may have any members.
    var isDictionary = false

    /// The number of facts about members.
    var size: Int { 1 + members.count + constants.reduce(0) { $0 + $1.value.count } }
}

extension SchemaResolver {
    /// Returns the facts about a schema.
    func facts(of node: Node, depth: Int = 0) -> SchemaFacts {
        guard depth < 20 else { return SchemaFacts() }
        let key = FactsKey(schema: ObjectIdentifier(node), depth: depth)
        if let known = knownFacts[key] { return known }
        let facts = uncachedFacts(of: node, depth)
        knownFacts[key] = facts
        return facts
    }

    private func uncachedFacts(of node: Node, _ depth: Int) -> SchemaFacts {
        var facts = SchemaFacts()
        switch resolveReferences(node) {
        case .any: facts.kinds = Set(JSONKind.allCases)
        case .null: facts.kinds = [.null]
        case .scalar(let scalar):
            facts.kinds = scalar == .number || scalar == .decimal ? [.number, .integer] : [scalar.kind]
        case .enumeration(let list):
            switch list.kind {
            case .string: facts.kinds = [.string]
            case .integer: facts.kinds = [.integer]
            case .mixed: facts.kinds = Set(JSONKind.allCases)
            }
            facts.texts = list.values.compactMap(\.node.text)
        case .array(let element):
            facts.kinds = [.array]
            facts.element = element
        case .dictionary:
            facts.kinds = [.object]
            facts.isDictionary = true
        case .object(let object): facts = self.facts(of: object, depth)
        case .union(let union): facts = self.facts(of: union, depth)
        // `resolveReferences` does not return a reference.
        case .reference: break
        }
        return facts
    }

    private func facts(of object: ObjectShape, _ depth: Int) -> SchemaFacts {
        var facts = SchemaFacts(kinds: [.object])
        for property in object.properties {
            facts.members.insert(property.name)
            if property.isRequired { facts.required.insert(property.name) }
            if depth < 2 {
                let kinds = self.facts(of: property.schema, depth: depth + 10).kinds
                facts.memberKinds[property.name] = isNullable(property.schema) ? kinds.union([.null]) : kinds
            }
            switch resolveReferences(property.schema) {
            case .enumeration(let list): facts.constants[property.name] = list.values.compactMap(\.node.text)
            case .scalar(.boolean):
                let constants = reader.schema(of: property.schema).constants ?? []
                let texts = constants.compactMap { $0.bool.map { $0 ? "true" : "false" } }
                if texts.count == 1 { facts.constants[property.name] = texts }
            default: break
            }
        }
        return facts
    }

    /// The facts that hold for all branches of a union.
    private func facts(of union: Union, _ depth: Int) -> SchemaFacts {
        let all = union.branches.map { self.facts(of: $0.schema, depth: depth + 1) }
        var facts = SchemaFacts()
        for branch in all {
            facts.kinds.formUnion(branch.kinds)
            facts.members.formUnion(branch.members)
            if branch.isDictionary { facts.isDictionary = true }
        }
        let objects = all.filter { $0.kinds.contains(.object) }
        guard let first = objects.first else { return facts }
        facts.required = objects.dropFirst().reduce(first.required) { $0.intersection($1.required) }
        for name in first.constants.keys {
            let texts = objects.compactMap { $0.constants[name] }
            guard texts.count == objects.count else { continue }
            // A union that contains itself would double its texts in each turn.
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
