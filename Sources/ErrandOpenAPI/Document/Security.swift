/// A way to authenticate requests.
struct SecurityScheme {
    enum Kind {
        case apiKey(name: String, Parameter.Location)
        case basic
        case digest
        case bearer
        case oauth(flows: [Flow])
        case openIDConnect(url: String)
        case mutualTLS
        /// Another scheme of the field `Authorization`.
        case http(scheme: String)
    }

    struct Flow {
        let name: String
        let authorizationURL: String?
        let tokenURL: String?
        let scopes: [(name: String, description: String)]
    }

    let node: Node
    let key: String
    let kind: Kind
    let description: String?

    static func all(of root: Node, _ reader: DocumentReader) -> [SecurityScheme] {
        guard let components = root["components"] else { return [] }
        return reader.members(components, "securitySchemes").compactMap { member in
            guard let node = reader.target(of: member.value), reader.check(node, .securityScheme),
                let type = reader.requiredText(node, "type", of: "the security scheme"),
                let kind = kind(type, node, reader)
            else { return nil }
            return SecurityScheme(
                node: node, key: member.key, kind: kind, description: reader.text(node, "description"))
        }
    }

    private static func kind(_ type: String, _ node: Node, _ reader: DocumentReader) -> Kind? {
        switch type {
        case "apiKey":
            guard let name = reader.requiredText(node, "name", of: "the security scheme"),
                let place = reader.requiredText(node, "in", of: "the security scheme")
            else { return nil }
            guard let location = Parameter.Location(rawValue: place), location != .path else {
                reader.report(.error, .security, "\"\(place)\" is not a place for a key", node)
                return nil
            }
            return .apiKey(name: name, location)
        case "http":
            switch reader.requiredText(node, "scheme", of: "the security scheme")?.lowercased() {
            case nil: return nil
            case "basic": return .basic
            case "digest": return .digest
            case "bearer": return .bearer
            case let scheme?: return .http(scheme: scheme)
            }
        case "oauth2":
            guard let flows = node["flows"], reader.check(flows, .flows) else { return .oauth(flows: []) }
            return .oauth(flows: flows.members.filter { !$0.key.hasPrefix("x-") }.map { flow($0, reader) })
        case "openIdConnect": return .openIDConnect(url: reader.text(node, "openIdConnectUrl") ?? "")
        case "mutualTLS": return .mutualTLS
        default:
            reader.report(.error, .security, "\"\(type)\" is not a type of security scheme", node["type"] ?? node)
            return nil
        }
    }

    private static func flow(_ member: Node.Member, _ reader: DocumentReader) -> Flow {
        _ = reader.check(member.value, .flow)
        let scopes = reader.members(member.value, "scopes").map { ($0.key, $0.value.text ?? "") }
        return Flow(
            name: member.key, authorizationURL: reader.text(member.value, "authorizationUrl"),
            tokenURL: reader.text(member.value, "tokenUrl"), scopes: scopes)
    }
}

/// Schemes that authenticate a request together. A request needs one of several alternatives.
struct SecurityAlternative: Hashable {
    /// The keys of the schemes, sorted; empty if no authentication is needed.
    let schemes: [String]

    /// The alternatives of an operation or a document; `nil` if it does not have its own.
    static func all(of node: Node, _ known: Set<String>, _ reader: DocumentReader) -> [SecurityAlternative]? {
        guard let value = node["security"], value.isArray else { return nil }
        return value.elements.map { element in
            for scheme in element.members where !known.contains(scheme.key) {
                let hint = reader.hint(for: scheme.key) { known.sorted() }
                let message = "the security scheme \"\(scheme.key)\" does not exist\(hint)"
                reader.report(.warning, .security, message, scheme.value)
            }
            return SecurityAlternative(schemes: element.members.map(\.key).filter(known.contains).sorted())
        }
    }
}
