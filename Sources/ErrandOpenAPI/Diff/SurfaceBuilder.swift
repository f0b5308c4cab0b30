/// Lists what code can refer to in a client.
struct SurfaceBuilder {
    let client: ClientModel
    let names: SurfaceNames
    var surface = Surface()
    var reader: DocumentReader { client.document.reader }

    init(_ client: ClientModel, _ names: SurfaceNames) {
        self.client = client
        self.names = names
    }

    /// Returns the declarations of a client.
    static func surface(of client: ClientModel, _ names: SurfaceNames) -> Surface {
        var builder = SurfaceBuilder(client, names)
        builder.addClass()
        for request in client.requests { builder.add(request) }
        for declaration in client.types.written { builder.add(declaration) }
        for declaration in client.types.declarations {
            if let custom = declaration.custom { builder.add(custom, of: declaration) }
        }
        for contents in Set(client.requests.compactMap(\.pages?.contents)) { builder.addConformance(of: contents) }
        return builder.surface
    }

    mutating func add(
        _ key: String, in owner: String? = nil, _ kind: Surface.Item.Kind, _ node: Node, _ facts: [Fact] = []
    ) {
        surface.add(key, Surface.Item(name: names.shown(key), owner: owner, kind: kind, node: node, facts: facts))
    }

    // MARK: Parameters

    /// A parameter of a function.
    struct Parameter {
        let label: String
        let type: Surface.TypeText
        let isRequired: Bool
        let node: Node
        var facts: [Fact] = []
        var property: String?
    }

    /// Adds the parameters of an initializer, in the order of generated code: those without a default come first.
    mutating func add(_ parameters: [Parameter], of function: String, in owner: String) {
        add(ordered: parameters.filter(\.isRequired) + parameters.filter { !$0.isRequired }, of: function, in: owner)
    }

    mutating func add(ordered: [Parameter], of function: String, in owner: String) {
        let keys = ordered.map { "\(function)(\($0.label):)" }
        for (key, parameter) in zip(keys, ordered) {
            let kind = Surface.Item.Kind.parameter(
                parameter.type, isRequired: parameter.isRequired, property: parameter.property)
            add(key, in: owner, kind, parameter.node, parameter.facts)
        }
        surface.add(parameters: keys, of: function)
    }

    // MARK: Types

    private mutating func add(_ declaration: Declaration) {
        let key = names.types[declaration.id]
        let owner = key.lastIndex(of: ".").map { String(key[..<$0]) }
        let parent = declaration.owner == .module ? nil : owner
        switch declaration.content {
        case .pending: break
        case .structure(let structure):
            add(key, in: parent, .type("a struct"), declaration.node)
            add(structure, of: declaration, key)
        case .enumeration(let list):
            let raw = list.kind == .string ? "String" : list.kind == .integer ? "Int" : "JSONValue"
            let isClosed = client.options.closed.contains(declaration.node.pointer) && list.kind == .string
            add(key, in: parent, .type(isClosed ? "a closed enum" : "an open enum of `\(raw)`"), declaration.node)
            for (name, value) in zip(Naming.names(of: list, in: declaration.name), list.values) {
                let type = Surface.TypeText(key)
                let fact = Fact(label: "is", value: "`\(Documentation.literal(value.node))`")
                add("\(key).\(name.bare)", in: key, isClosed ? .enumCase(nil) : .constant(type), value.node, [fact])
            }
        case .union(let union):
            add(key, in: parent, .type("an enum"), declaration.node)
            for item in union.cases {
                let fact = Fact(label: "is the case", value: union.decision.conditions(of: item.branch))
                add(
                    "\(key).\(item.name.bare)", in: key, .enumCase(names.text(item.type)), declaration.node,
                    [fact] + customValues(in: item.type))
            }
        case .errors(let documents):
            add(key, in: parent, .type("an enum"), declaration.node)
            for document in documents {
                let fact = Fact(label: "is the document of", value: document.status)
                let type = names.text(document.type)
                add("\(key).\(document.name.bare)", in: key, .enumCase(type), declaration.node, [fact])
            }
        case .alias(let type):
            add(key, in: parent, .alias(names.text(type)), declaration.node, customValues(in: type))
        }
    }

