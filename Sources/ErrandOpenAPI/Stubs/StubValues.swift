/// Values for the bodies of stubbed responses: the examples of the document that a type can decode, or values made from
/// its schema.
///
/// A value that is made has the required members of its objects, and the optional ones of its outermost levels. It ends
/// at the first place where a type that contains itself may be left out. The same document always leads to the same
/// values.
final class StubValues {
    private struct Key: Hashable {
        let declaration: Int
        let level: Int
    }

    private let types: TypeBuilder
    private let samples: Samples
    private let origin: Node
    /// The values of declarations; `nil` for those that have none.
    private var known: [Key: Node?] = [:]
    /// The declarations of the values that are being made.
    private var open: Set<Int> = []
    /// The values that could not be made because declarations are open, with these declarations.
    private var missing: [Key: Set<Int>] = [:]
    /// The open declarations in which the present value would contain itself.
    private var met: Set<Int> = []
    /// The number of declarations that may still be tried for a value.
    private var steps = 0
    /// The largest number of parts of a value with optional members, and of one without them.
    private static let maximumSize = 200
    private static let maximumRequiredSize = 4_000
    /// The number of declarations that are tried for a value.
    private static let maximumSteps = 2_000
    /// The number in ``met`` that stands for the end of the steps.
    private static let exhausted = -1
    /// The number of branches of a union that are tried.
    private static let triedBranches = 20
    /// The number of objects in each other that have their optional members.
    private static let optionalLevels = 3

    init(_ client: ClientModel, _ samples: Samples) {
        types = client.types
        self.samples = samples
        origin = client.document.root
    }

    /// Returns a value of a type; `nil` if it would be too large.
    ///
    /// - Parameters:
    ///   - schema: The schema of the type, with examples and limits.
    ///   - examples: The examples of the media type.
    ///   - pages: The members of a page. A stub has one page, and its value says that there are no others.
    func value(
        _ type: SwiftType, _ schema: Schema?, examples: [Node], pages: PageModel.Contents? = nil
    ) -> Node? {
        if let example = examples.first(where: { samples.decodes($0, type) }) { return last(example, type, pages) }
        for level in (0...Self.optionalLevels).reversed() {
            missing = [:]
            met = []
            steps = Self.maximumSteps
            guard let value = make(type, schema, level), samples.decodes(value, type) else { continue }
            if value.size <= Self.maximumSize || level == 0 { return last(value, type, pages) }
        }
        return nil
    }

    /// Returns a page that says that it is the last one.
    private func last(_ page: Node, _ type: SwiftType, _ contents: PageModel.Contents?) -> Node {
        guard let contents else { return page }
        var (flagged, next) = (page, contents.next)
        switch contents.flag?.kind {
        case .next: next = contents.flag?.path
        case let kind?: flagged = page.replacing(contents.flag?.path[...] ?? [], with: node(.bool(kind == .last)))
        case nil: break
        }
        guard let next else { return flagged }
        let pages = [nil, node(.null), node(.string(""))].lazy.map { flagged.replacing(next[...], with: $0) }
        return pages.first { self.samples.decodes($0, type) } ?? flagged
    }

    /// Returns the text of a value without parts, for a header field or a body that is a text.
    func text(_ schema: Schema?) -> String {
        let rules = ScalarRules(schema?.node, types.reader)
        if let text = rules.candidates.lazy.compactMap(\.text).first { return text }
        guard let target = schema.flatMap(types.reader.schemas.target) else { return "text" }
        let described = target.keys
        if let constant = described.constants?.first?.text { return constant }
        switch described.kinds.first {
        case .integer: return rules.integer
        case .number: return rules.number
        case .boolean: return "true"
        case .array: return text(described.items)
        case .string, .object, .null, nil: return rules.text()
        }
    }

    // MARK: Types

    /// - Parameter name: The text of a string without a format.
    private func make(_ type: SwiftType, _ schema: Schema?, _ level: Int, named name: String = "text") -> Node? {
        if case .optional(let value) = type { return make(value, schema, level, named: name) }
        if case .nullable(let value) = type { return make(value, schema, level, named: name) }
        let rules = ScalarRules(schema?.node, types.reader)
        if let example = rules.candidates.first(where: { samples.decodes($0, type) }), example.size < 1_000 {
            return example
        }
        switch type {
        case .string: return node(.string(rules.text(named: name)))
        case .bool: return node(.bool(true))
        case .int, .int64, .uint64: return node(.number(rules.integer))
        case .double, .decimal: return node(.number(rules.number))
        case .date: return node(.string("2026-01-15T09:30:00Z"))
        case .calendarDate: return node(.string("2026-01-15"))
        case .uuid: return Samples.texts["uuid"].map { node(.string($0)) }
        case .url: return Samples.texts["url"].map { node(.string($0)) }
        case .data: return node(.string("AAEC"))
        case .json: return node(.string("any"))
        case .upload, .optional, .nullable: return node(.null)
        case .array(let element):
            guard let value = make(element, part(of: schema), level) else { return node(.array([])) }
            // Arrays in arrays multiply their lengths.
            let count = min(rules.minimumItems, Self.maximumSize / max(1, value.size))
            return node(.array(Array(repeating: value, count: max(1, count))))
        case .dictionary(let value):
            guard let value = make(value, part(of: schema), level) else { return node(.object([])) }
            return object([("key", value)])
        case .declared(let id): return make(declaration: id, level)
        }
    }

