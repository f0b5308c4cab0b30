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

    /// The types that the class of the API can contain beside its requests.
    private static let namesInClass: Set<String> = ["Server", "Webhook"]

    /// - Parameters:
    ///   - api: The name of the API's class; `nil` if it is not written.
    ///   - contents: The types that the class contains beside its requests.
    func assign(to requests: inout [RequestModel], api: String?, contents: Set<String>) {
        let own = contents.union(requests.flatMap(\.ownTypes))
        for declaration in types.declarations { declaration.name = name(ofCustom: declaration, besides: own) }
        let api = Set(api.map { [$0] } ?? [])
        // A declaration with the name of a custom type would hide it.
        let custom = Set(types.declarations.compactMap { $0.custom?.type.names.first })
        var moduleScope = NameScope(reserved: custom.union(api).union([module]))
        let all = types.written.map { (isExact: isExact($0), declaration: $0) }.sorted { left, right in
            guard left.isExact == right.isExact else { return left.isExact }
            let (left, right) = (left.declaration, right.declaration)
            return (left.wantedName, left.node.file.path, left.node.offset)
                < (right.wantedName, right.node.file.path, right.node.offset)
        }.map(\.declaration)
        for declaration in all where declaration.owner == .module {
            declaration.name = moduleScope.unique(
                names[declaration.node.pointer] ?? prefix + typeName(declaration.wantedName, "Model"))
        }
        var requestScope = NameScope(reserved: Self.namesInClass.union(custom).union(api).union([module]))
        for index in requests.indices.sorted(by: { requests[$0].wantedName < requests[$1].wantedName }) {
            let given = names[requests[index].operation.node.pointer]
            requests[index].name = requestScope.unique(given ?? typeName(requests[index].wantedName, "Request"))
            assignMembers(of: &requests[index])
        }
        let contents = requests.compactMap(\.pages?.contents)
        let pages = Dictionary(contents.map { ($0.declaration, $0) }) { first, _ in first }
        var nested: [Declaration.Owner: NameScope] = [:]
        for declaration in all where declaration.owner != .module {
            // A type with the name of the module would hide it, and with it all types that are qualified by it.
            var reserved = custom.union(["CodingKeys", module])
            var hidden: Set<String> = []
            switch declaration.owner {
            case .module: break
            case .declaration(let id):
                reserved.insert(types.declarations[id].name)
                if pages[id] != nil { hidden = ReservedNames.inPages }
            case .request(let index):
                reserved.insert(requests[index].name)
                reserved.formUnion(requests[index].ownTypes)
            }
            let usual = typeName(declaration.wantedName, "Model")
            let name = names[declaration.node.pointer] ?? (hidden.contains(usual) ? usual + "Model" : usual)
            declaration.name = nested[declaration.owner, default: NameScope(reserved: reserved)].unique(name)
        }
        // A name without letters of two cases, such as `3D`, is the same for a member and for a nested type.
        let nestedNames = Dictionary(grouping: all, by: \.owner).mapValues { Set($0.map(\.name)) }
        for declaration in all {
            let page = pages[declaration.id].map { names(of: $0, in: declaration) } ?? []
            assignMembers(of: declaration, besides: page.union(nestedNames[.declaration(declaration.id)] ?? []))
        }
    }

    /// The name of a custom type, or an empty name for another declaration. The class and its requests contain types
    /// that the name can clash with: the module distinguishes it from them.
    private func name(ofCustom declaration: Declaration, besides own: Set<String>) -> String {
        guard let type = declaration.custom?.type else { return "" }
        guard let first = type.names.first, own.contains(first), first != type.module else { return type.type }
        if let module = type.module { return "\(module).\(type.type)" }
        let message = "the custom type \"\(type.type)\" has the name of a type that generated code contains"
        types.reader.report(
            .error, .configuration, "\(message); rename it, or give its module with `import`", declaration.node)
        return type.type
    }

    /// The names that the conformance of a page declares.
    private func names(of contents: PageModel.Contents, in page: Declaration) -> Set<String> {
        guard contents.next != nil || contents.usesLastID else {
            return contents.flag == nil && contents.total == nil ? ["pageItems"] : ["pageItems", "pageInfo"]
        }
        guard case .structure(let structure) = page.content, contents.flag == nil,
            let next = structure.properties.first(where: { contents.next == [$0.jsonName] }), types.isText(next.type),
            next.isNullable ? !page.isSent : !next.isAlwaysPresent(in: page)
        else { return ["pageItems", "nextCursor"] }
        // A property of this name is the next cursor itself.
        return SwiftName.member(next.jsonName) == "nextCursor" ? ["pageItems"] : ["pageItems", "nextCursor"]
    }

    /// Whether a declaration has the name of the configuration, or that of the document without a change. Such a name
    /// does not yield to other spellings.
    private func isExact(_ declaration: Declaration) -> Bool {
        names[declaration.node.pointer] != nil || typeName(declaration.wantedName, "Model") == declaration.wantedName
    }

    private func typeName(_ text: String, _ suffix: String) -> String {
        let name = SwiftName.type(text)
        return ReservedNames.types.contains(name) ? name + suffix : name
    }

    private func assignMembers(of declaration: Declaration, besides types: Set<String>) {
        switch declaration.content {
        case .structure(var structure):
            var scope = NameScope(reserved: types.union(structure.additional == nil ? [] : ["additional"]))
            let wanted = structure.properties.map { property in
                let given = names["\(declaration.node.pointer)/properties/\(property.jsonName.escapedToken)"]
                let name = given ?? SwiftName.member(property.jsonName)
                return (isExact: given != nil || name.bare == property.jsonName, name: name)
            }
            for index in wanted.indices.sorted(by: { left, right in
                guard wanted[left].isExact == wanted[right].isExact else { return wanted[left].isExact }
                return structure.properties[left].jsonName < structure.properties[right].jsonName
            }) {
                let text = structure.properties[index].jsonName
                structure.properties[index].name = scope.unique(wanted[index].name, of: text)
            }
            // The storage of a property is another member of the struct.
            for index in structure.properties.indices {
                let name = structure.properties[index].name
                let stored = "stored" + name.bare.prefix(1).uppercased() + name.bare.dropFirst()
                structure.properties[index].storedName =
                    structure.properties[index].isIndirect ? scope.unique(stored) : name
            }
            declaration.content = .structure(structure)
        case .union(var union):
            // A struct of its branches has no case for others.
            var scope = NameScope(reserved: union.isCombined ? types : types.union(["other"]))
            for index in union.cases.indices {
                union.cases[index].name = scope.unique(SwiftName.member(union.cases[index].wantedName))
            }
            declaration.content = .union(union)
        case .errors(var documents):
            var scope = NameScope(reserved: types.union(["document"]))
            for index in documents.indices { documents[index].name = scope.unique(documents[index].caseName) }
            declaration.content = .errors(documents)
        case .pending, .enumeration, .alias: break
        }
    }

    /// Names the parameters of a request. If parameters in several places have one name, the one in the path keeps it,
    /// and the others begin with their places: `name`, `queryName`, `headerName`.
    private func assignMembers(of request: inout RequestModel) {
        var scope = NameScope()
        var ranks: [String: Int] = [:]
        let wanted = request.parameters.map { SwiftName.member($0.jsonName) }
        let places = request.parameters.map(\.purpose.place)
        let keys = wanted.indices.map { index in
            (places[index].rank, wanted[index].bare == request.parameters[index].jsonName ? 0 : 1, index)
        }
        for index in wanted.indices.sorted(by: { keys[$0] < keys[$1] }) {
            let (place, json) = (places[index], request.parameters[index].jsonName)
            let isTaken = ranks[wanted[index].bare].map { $0 != place.rank } ?? false
            request.parameters[index].name =
                isTaken
                ? scope.unique(SwiftName.member("\(place.name)-\(json)")) : scope.unique(wanted[index], of: json)
            ranks[wanted[index].bare] = ranks[wanted[index].bare] ?? place.rank
        }
    }

    /// The names of the values of an enumeration, in its order.
    ///
    /// - Parameter type: The name of the enumeration, which no value has: a constant would hide its own type.
    static func names(of list: Enumeration, in type: String) -> [String] {
        let texts = list.values.map { value -> String in
            if let name = value.name { return name }
            guard case .number(let text) = value.node.content else {
                return value.node.text ?? Documentation.literal(value.node)
            }
            return text.hasPrefix("-") ? "minus-\(text.dropFirst())" : "_\(text)"
        }
        return names(of: texts, values: list.values.map { $0.node.text ?? "" }, in: type)
    }

    /// The names of texts that become cases, in their order.
    ///
    /// - Parameter values: What decides between texts that would have the same name.
    static func names(of texts: [String], values: [String], in type: String) -> [String] {
        var scope = NameScope(reserved: ["allCases", "rawValue", type.bare])
        var names = Array(repeating: "", count: texts.count)
        var wanted = texts.map(SwiftName.member)
        let counts = Dictionary(wanted.map { ($0, 1) }, uniquingKeysWith: +)
        for index in wanted.indices where counts[wanted[index], default: 0] > 1 {
            wanted[index] = SwiftName.member(SwiftName.spelled(texts[index]))
        }
        let keys = texts.indices.map { index in
            (wanted[index].bare == texts[index] ? 0 : 1, wanted[index], values[index])
        }
        for index in names.indices.sorted(by: { keys[$0] < keys[$1] }) {
            // `.none` of an optional value would be `nil`.
            names[index] = scope.unique(wanted[index] == "none" ? "none_" : wanted[index])
        }
        return names
    }
}

extension RequestModel.Parameter.Purpose {
    /// The place of the value in a request, and its rank among those with one name.
    fileprivate var place: (rank: Int, name: String) {
        switch self {
        case .path: (0, "path")
        case .body: (1, "body")
        case .query: (2, "query")
        case .header: (3, "header")
        case .cookie: (4, "cookie")
        case .part: (5, "part")
        case .partHeader: (6, "partHeader")
        case .json(let location): (location == .header ? 3 : location == .cookie ? 4 : 2, location.rawValue)
        }
    }
}
