extension ClientModel {
    /// A server of the document with its names in the client.
    struct NamedServer {
        let name: String
        let server: Server
        /// The parameters of its function, in the order of the document's variables.
        let variables: [ServerVariable]
    }

    /// A variable in the URL of a server.
    struct ServerVariable {
        let name: String
        let variable: Server.Variable
        /// The values that it can have; `nil` for any text.
        let choice: ServerChoice?

        var type: String { choice?.name ?? "String" }
    }

    /// An enumeration in the type of servers.
    struct ServerChoice {
        let name: String
        let variable: String
        let values: [String]
        let cases: [String]
        /// The first server with these values.
        let node: Node
    }

    /// The enumerations of the variables of all servers, each once.
    var serverChoices: [ServerChoice] {
        var names: Set<String> = []
        return servers.flatMap(\.variables).compactMap(\.choice).filter { names.insert($0.name).inserted }
    }

    static func named(_ servers: [Server]) -> [NamedServer] {
        var scope = NameScope(reserved: ["baseURL", "hash", "url"])
        let names = servers.enumerated().map { index, server in
            let label = server.name ?? server.description ?? ""
            let words = SwiftName.words(of: label)
            return scope.unique(
                (1...3).contains(words.count)
                    ? SwiftName.member(label) : index == 0 ? "production" : "server\(index + 1)")
        }
        // A name without letters of two cases is the same for a server and for a type.
        var types = NameScope(
            reserved: Set(names.map(\.bare)).union([
                "Server", "BaseURL", "String", "Hashable", "Sendable", "OpenEnum", "ExpressibleByStringLiteral",
            ]))
        var choices: [[String]: ServerChoice] = [:]
        return zip(names, servers).map { name, server in
            var parameters = NameScope()
            let variables = server.variables.map { variable in
                let name = parameters.unique(SwiftName.member(variable.name))
                guard variable.isChoice, server.isAbsolute else {
                    return ServerVariable(name: name, variable: variable, choice: nil)
                }
                // Servers share the enumeration of variables with the same name and values.
                let key = [variable.name] + variable.values
                let choice =
                    choices[key]
                    ?? ServerChoice(of: variable, at: server.node, named: types.unique(SwiftName.type(variable.name)))
                choices[key] = choice
                return ServerVariable(name: name, variable: variable, choice: choice)
            }
            return NamedServer(name: name, server: server, variables: variables)
        }
    }
}

extension ClientModel.ServerChoice {
    fileprivate init(of variable: Server.Variable, at node: Node, named name: String) {
        self.node = node
        self.name = name
        self.variable = variable.name
        values = variable.values
        cases = Naming.names(of: values, values: values, in: name)
    }
}

extension Server.Variable {
    /// Whether the values are known. A default besides them shows that they are not all.
    fileprivate var isChoice: Bool {
        !values.isEmpty && Set(values).count == values.count && defaultValue.map(values.contains) ?? true
    }
}
