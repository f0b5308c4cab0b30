/// A server that a document names.
struct Server {
    struct Variable {
        let name: String
        let values: [String]
        let defaultValue: String
        let description: String?
    }

    let node: Node
    let url: String
    let name: String?
    let description: String?
    let variables: [Variable]

    /// Whether the URL can name a host. The scheme and the host may be variables.
    var isAbsolute: Bool { url.contains("://") || url.hasPrefix("{") }

    /// The URL with the defaults of its variables.
    var defaultURL: String {
        variables.reduce(url) { $0.replacing("{\($1.name)}", with: $1.defaultValue) }
    }

    /// Whether the URL with the defaults names a host. A default such as `{your-host}` is not one.
    var hasDefaultHost: Bool {
        guard let start = defaultURL.firstRange(of: "://")?.upperBound else { return false }
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
        variables = reader.members(node, "variables").compactMap { member in
            guard reader.check(member.value, .serverVariable) else { return nil }
            guard url.contains("{\(member.key)}") else {
                reader.report(.warning, .server, "the URL does not have the variable \"\(member.key)\"", member.value)
                return nil
            }
            return Variable(
                name: member.key, values: reader.texts(member.value, "enum"),
                defaultValue: reader.requiredText(member.value, "default", of: "the server variable") ?? "",
                description: reader.text(member.value, "description"))
        }
        let names = Set(variables.map(\.name))
        for part in url.split(separator: "{").dropFirst() {
            guard let name = part.split(separator: "}", omittingEmptySubsequences: false).first.map(String.init),
                !names.contains(name)
            else { continue }
            reader.report(.error, .server, "the variable \"\(name)\" of the URL is not described", node)
            return nil
        }
    }
}
