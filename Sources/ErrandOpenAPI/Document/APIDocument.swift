/// An OpenAPI document: what its clients share, and its operations.
struct APIDocument {
    let reader: DocumentReader
    let root: Node
    let title: String
    let version: String
    let description: String?
    let servers: [Server]
    /// The alternatives that apply to operations without their own.
    let security: [SecurityAlternative]
    let securitySchemes: [SecurityScheme]
    /// The operations that the filter chooses. Others are not read.
    let operations: [Operation]
    /// The names of all operations and schemas, also of those that the filter leaves out.
    let names: DocumentNames
    /// The operations that the server calls, by the names of webhooks.
    let webhooks: [Operation]
    /// The schemas of the components, in the order of the document.
    var schemas: [Node.Member] { root["components"].map { reader.members($0, "schemas") } ?? [] }

    /// Reads a document. Returns `nil`, after a report, if it is not one of OpenAPI 3.
    init?(_ path: String, _ loader: Loader, filter: DocumentFilter = DocumentFilter()) {
        guard let root = loader.root(of: path) else { return nil }
        guard let version = Self.version(of: root, loader.diagnostics) else { return nil }
        let reader = DocumentReader(loader, version: version)
        self.reader = reader
        self.root = root
        guard reader.check(root, .document) else { return nil }
        if let components = root["components"], !components.isNull { _ = reader.check(components, .components) }
        for key in ["info"] + (version == .v30 ? ["paths"] : []) where root[key] == nil {
            loader.diagnostics.report(.warning, .missing, "the document has no \"\(key)\"", at: root.place)
        }
        let info = root["info"]
        if let info { _ = reader.check(info, .info) }
        let title = info.flatMap { reader.text($0, "title") }?.trimmed ?? ""
        if let info, info.isObject, title.isEmpty {
            reader.report(.warning, .missing, "the info has no \"title\"", info)
        }
        self.title = title.isEmpty ? "API" : title
        self.version = info.flatMap { reader.text($0, "version") }?.trimmed ?? ""
        description = info.flatMap { reader.text($0, "description") ?? reader.text($0, "summary") }
        servers = Server.all(of: root, reader) ?? []
        securitySchemes = SecurityScheme.all(of: root, reader)
        let schemes = Set(securitySchemes.map(\.key))
        security = SecurityAlternative.all(of: root, schemes, reader) ?? []
        var names = DocumentNames()
        operations = Operation.all(of: root, "paths", schemes, reader, filter: filter, names: &names)
        names.schemas = Set((root["components"]?["schemas"]?.members ?? []).map(\.key))
        self.names = names
        webhooks = filter.isTypesOnly ? [] : Operation.all(of: root, "webhooks", schemes, reader)
    }

    private static func version(of root: Node, _ diagnostics: Diagnostics) -> DocumentReader.Version? {
        if let old = root["swagger"] {
            let message = "Swagger \(old.text ?? "") is not supported; convert it with `swagger2openapi` first"
            diagnostics.report(.error, .version, message, at: old.place)
            return nil
        }
        guard let value = root["openapi"] else {
            let message = "this is not an OpenAPI document: the key \"openapi\" is missing"
            diagnostics.report(.error, .version, message, at: root.place)
            return nil
        }
        let text = value.text ?? ""
        if text.hasPrefix("3.0") { return .v30 }
        if text.hasPrefix("3.1") { return .v31 }
        if text.hasPrefix("3.2") { return .v32 }
        diagnostics.report(.error, .version, "OpenAPI \(text) is not supported; 3.0 to 3.2 are", at: value.place)
        return nil
    }
}

extension String {
    /// This text without the spaces and line breaks around it, which a block scalar of YAML ends with.
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
