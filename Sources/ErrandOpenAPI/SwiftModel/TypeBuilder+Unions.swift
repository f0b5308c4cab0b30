extension TypeBuilder {
    /// Returns the cases of a union, and how they are decided.
    func union(_ union: Union, _ owner: Declaration.Owner) -> Declaration.UnionModel {
        var cases = union.branches.enumerated().map { index, branch in
            let name = caseName(branch)
            let use = use(branch.schema, named: name, in: owner)
            return Declaration.UnionModel.Case(wantedName: name, type: use.type, branch: index)
        }
        let decider = UnionDecider.decided(union, resolver)
        for (index, branch) in union.branches.enumerated() {
            guard case .declared(let id) = cases[index].type else { continue }
            if let property = union.discriminator {
                discriminators[id, default: []].insert(property)
                for value in branch.discriminatorValues {
                    tags[id, default: []].insert(Tag(path: [property], value: value))
                }
                cases[index].tag = undeclaredTag(property, branch)
            } else {
                tags[id, default: []].formUnion(decider.decision.tags(of: index))
            }
        }
        let isCombined = isCombined(union, decider.decision)
        if !isCombined {
            if decider.isGuess {
                let message = "no fact distinguishes some branches; the one that knows most members is chosen"
                reader.report(.note, .union, message, union.schema.node)
            }
            if union.isAnyOf { noteAnyOf(union) }
        }
        return Declaration.UnionModel(cases: cases, decision: decider.decision, isCombined: isCombined)
    }

    /// Whether a value can fit several branches, so that each branch that it fits is kept: the branches of `anyOf` are
    /// objects, and no constant and no kind of a member tells them apart.
    private func isCombined(_ union: Union, _ decision: UnionDecision) -> Bool {
        guard union.isAnyOf, union.discriminator == nil, !union.acceptsAny, union.branches.count > 1 else {
            return false
        }
        var decision = decision
        if case .kinds(let cases) = decision, cases.count == 1 { decision = cases[0].decision }
        switch decision {
        case .presence, .bestMatch: break
        case .branch, .other, .kinds, .member, .texts, .attempts, .memberKind, .element: return false
        }
        return union.branches.allSatisfy { branch in
            if case .object = resolver.resolveReferences(branch.schema) { true } else { false }
        }
    }

    /// A value of `anyOf` can have members of several branches, of which only one is kept.
    private func noteAnyOf(_ union: Union) {
        let objects = union.branches.filter { resolver.facts(of: $0.schema).kinds == [.object] }
        guard objects.count > 1 else { return }
        reader.report(.note, .union, Declaration.UnionModel.lossMessage, union.schema.node)
    }

    // MARK: Discriminators

    /// The property of a discriminator that a branch does not declare, with its value: the union encodes it.
    private func undeclaredTag(_ property: String, _ branch: Union.Branch) -> Tag? {
        let facts = resolver.facts(of: branch.schema)
        guard let value = branch.discriminatorValues.first, facts.kinds == [.object], !facts.members.contains(property)
        else { return nil }
        return Tag(path: [property], value: value)
    }

    /// The tags, by the structs that declare the last property of their paths.
    func declaredTags() -> [Int: Set<Tag>] {
        var declared: [Int: Set<Tag>] = [:]
        for (id, tags) in tags {
            for tag in tags {
                guard tag.path.count > 1 else {
                    declared[id, default: []].insert(tag)
                    continue
                }
                guard case .structure(let structure) = declarations[id].content,
                    case .declared(let inner)? = structure.properties.first(where: { $0.jsonName == tag.path[0] })?.type
                else { continue }
                declared[inner, default: []].insert(tag)
            }
        }
        return declared
    }

    /// Gives the properties that decide unions their only values as defaults.
    func setDefaults(_ tags: Set<Tag>, of declaration: Declaration) {
        guard case .structure(var structure) = declaration.content else { return }
        for (property, tags) in Dictionary(grouping: tags, by: \.property) where tags.count == 1 {
            guard let index = structure.properties.firstIndex(where: { $0.jsonName == property }) else { continue }
            let known = structure.properties[index].constant
            let constant = known ?? constant(tags[0].value, of: structure.properties[index].type, declaration.node)
            structure.properties[index].constant = constant
            structure.properties[index].isTag = constant != nil
        }
        declaration.content = .structure(structure)
    }

    /// Marks the properties of discriminators.
    func markProperties(_ names: Set<String>, of declaration: Declaration) {
        guard case .structure(var structure) = declaration.content else { return }
        for index in structure.properties.indices where names.contains(structure.properties[index].jsonName) {
            structure.properties[index].isDiscriminator = true
        }
        declaration.content = .structure(structure)
    }

    /// Returns the value of a tag: a text, an integer, or a value of an enumeration; `nil` for another type.
    private func constant(_ value: String, of type: SwiftType, _ origin: Node) -> Node? {
        switch type {
        case .string: return Node(.string(value), like: origin)
        case .int, .int64, .uint64: return Int(value).map { Node(.number("\($0)"), like: origin) }
        case .declared(let id):
            guard declarations[id].custom == nil else { return nil }
            switch declarations[id].content {
            case .enumeration(let list): return list.values.first { $0.node.text == value }?.node
            case .alias(let type): return constant(value, of: type, origin)
            case .pending, .structure, .union, .errors: return nil
            }
        default: return nil
        }
    }

    // MARK: Names

    /// The name of a branch's case: that of its schema, or of the kind of its values.
    func caseName(_ branch: Union.Branch) -> String {
        if let name = branch.name ?? branch.schema.referencedName { return name }
        switch resolver.resolveReferences(branch.schema) {
        case .any, .null: return "value"
        case .scalar(let scalar):
            switch scalar {
            case .boolean: return "boolean"
            case .integer, .int64, .uint64: return "integer"
            case .number, .decimal: return "number"
            case .string, .base64, .binary: return "string"
            case .dateTime, .date: return "date"
            case .uuid: return "uuid"
            case .url: return "url"
            case .custom(_, let kind): return kind.rawValue
            }
        case .enumeration(let list): return list.constant?.text ?? "known"
        case .array(let element):
            guard let element else { return "array" }
            let name = caseName(Union.Branch(schema: element))
            if case .array = resolver.resolveReferences(element) { return SwiftName.pluralOfLists(name) }
            return SwiftName.plural(name)
        case .dictionary: return "dictionary"
        case .object(let object):
            let constants = object.properties.compactMap { property -> String? in
                guard case .enumeration(let list) = resolver.resolveReferences(property.schema) else { return nil }
                return list.constant?.text
            }
            return constants.first ?? "object"
        case .union: return "union"
        case .reference(let target): return SchemaPlaces.name(of: target.node)
        }
    }
}

extension UnionDecision {
    /// The members whose only text decides for a branch.
    fileprivate func tags(of branch: Int) -> Set<TypeBuilder.Tag> {
        switch self {
        case .kinds(let cases): return cases.reduce(into: []) { $0.formUnion($1.decision.tags(of: branch)) }
        case .member(let path, let cases, _):
            return cases.reduce(into: []) { tags, item in
                tags.formUnion(item.decision.tags(of: branch))
                guard case .branch(branch) = item.decision, item.texts.count == 1 else { return }
                tags.insert(TypeBuilder.Tag(path: path, value: item.texts[0]))
            }
        case .branch, .other, .texts, .attempts, .memberKind, .presence, .element, .bestMatch: return []
        }
    }
}