    private mutating func add(_ structure: Declaration.Structure, of declaration: Declaration, _ key: String) {
        var parameters: [Parameter] = []
        for property in structure.properties {
            let property = (key: "\(key).\(property.name.bare)", model: property)
            let type = property.model.type(in: declaration)
            let text = names.text(type)
            let schema = reader.schemas.target(of: property.model.schema)
            let member = Fact(label: "is", value: "the member `\(property.model.jsonName)`")
            let limits = declaration.isSent && !property.model.isReadOnly ? Fact.limits(of: schema) : []
            add(
                property.key, in: key, .property(text), property.model.schema.node,
                [member] + limits + customValues(in: type))
            let constant = type.isOptional || property.model.isNullable ? nil : property.model.constant
            parameters.append(
                Parameter(
                    label: property.model.name.bare, type: text, isRequired: !type.isOptional && constant == nil,
                    node: property.model.schema.node, facts: [Self.defaultValue(constant)], property: property.key))
        }
        if let additional = structure.additional {
            let text = names.text(.dictionary(additional))
            add(
                "\(key).additional", in: key, .property(text), declaration.node, customValues(in: additional))
            parameters.append(
                Parameter(
                    label: "additional", type: text, isRequired: false, node: declaration.node,
                    property: "\(key).additional"))
        }
        add(parameters, of: "\(key).init", in: key)
    }

    static func defaultValue(_ constant: Node?) -> Fact {
        Fact(label: "is by default", value: constant.map { "`\(Documentation.literal($0))`" } ?? "", rule: .replacement)
    }

    // MARK: Pages

    /// Adds the conformance of a page.
    private mutating func addConformance(of contents: PageModel.Contents) {
        let page = client.types.declarations[contents.declaration]
        let key = names.types[page.id]
        let hasCursor = contents.next != nil || contents.usesLastID
        let kind = Surface.Item.Kind.conformance(hasCursor ? "CursorPage" : "PageContent")
        let conformance = "\(key): page"
        surface.add(conformance, Surface.Item(name: names.shown(key), owner: key, kind: kind, node: page.node))
        guard let items = type(at: contents.items, of: page) else { return }
        add("\(key).pageItems", in: conformance, .property(names.text(items)), page.node)
    }

    private func type(at path: [String], of page: Declaration) -> SwiftType? {
        var type = SwiftType.declared(page.id)
        for name in path {
            guard case .declared(let id) = client.types.aliased(type), let structure = client.types.structure(id),
                let property = structure.properties.first(where: { $0.jsonName == name })
            else { return nil }
            type = property.type
        }
        return type
    }
}

extension UnionDecision {
    /// What leads to a branch, for messages; empty if nothing does.
    fileprivate func conditions(of branch: Int) -> String {
        func list(_ words: [String]) -> String { words.map { "`\($0)`" }.joined(separator: " or ") }
        func nested(_ cases: [(words: String, decision: UnionDecision)]) -> String {
            let found = cases.compactMap { item -> String? in
                if case .branch(branch) = item.decision { return item.words }
                let rest = item.decision.conditions(of: branch)
                return rest.isEmpty ? nil : "\(item.words) and \(rest)"
            }
            return found.joined(separator: ", or ")
        }
        switch self {
        case .branch(let index): return index == branch ? "of any value" : ""
        case .other: return ""
        case .kinds(let cases):
            return nested(cases.map { ("of \(list($0.kinds.map(\.rawValue)))", $0.decision) })
        case .member(let path, let cases, let otherwise):
            let name = path.joined(separator: ".")
            return nested(
                cases.map { ("with `\(name)` \(list($0.texts))", $0.decision) }
                    + [("with another `\(name)`", otherwise)])
        case .texts(let cases, let otherwise):
            return nested(cases.map { ("of \(list($0.texts))", $0.decision) } + [("of another text", otherwise)])
        case .attempts(let list):
            guard let index = list.firstIndex(of: branch) else { return "" }
            return index == 0 ? "if it decodes the value" : "if none of \(index) other types decodes the value"
        case .memberKind(let name, let cases):
            return nested(cases.map { ("with a `\(name)` of \(list($0.kinds.map(\.rawValue)))", $0.decision) })
        case .presence(let name, let present, let absent):
            return nested([("with `\(name)`", present), ("without `\(name)`", absent)])
        case .element(let decision, _): return nested([("with an element", decision)])
        case .bestMatch(let list): return list.contains { $0.branch == branch } ? "with most of its members" : ""
        }
    }
}
