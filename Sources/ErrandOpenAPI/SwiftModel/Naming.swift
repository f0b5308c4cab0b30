/// Gives every declaration, request and member its name in Swift.
struct Naming {
    private let types: TypeBuilder
    private let module: String
    /// The Swift names of the configuration, by the pointers of what they name.
    private let names: [String: String]
    private let prefix: String

    init(_ types: TypeBuilder, module: String, prefix: String, names: [String: String]) {
        self.types = types
        self.module = module
        self.prefix = prefix
        self.names = names
    }

    /// The types that the class of the API contains beside its requests.
    private static let namesInClass: Set<String> = ["Server", "Webhook"]

    func assign(to requests: inout [RequestModel], api: String) {
        var moduleScope = NameScope(reserved: [api, module])
        let all = types.declarations.sorted {
            ($0.wantedName, $0.node.file.path, $0.node.offset) < ($1.wantedName, $1.node.file.path, $1.node.offset)
        }
        for declaration in all where declaration.owner == .module {
            declaration.name = moduleScope.unique(
                names[declaration.node.pointer] ?? prefix + typeName(declaration.wantedName, "Model"))
        }
        var requestScope = NameScope(reserved: Self.namesInClass.union([api, module]))
        for index in requests.indices.sorted(by: { requests[$0].wantedName < requests[$1].wantedName }) {
            let given = names[requests[index].operation.node.pointer]
            requests[index].name = requestScope.unique(given ?? typeName(requests[index].wantedName, "Request"))
            assignMembers(of: &requests[index])
        }
        var nested: [Declaration.Owner: NameScope] = [:]
        for declaration in all where declaration.owner != .module {
            // A type with the name of the module would hide it, and with it all types that are qualified by it.
            var reserved: Set<String> = ["CodingKeys", module]
            switch declaration.owner {
            case .module: break
            case .declaration(let id): reserved.insert(types.declarations[id].name)
            case .request(let index):
                reserved.insert(requests[index].name)
                if case .cases = requests[index].output { reserved.insert("Response") }
            }
            let name = names[declaration.node.pointer] ?? typeName(declaration.wantedName, "Model")
            declaration.name = nested[declaration.owner, default: NameScope(reserved: reserved)].unique(name)
        }
        // A name without letters of two cases, such as `3D`, is the same for a member and for a nested type.
        let nestedNames = Dictionary(grouping: all, by: \.owner).mapValues { Set($0.map(\.name)) }
        let contents = requests.compactMap(\.pages?.contents)
        let pages = Dictionary(contents.map { ($0.declaration, $0) }) { first, _ in first }
        for declaration in all {
            let page = pages[declaration.id].map { names(of: $0, in: declaration) } ?? []
            assignMembers(of: declaration, besides: page.union(nestedNames[.declaration(declaration.id)] ?? []))
        }
    }

    /// The names that the conformance of a page declares.
    private func names(of contents: PageModel.Contents, in page: Declaration) -> Set<String> {
        guard contents.next != nil || contents.usesLastID else {
            return contents.flag == nil ? ["pageItems"] : ["pageItems", "pageInfo"]
        }
        guard case .structure(let structure) = page.content, contents.flag == nil,
            let next = structure.properties.first(where: { contents.next == [$0.jsonName] }), types.isText(next.type),
            next.isNullable ? !page.isSent : !next.isAlwaysPresent(in: page)
        else { return ["pageItems", "nextCursor"] }
        // A property of this name is the next cursor itself.
        return SwiftName.member(next.jsonName) == "nextCursor" ? ["pageItems"] : ["pageItems", "nextCursor"]
    }

    private func typeName(_ text: String, _ suffix: String) -> String {
        let name = SwiftName.type(text)
        return ReservedNames.types.contains(name) ? name + suffix : name
    }

    private func assignMembers(of declaration: Declaration, besides types: Set<String>) {
        switch declaration.content {
        case .structure(var structure):
            var scope = NameScope(reserved: types.union(structure.additional == nil ? [] : ["additional"]))
            for index in structure.properties.indices.sorted(by: {
                structure.properties[$0].jsonName < structure.properties[$1].jsonName
            }) {
                let property = structure.properties[index]
                let pointer = "\(declaration.node.pointer)/properties/\(property.jsonName.escapedToken)"
                structure.properties[index].name = scope.unique(names[pointer] ?? SwiftName.member(property.jsonName))
            }
            declaration.content = .structure(structure)
        case .union(var union):
            var scope = NameScope(reserved: types.union(["other"]))
            for index in union.cases.indices {
                union.cases[index].name = scope.unique(SwiftName.member(union.cases[index].wantedName))
            }
            declaration.content = .union(union)
        case .pending, .enumeration, .alias: break
        }
    }

    private func assignMembers(of request: inout RequestModel) {
        var scope = NameScope()
        for index in request.parameters.indices {
            request.parameters[index].name = scope.unique(SwiftName.member(request.parameters[index].jsonName))
        }
    }

    /// The names of the values of an enumeration, in its order.
    static func names(of list: Enumeration) -> [String] {
        var scope = NameScope(reserved: ["rawValue"])
        var names = Array(repeating: "", count: list.values.count)
        let wanted = list.values.map { value -> String in
            if let name = value.name { return SwiftName.member(name) }
            guard case .number(let text) = value.node.content else {
                return SwiftName.member(value.node.text ?? Documentation.literal(value.node))
            }
            return text.hasPrefix("-") ? SwiftName.member("minus-\(text.dropFirst())") : SwiftName.member("_\(text)")
        }
        for index in names.indices.sorted(by: {
            (wanted[$0], list.values[$0].node.text ?? "") < (wanted[$1], list.values[$1].node.text ?? "")
        }) {
            // `.none` of an optional value would be `nil`.
            names[index] = scope.unique(wanted[index] == "none" ? "none_" : wanted[index])
        }
        return names
    }
}
