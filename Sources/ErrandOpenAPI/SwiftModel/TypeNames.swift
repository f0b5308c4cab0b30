/// The texts of types, as seen from where they are used.
struct TypeNames {
    private let declarations: [Declaration]
    private let requestNames: [String]
    private let module: String
    private let api: String
    /// Whether the names of the module's types have that of the module: other modules can have the same ones.
    var isQualified = false
    /// The names of the types that an owner contains.
    private let nested: [Declaration.Owner: Set<String>]

    init(_ types: TypeBuilder, _ requests: [RequestModel], module: String, api: String) {
        declarations = types.declarations
        requestNames = requests.map(\.name)
        self.module = module
        self.api = api
        var nested: [Declaration.Owner: Set<String>] = [:]
        for declaration in types.declarations where declaration.owner != .module && declaration.isWritten {
            nested[declaration.owner, default: []].insert(declaration.name)
        }
        for request in requests {
            nested[.request(request.index), default: []].formUnion(request.ownTypes)
        }
        self.nested = nested
        requestSet = Set(requestNames).union(["Server", "Webhook"])
    }

    /// The names of the types in the API's class.
    private let requestSet: Set<String>

    func text(_ type: SwiftType, in scope: Declaration.Owner) -> String {
        switch type {
        case .string: "String"
        case .bool: "Bool"
        case .int: "Int"
        case .int64: "Int64"
        case .uint64: "UInt64"
        case .double: "Double"
        case .decimal: "Decimal"
        case .date: "Date"
        case .calendarDate: "CalendarDate"
        case .uuid: "UUID"
        case .url: "URL"
        case .data: "Data"
        case .json: "JSONValue"
        case .upload: "Upload"
        case .array(let element): "[\(text(element, in: scope))]"
        case .dictionary(let value): "[String: \(text(value, in: scope))]"
        case .optional(let value): "\(text(value, in: scope))?"
        case .nullable(let value): "Nullable<\(text(value, in: scope))>"
        case .declared(let id): name(of: id, in: scope)
        }
    }

    /// The name of a declaration with those of its owners, as far as the scope needs them.
    private func name(of id: Int, in scope: Declaration.Owner) -> String {
        var parts = [declarations[id].name]
        if declarations[id].custom != nil { return parts[0] }
        var owner = declarations[id].owner
        let scopes = scopes(around: scope)
        // In its owner, a type needs only its own name, unless a type between them has the same.
        if owner != .module, let place = scopes.firstIndex(of: owner),
            !scopes[..<place].contains(where: { nested[$0]?.contains(parts[0]) == true || name(of: $0) == parts[0] })
        {
            return parts[0]
        }
        while case .declaration(let id) = owner {
            parts.insert(declarations[id].name, at: 0)
            owner = declarations[id].owner
        }
        if case .request(let index) = owner {
            if !scopes.contains(owner) { parts = (isQualified ? [module] : []) + [api, requestNames[index]] + parts }
            return parts.joined(separator: ".")
        }
        // A nested type or a request with the same name would be found first.
        let isHidden = scopes.contains { scope in
            switch scope {
            case .module: false
            case .declaration(let inner):
                nested[scope]?.contains(parts[0]) == true
                    || declarations[inner].name == parts[0] && declarations[inner].owner != .module
            case .request: nested[scope]?.contains(parts[0]) == true || requestSet.contains(parts[0])
            }
        }
        return (isHidden || isQualified ? [module] + parts : parts).joined(separator: ".")
    }

    private func name(of scope: Declaration.Owner) -> String? {
        guard case .declaration(let id) = scope else { return nil }
        return declarations[id].name
    }

    private func scopes(around scope: Declaration.Owner) -> [Declaration.Owner] {
        var scopes = [scope]
        while case .declaration(let id)? = scopes.last {
            scopes.append(declarations[id].owner)
            // An extension sees the types in the one that it extends, and none of those around that.
            if declarations[id].isInExtension { break }
        }
        return scopes
    }
}