    /// The schema of the elements of an array or of the values of a dictionary.
    private func part(of schema: Schema?) -> Schema? {
        switch schema.map(types.resolver.resolveReferences) {
        case .array(let element): element
        case .dictionary(let value): value
        default: nil
        }
    }

    private func make(declaration id: Int, _ level: Int) -> Node? {
        let key = Key(declaration: id, level: level)
        if let known = known[key] { return known }
        if let declarations = missing[key] {
            met.formUnion(declarations)
            return nil
        }
        guard steps > 0, open.insert(id).inserted else {
            met.insert(steps > 0 ? id : Self.exhausted)
            return nil
        }
        steps -= 1
        let outer = met
        met = []
        let declaration = types.declarations[id]
        let rules = ScalarRules(declaration.node, types.reader)
        let example =
            samples.sample(declaration)
            ?? rules.candidates.first { $0.size < 1_000 && samples.decodes($0, .declared(id)) }
        let value = example ?? make(declaration, level)
        open.remove(id)
        met.remove(id)
        // A value that could not be made because this declaration was open may now be possible.
        missing = missing.filter { !$0.value.contains(id) }
        if value != nil || met.isEmpty { known[key] = .some(value) } else { missing[key] = met }
        met.formUnion(outer)
        return value
    }

    private func make(_ declaration: Declaration, _ level: Int) -> Node? {
        switch declaration.content {
        case .pending: return nil
        case .alias(let type): return make(type, declaration.schema, level)
        case .enumeration(let list): return list.values.first?.node
        case .structure(let structure): return make(structure, of: declaration, level)
        case .errors(let documents): return documents.first.flatMap { make($0.type, nil, level) }
        case .union(let union):
            var branches: [Union.Branch] = []
            if case .union(let shape)? = declaration.schema.map(types.resolver.resolveReferences) {
                branches = shape.branches
            }
            // Without optional members, fewer facts lead to another branch.
            let values = (level == 0 ? [0] : [level, 0]).lazy.flatMap { level in
                union.cases.prefix(Self.triedBranches).lazy.compactMap { item in
                    let schema = branches.indices.contains(item.branch) ? branches[item.branch].schema : nil
                    return self.make(item, schema, level)
                }
            }
            return values.first { self.samples.decodes($0, .declared(declaration.id)) }
        }
    }

    private func make(_ item: Declaration.UnionModel.Case, _ schema: Schema?, _ level: Int) -> Node? {
        guard let value = make(item.type, schema, level) else { return nil }
        guard let tag = item.tag, value.isObject, value[tag.property] == nil else { return value }
        return object([(tag.property, node(.string(tag.value)))] + value.members.map { ($0.key, $0.value) })
    }

    private func make(_ structure: Declaration.Structure, of declaration: Declaration, _ level: Int) -> Node? {
        var values: [String: Node] = [:]
        var size = 0
        for property in structure.properties where property.isRequired {
            let isNeeded = property.isAlwaysPresent(in: declaration)
            guard isNeeded || !property.isWriteOnly else { continue }
            guard let value = make(property, max(0, level - 1)) else {
                if property.isNullable, property.type != .json || !isNeeded {
                    values[property.jsonName] = node(.null)
                    continue
                }
                guard isNeeded else { continue }
                return nil
            }
            values[property.jsonName] = value
            size += value.size
            guard size < Self.maximumRequiredSize else { return nil }
        }
        for property in structure.properties where level > 0 && !property.isRequired && !property.isWriteOnly {
            guard size < Self.maximumSize else { break }
            guard let value = make(property, level - 1), size + value.size <= Self.maximumSize else { continue }
            values[property.jsonName] = value
            size += value.size
        }
        return object(
            structure.properties.compactMap { property in values[property.jsonName].map { (property.jsonName, $0) } })
    }

    private func make(_ property: Declaration.Property, _ level: Int) -> Node? {
        property.constant ?? make(property.type, property.schema, level, named: property.jsonName)
    }

    // MARK: Nodes

    private func node(_ content: Node.Content) -> Node { Node(content, like: origin) }

    private func object(_ members: [(String, Node)]) -> Node {
        node(.object(members.map { Node.Member(key: $0, offset: 0, value: $1) }))
    }
}

extension Node {
    /// This value with another member at the end of a path, or without it.
    fileprivate func replacing(_ path: ArraySlice<String>, with value: Node?) -> Node {
        guard let name = path.first, isObject else { return self }
        let rest = path.dropFirst()
        let kept = members.compactMap { member -> Member? in
            guard member.key == name else { return member }
            let new = rest.isEmpty ? value : member.value.replacing(rest, with: value)
            return new.map { Member(key: name, offset: member.offset, value: $0) }
        }
        return Node(.object(kept), like: self)
    }
}
