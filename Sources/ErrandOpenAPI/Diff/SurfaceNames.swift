/// The keys of a client's types and requests: their qualified names in Swift. A type and a request with the same name
/// have different keys.
struct SurfaceNames {
    /// The owner of what the class of the API contains, except for its requests.
    static let api = "@api"
    /// The function that returns a service.
    static let service = "@service"
    private static let request = "@request."

    /// Another name for the same part of a document.
    struct Rename {
        let old: String
        let new: String
        let places: (old: Node, new: Node)
    }

    private let client: ClientModel
    /// The names of the types of the module.
    private let schemas: Set<String>
    private(set) var types: [String]
    private(set) var requests: [String]

    init(_ client: ClientModel) {
        self.client = client
        schemas = Set(client.types.written.lazy.filter { $0.owner == .module }.map(\.name.bare))
        requests = client.requests.map { Self.request + $0.name.bare }
        types = []
        types = client.types.declarations.map { declaration in
            var parts = [declaration.name.bare]
            guard declaration.custom == nil else { return parts[0] }
            var owner = declaration.owner
            while case .declaration(let id) = owner {
                parts.insert(client.types.declarations[id].name.bare, at: 0)
                owner = client.types.declarations[id].owner
            }
            if case .request(let index) = owner { parts.insert(requests[index], at: 0) }
            return parts.joined(separator: ".")
        }
    }

    /// The name for messages. Requests are named without the class of the API, unless a schema has the same name.
    func shown(_ key: String) -> String {
        if key.hasPrefix(Self.request) {
            let name = String(key.dropFirst(Self.request.count))
            return schemas.contains(String(name.prefix { $0 != "." })) ? "\(client.className).\(name)" : name
        }
        if key.hasPrefix(Self.api) { return client.className + key.dropFirst(Self.api.count) }
        if key.hasPrefix(Self.service) { return "APIService.\(client.serviceName)" + key.dropFirst(Self.service.count) }
        return key
    }

    func text(_ type: SwiftType) -> Surface.TypeText {
        Surface.TypeText(shown: text(type, isFull: false), full: text(type, isFull: true))
    }

    private func text(_ type: SwiftType, isFull: Bool) -> String {
        switch isFull ? client.types.aliased(type) : type {
        case .array(let element): "[\(text(element, isFull: isFull))]"
        case .dictionary(let value): "[String: \(text(value, isFull: isFull))]"
        case .optional(let value): "\(text(value, isFull: isFull))?"
        case .nullable(let value): "Nullable<\(text(value, isFull: isFull))>"
        case .declared(let id): isFull ? types[id] : shown(types[id])
        case let scalar: client.names.text(scalar, in: .module)
        }
    }

    // MARK: Renames

    /// Finds the types and requests that have another name in a new client, and gives them these names.
    mutating func rename(like new: SurfaceNames) -> [Rename] {
        var renames: [Rename] = []
        let sent = Dictionary(new.client.requests.map { (Self.place($0), $0) }) { first, _ in first }
        var (taken, known) = (Set(new.requests), Set(requests))
        for request in client.requests {
            guard let other = sent[Self.place(request)] else { continue }
            let (old, now) = (requests[request.index], new.requests[other.index])
            guard !taken.contains(old), !known.contains(now) else { continue }
            renames.append(Rename(old: old, new: now, places: (request.operation.node, other.operation.node)))
        }
        for rename in renames { replace(rename.old, rename.new) }
        (taken, known) = (Set(new.types), Set(types))
        let root = new.client.document.root
        let others = new.client.types.written.filter { $0.isInDocument }
        let places = Dictionary(others.map { (Self.place($0.node, root), $0) }) { first, _ in first }
        // Owners come before the types in them, which are renamed with them.
        for declaration in client.types.written.sorted(by: { $0.depth < $1.depth }) {
            let old = types[declaration.id]
            guard !taken.contains(old), declaration.isInDocument else { continue }
            let place = Self.place(declaration.node, client.document.root)
            guard let other = places[place] ?? equal(to: declaration, in: new, besides: known) else { continue }
            let now = new.types[other.id]
            guard !known.contains(now) else { continue }
            renames.append(Rename(old: old, new: now, places: (declaration.node, other.node)))
            replace(old, now)
            known = Set(types)
        }
        return renames
    }

    private mutating func replace(_ old: String, _ new: String) {
        func replaced(_ key: String) -> String {
            key == old || key.hasPrefix(old + ".") ? new + key.dropFirst(old.count) : key
        }
        types = types.map(replaced)
        requests = requests.map(replaced)
    }

    /// The only new type with the same schema as one that does not exist any more.
    private func equal(to declaration: Declaration, in new: SurfaceNames, besides known: Set<String>) -> Declaration? {
        let equal = new.client.types.written.filter {
            $0.isInDocument && !known.contains(new.types[$0.id]) && $0.node.isEqual(to: declaration.node)
        }
        return equal.count == 1 ? equal.first : nil
    }

    /// The method and the path. The names of placeholders do not distinguish operations.
    private static func place(_ request: RequestModel) -> String {
        "\(request.operation.method) \(PathTemplate(request.operation.path).withoutNames)"
    }

    /// The pointer of a schema, with the name of its file if that is not the first one.
    private static func place(_ node: Node, _ root: Node) -> String {
        let file = node.file === root.file ? "" : node.file.path.split(separator: "/").last.map(String.init) ?? ""
        return file + node.pointer
    }
}

extension PathTemplate {
    /// The path with empty placeholders.
    var withoutNames: String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .name: "{}"
            }
        }.joined()
    }
}
