extension SurfaceBuilder {
    /// Adds the class of the API, its servers, the function that returns a service, webhooks and scopes.
    mutating func addClass() {
        let document = client.document
        let key = SurfaceNames.api
        let first = client.servers.first
        let sent = first.map { $0.server.isComplete ? "`Server.\($0.name.bare)`" : "" } ?? ""
        add(
            key, .type("the class of the API"), document.root,
            [
                Fact(label: "sends by default to", value: sent),
                Fact(label: "needs a base URL that ends with", value: first?.server.relativePath ?? ""),
            ])
        if client.errorType != nil {
            let type = Surface.TypeText(shown: "any (Decodable & Sendable).Type", full: "")
            add("\(key).errorType", in: key, .property(type), document.root)
        }
        addServers(key)
        addService()
        addWebhooks(key)
        addScopes(key)
    }

    private mutating func addServers(_ api: String) {
        guard let first = client.servers.first else { return }
        let key = "\(api).Server"
        add(key, in: api, .type("a struct"), first.server.node)
        let type = type(key)
        for choice in client.serverChoices {
            let choiceKey = "\(key).\(choice.name)"
            add(choiceKey, in: key, .type("an open enum of `String`"), choice.node)
            for (name, value) in zip(choice.cases, choice.values) {
                let fact = Fact(label: "is", value: "`\(value)`")
                add("\(choiceKey).\(name.bare)", in: choiceKey, .constant(self.type(choiceKey)), choice.node, [fact])
            }
        }
        for named in client.servers where named.server.isAbsolute {
            let (server, name) = (named.server, "\(key).\(named.name.bare)")
            let url = Fact(label: "is", value: "`\(server.url)`")
            guard !named.variables.isEmpty else {
                add(name, in: key, .constant(type), server.node, [url])
                continue
            }
            add(name, in: key, .function(type), server.node, [url])
            let parameters = named.variables.map { variable in
                let value = variable.variable.defaultValue.map { "`\($0)`" } ?? ""
                return Parameter(
                    label: variable.name.bare,
                    type: variable.choice.map { self.type("\(key).\($0.name)") } ?? names.text(.string),
                    isRequired: variable.variable.defaultValue == nil, node: server.node,
                    facts: [Fact(label: "is by default", value: value, rule: .replacement)])
            }
            add(ordered: parameters, of: name, in: name)
        }
    }

    private func type(_ key: String) -> Surface.TypeText { Surface.TypeText(shown: names.shown(key), full: key) }

    private mutating func addService() {
        let document = client.document
        let key = SurfaceNames.service
        let needsServer = client.servers.first?.server.isComplete != true
        let server = client.servers.isEmpty ? "BaseURL" : "\(SurfaceNames.api).Server"
        let mark = needsServer ? "" : "?"
        let serverType = Surface.TypeText(shown: names.shown(server) + mark, full: server + mark)
        let node = client.servers.first?.server.node ?? document.root
        let service = Surface.TypeText("APIService")
        add(key, .function(service), document.root)
        var parameters = [Parameter(label: "_", type: serverType, isRequired: needsServer, node: node)]
        for credential in client.credentials {
            let type = Surface.TypeText("\(credential.type)?")
            parameters.append(
                Parameter(
                    label: credential.name.bare, type: type, isRequired: false, node: credential.scheme.node,
                    facts: [Fact(label: "is sent as", value: credential.scheme.kind.words)]))
        }
        add(ordered: parameters, of: key, in: key)
    }

    private mutating func addWebhooks(_ api: String) {
        guard !client.webhooks.isEmpty else { return }
        let key = "\(api).Webhook"
        add(key, in: api, .type("an enum"), client.document.root["webhooks"] ?? client.document.root)
        var scope = NameScope(reserved: ["other"])
        for webhook in client.webhooks {
            let name = scope.unique(SwiftName.member(webhook.name)).bare
            let node = client.document.root["webhooks"]?[webhook.name] ?? client.document.root
            let fact = Fact(label: "is", value: "the webhook `\(webhook.name)`")
            add("\(key).\(name)", in: key, .enumCase(names.text(webhook.type)), node, [fact])
        }
    }

    private mutating func addScopes(_ api: String) {
        var types = NameScope(reserved: Set(client.requests.map(\.name)))
        for credential in client.credentials {
            guard case .oauth(let flows) = credential.scheme.kind else { continue }
            let scopes = Set(flows.flatMap(\.scopes).map(\.name)).sorted()
            guard !scopes.isEmpty else { continue }
            let key = "\(api).\(types.unique(SwiftName.type(credential.scheme.key).bare + "Scope"))"
            add(key, in: api, .type("an enum"), credential.scheme.node)
            var members = NameScope()
            for scope in scopes {
                let name = members.unique(SwiftName.member(scope)).bare
                let fact = Fact(label: "is", value: "`\(scope)`")
                add("\(key).\(name)", in: key, .constant(names.text(.string)), credential.scheme.node, [fact])
            }
        }
    }
}

extension SecurityScheme.Kind {
    /// How the credentials are sent.
    fileprivate var words: String {
        switch self {
        case .apiKey(let name, let location):
            switch location {
            case .cookie: "the cookie `\(name)`"
            case .query, .querystring: "the query item `\(name)`"
            case .header, .path: "the header field `\(name)`"
            }
        case .basic: "a user name and a password"
        case .digest: "a user name and a digest of the password"
        case .bearer, .oauth, .openIDConnect: "a bearer token"
        case .mutualTLS: "a client certificate"
        case .http(let scheme): "the authentication scheme `\(scheme)`"
        }
    }
}
