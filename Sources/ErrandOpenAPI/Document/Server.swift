/// A server that a document names.
struct Server {
    struct Variable {
        let name: String
        let values: [String]
        /// `nil` if the document does not give it.
        let defaultValue: String?
        let description: String?
    }

    let node: Node
    let url: String
    let name: String?
    let description: String?
    let variables: [Variable]

    /// Whether the URL can name a host. The scheme and the host may be variables.
    var isAbsolute: Bool { url.contains("://") || url.hasPrefix("{") }

    /// The path that the base URL of a service must end with, if the document does not know the host.
    var relativePath: String? { isAbsolute || url == "/" ? nil : url }

    /// The URL with the defaults of its variables. Those without a default stay as they are.
    var defaultURL: String {
        let defaults = Dictionary(variables.map { ($0.name, $0.defaultValue) }) { first, _ in first }
        return PathTemplate(url).pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .name(let name): defaults[name].flatMap(\.self) ?? "{\(name)}"
            }
        }.joined()
    }

    /// Whether the URL with the defaults can be used: each variable has one, and the URL names a host, which a default
    /// such as `{your-host}` is not.
    var isComplete: Bool {
        guard variables.allSatisfy({ $0.defaultValue != nil }),
            let start = defaultURL.firstRange(of: "://")?.upperBound
        else { return false }
        let host = defaultURL[start...].prefix { !"/?#".contains($0) }
        return !host.isEmpty && !host.contains { "{} <>".contains($0) }
    }

    /// The servers of a document, a path or an operation; `nil` if it does not have its own.
    static func all(of node: Node, _ reader: DocumentReader) -> [Server]? {
        guard let value = node["servers"], !value.isNull else { return nil }
        let servers = reader.elements(node, "servers").compactMap { Server($0, reader) }
        return servers.isEmpty ? nil : servers
    }

    private init?(_ node: Node, _ reader: DocumentReader) {
        guard reader.check(node, .server), let url = reader.requiredText(node, "url", of: "the server") else {
            return nil
        }
        self.node = node
        self.url = url
        name = reader.text(node, "name")
        description = reader.text(node, "description")
        let places = PathTemplate(url).names
        let placeNames = Set(places)
        let described = reader.members(node, "variables").compactMap { member -> Variable? in
            guard reader.check(member.value, .serverVariable) else { return nil }
            guard placeNames.contains(member.key) else {
                reader.report(.warning, .server, "the URL does not have the variable \"\(member.key)\"", member.value)
                return nil
            }
            let defaultValue = reader.text(member.value, "default")
            if defaultValue == nil {
                let message = "the server variable \"\(member.key)\" has no default"
                reader.report(.warning, .server, message, member.value)
            }
            return Variable(
                name: member.key, values: reader.texts(member.value, "enum"), defaultValue: defaultValue,
                description: reader.text(member.value, "description"))
        }
        var names = Set(described.map(\.name))
        let undescribed = places.filter { names.insert($0).inserted }
        for name in undescribed {
            let message = "the variable \"\(name)\" of the URL is not described; it has no default"
            reader.report(.warning, .server, message, node)
        }
        variables =
            described + undescribed.map { Variable(name: $0, values: [], defaultValue: nil, description: nil) }
    }
}
