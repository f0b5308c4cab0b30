extension ClientWriter {
    /// Writes the function that returns a service.
    func writeService(_ writer: inout CodeWriter) {
        writer.block("nonisolated extension APIService<any Error>") { writer in
            let title = client.document.title.split(whereSeparator: \.isNewline).joined(separator: " ")
            writer.documentation("Returns a service with a server of \(title) and the credentials for its requests.")
            let needsServer = client.servers.first?.server.isComplete != true
            let serverType = client.servers.isEmpty ? "BaseURL" : "\(client.className).Server"
            var lines = [(name: "server", lines: [serverText(isNeeded: needsServer)])]
            for credential in client.credentials { lines.append((credential.name.bare, credential.documentation)) }
            writer.documentation("")
            writer.parameters(lines)
            var items = [needsServer ? "_ server: \(serverType)" : "_ server: \(serverType)? = nil"]
            items += client.credentials.map { "\($0.name): \($0.type)? = nil" }
            writer.list("\(access)static func \(client.serviceName)(", items, ") -> APIService {")
            let url = client.servers.isEmpty ? "server" : needsServer ? "server.baseURL" : "server?.baseURL"
            if client.credentials.isEmpty {
                writer.line("    APIService(baseURL: \(url))")
            } else {
                writer.indented { writer in
                    writer.elements(
                        "let authentication = SchemeAuthentication([",
                        client.credentials.map { "\($0.scheme.key.swiftLiteral): \($0.value)" }, "])")
                    writer.line("return APIService(baseURL: \(url), interceptors: [authentication])")
                }
            }
            writer.line("}")
        }
    }

    private func serverText(isNeeded: Bool) -> String {
        guard isNeeded else {
            return "The server; `nil`, the default, keeps the one that the document gives for each operation."
        }
        let path = client.document.servers.first?.relativePath
        return
            (client.servers.isEmpty
            ? "The server, which the document does not name."
            : "A server of the API. It is required, because the document's first server has no complete URL.")
            + (path.map { " Its base URL ends with `\($0)`." } ?? "")
    }

    /// Writes the scopes of OAuth schemes as constants.
    func writeScopes(_ writer: inout CodeWriter) {
        var names = NameScope(reserved: Set(client.requests.map(\.name)))
        for credential in client.credentials {
            guard case .oauth(let flows) = credential.scheme.kind else { continue }
            var scopes: [(name: String, description: String)] = []
            var known: Set<String> = []
            for scope in flows.flatMap(\.scopes) where known.insert(scope.name).inserted { scopes.append(scope) }
            guard !scopes.isEmpty else { continue }
            writer.line()
            writer.block("nonisolated extension \(client.className)") { writer in
                writer.documentation("The scopes of `\(credential.scheme.key)`.")
                let name = names.unique(SwiftName.type(credential.scheme.key).bare + "Scope")
                writer.block("\(access)enum \(name)") { writer in
                    var names = NameScope()
                    for scope in scopes.sorted(by: { $0.name < $1.name }) {
                        writer.documentation(Documentation.paragraphs(scope.description))
                        let name = names.unique(SwiftName.member(scope.name))
                        writer.line("\(access)static let \(name) = \(scope.name.swiftLiteral)")
                    }
                }
            }
        }
    }
}

extension ClientModel.Credential {
    /// The type of the parameter, without the question mark.
    var type: String {
        switch scheme.kind {
        case .apiKey: "String"
        case .basic: "BasicAuthentication"
        case .digest: "DigestAuthentication"
        case .bearer, .oauth, .openIDConnect, .mutualTLS, .http: "(any Interceptor)"
        }
    }

    /// The interceptor for what the caller passes.
    var value: String {
        guard case .apiKey(let key, let location) = scheme.kind else { return name }
        switch location {
        case .cookie: return "\(name).map { APIKeyAuthentication($0, in: .cookie(\(key.swiftLiteral))) }"
        case .query, .querystring: return "\(name).map { APIKeyAuthentication($0, in: .query(\(key.swiftLiteral))) }"
        case .header, .path: return "\(name).map { APIKeyAuthentication($0, in: .header(\(key.swiftLiteral))) }"
        }
    }

    var documentation: [String] {
        let kind: String =
            switch scheme.kind {
            case .apiKey(let name, let location): "The key, which is sent in the \(location.rawValue) as `\(name)`."
            case .basic: "The user name and the password."
            case .digest: "The user name and the password, for digest access authentication."
            case .bearer: "A ``BearerAuthentication``, or a ``TokenAuthentication`` that renews the token."
            case .oauth: "A ``BearerAuthentication`` with an access token, or an OAuth session that renews it."
            case .openIDConnect(let url): "An interceptor with a token of the OpenID provider `\(url)`."
            case .mutualTLS: "Client certificates belong to the transport; this says that it has one."
            case .http(let name): "An interceptor for the authentication scheme `\(name)`."
            }
        return [kind] + endpoints + (scheme.description.map(Documentation.paragraphs) ?? []).prefix { !$0.isEmpty }
    }

    /// The URLs of the OAuth flows.
    private var endpoints: [String] {
        guard case .oauth(let flows) = scheme.kind else { return [] }
        return flows.map { flow in
            let urls = [("authorization", flow.authorizationURL), ("tokens", flow.tokenURL)].compactMap { name, url in
                url.map { "\(name) at `\($0.filter { $0 != "`" && !$0.isNewline })`" }
            }
            return "The flow `\(flow.name)`\(urls.isEmpty ? "" : " has \(urls.joined(separator: ", and "))")."
        }
    }
}
