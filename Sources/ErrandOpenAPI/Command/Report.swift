/// What was generated from a document, in JSON: counts, the types and requests with their pointers, and messages.
struct Report {
    let text: String

    init(_ client: ClientModel) {
        var writer = CodeWriter()
        let declarations = client.types.declarations
        writer.line("{")
        for (name, count) in Self.counts(client) { writer.line("  \(name.quoted): \(count),") }
        let reader = client.document.reader
        Self.write("types", client.types.written.map { Self.line($0, declarations, reader) }, &writer)
        Self.write("requests", client.requests.map { Self.line($0) }, &writer)
        Self.write("schemes", client.credentials.map(\.scheme.key.quoted), &writer)
        let messages = client.document.reader.diagnostics.all
        Self.write("pointers", messages.compactMap { $0.place.map { "\($0.file.path)\($0.pointer)".quoted } }, &writer)
        Self.write("messages", messages.map(\.description.quoted), &writer, isLast: true)
        writer.line("}")
        text = writer.text
    }

    private static func write(_ name: String, _ lines: [String], _ writer: inout CodeWriter, isLast: Bool = false) {
        writer.line("  \(name.quoted): [")
        for (index, line) in lines.enumerated() { writer.line("    \(line)\(index < lines.count - 1 ? "," : "")") }
        writer.line("  ]\(isLast ? "" : ",")")
    }

    private static func counts(_ client: ClientModel) -> [(String, Int)] {
        let declarations = client.types.written
        var (structs, properties, enums, values, unions, branches, aliases) = (0, 0, 0, 0, 0, 0, 0)
        for declaration in declarations {
            switch declaration.content {
            case .pending: break
            case .structure(let structure):
                structs += 1
                properties += structure.properties.count
            case .enumeration(let list):
                enums += 1
                values += list.values.count
            case .union(let union):
                unions += 1
                branches += union.cases.count
            case .errors(let documents):
                unions += 1
                branches += documents.count
            case .alias: aliases += 1
            }
        }
        return [
            ("operations", client.requests.count), ("declarations", declarations.count), ("structs", structs),
            ("properties", properties), ("enumerations", enums), ("values", values), ("unions", unions),
            ("branches", branches), ("aliases", aliases),
            ("parameters", client.requests.reduce(0) { $0 + $1.parameters.count }),
            ("securitySchemes", client.credentials.count), ("servers", client.servers.count),
            ("pages", client.requests.count { $0.pages != nil }),
        ]
    }

    private static func line(
        _ declaration: Declaration, _ declarations: [Declaration], _ reader: DocumentReader
    ) -> String {
        var name = declaration.name
        var owner = declaration.owner
        while case .declaration(let id) = owner {
            name = "\(declarations[id].name).\(name)"
            owner = declarations[id].owner
        }
        let (kind, members): (String, [String]) =
            switch declaration.content {
            case .pending: ("pending", [])
            case .structure(let structure): ("struct", structure.properties.map(\.jsonName.quoted))
            case .enumeration(let list): ("enum", list.values.map { $0.node.json })
            case .union(let union): ("union", union.cases.map(\.name.quoted))
            case .errors(let documents): ("errors", documents.map(\.status.quoted))
            case .alias: ("alias", [])
            }
        var sources: Set<String> = []
        if let schema = declaration.schema { collect(schema, reader, into: &sources) }
        return entry(
            declaration.node, name,
            [
                "\"kind\": \(kind.quoted)", "\"members\": [\(list(members))]",
                "\"sources\": [\(list(sources.sorted().map(\.quoted)))]",
            ])
    }

    /// The pointers of the schemas that a type combines.
    private static func collect(_ schema: Schema, _ reader: DocumentReader, into sources: inout Set<String>) {
        guard let target = reader.schemas.target(of: schema) else { return }
        let isNew = sources.insert("\(target.node.file.path)\(target.node.pointer)").inserted
        guard isNew || target.isDerived else { return }
        for part in target.allOf { collect(part, reader, into: &sources) }
    }

    private static func line(_ request: RequestModel) -> String {
        var parts: [RequestModel.ResponsePart] = []
        if case .parts(let all)? = request.stream { parts = all }
        return entry(
            request.operation.node, request.name,
            [
                "\"method\": \(request.operation.method.quoted)", "\"path\": \(request.operation.path.quoted)",
                "\"parameters\": [\(list(request.parameters.map(\.jsonName.quoted)))]",
                "\"parts\": [\(list(parts.map(\.name.quoted)))]",
            ])
    }

    private static func entry(_ node: Node, _ name: String, _ rest: [String]) -> String {
        let pointer = "\(node.file.path)\(node.pointer)"
        return "{\(list(["\"pointer\": \(pointer.quoted)", "\"name\": \(name.quoted)"] + rest))}"
    }

    private static func list(_ items: [String]) -> String { items.joined(separator: ", ") }
}

extension String {
    /// This text as a text of JSON.
    fileprivate var quoted: String { jsonLiteral }
}
