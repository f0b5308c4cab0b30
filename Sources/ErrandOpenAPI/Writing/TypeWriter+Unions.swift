extension TypeWriter {
    /// Writes an enum with a case for each branch.
    func write(_ union: Declaration.UnionModel, of declaration: Declaration, _ writer: inout CodeWriter) {
        let scope = scope(declaration)
        let isIndirect = union.isIndirect ? "indirect " : ""
        writer.block(
            "\(access)\(isolation(declaration))\(isIndirect)enum \(declaration.name): Codable, Hashable, Sendable"
        ) { writer in
            for item in union.cases { writer.line("case \(item.name)(\(client.names.text(item.type, in: scope)))") }
            writer.documentation("A value that the document does not describe.")
            writer.line("case other(JSONValue)")
            writer.line()
            writer.block("\(access)init(from decoder: any Decoder) throws") { writer in
                writer.line("let content = JSONContent(decoder)")
                DecisionWriter(union) { client.names.text($0, in: scope) }.write(union.decision, of: "content", &writer)
            }
            writer.line()
            writer.block("\(access)func encode(to encoder: any Encoder) throws") { writer in
                writer.line("var container = encoder.singleValueContainer()")
                writer.line("switch self {")
                for item in union.cases { write(item, &writer) }
                writer.line("case .other(let value): try container.encode(value)")
                writer.line("}")
            }
            writeNested(in: scope, &writer)
        }
    }

    private func write(_ item: Declaration.UnionModel.Case, _ writer: inout CodeWriter) {
        guard let tag = item.tag else {
            return writer.line("case .\(item.name)(let value): try container.encode(value)")
        }
        writer.line("case .\(item.name)(let value):")
        writer.indented { writer in
            // A member of the value with the same name replaces it.
            let member = "\(tag.property.swiftLiteral): \(tag.value.swiftLiteral)"
            writer.line("try encoder.encode(members: [\(member)])")
            writer.line("try value.encode(to: encoder)")
        }
    }

    /// Writes a struct with each branch that a value fits.
    func writeCombined(_ union: Declaration.UnionModel, of declaration: Declaration, _ writer: inout CodeWriter) {
        let scope = scope(declaration)
        let items = union.cases.map { (name: $0.name, type: client.names.text($0.type, in: scope)) }
        writer.block("\(access)\(isolation(declaration))struct \(declaration.name): Codable, Hashable, Sendable") {
            writer in
            for item in items {
                writer.documentation("The value as this type; `nil` if it does not fit.")
                writer.line("\(access)var \(item.name): \(item.type)?")
            }
            writer.line()
            writer.list("\(access)init(", items.map { "\($0.name): \($0.type)? = nil" }, ") {")
            for item in items { writer.line("    self.\(item.name) = \(item.name)") }
            writer.line("}")
            writer.line()
            writer.block("\(access)init(from decoder: any Decoder) throws") { writer in
                for item in items { writer.line("self.\(item.name) = try? \(item.type)(from: decoder)") }
                guard let first = items.first else { return }
                writer.guarded(items.map { "self.\($0.name) == nil" }, otherwise: "return")
                // Its error says what is missing.
                writer.line("self.\(first.name) = try \(first.type)(from: decoder)")
            }
            writer.line()
            writer.block("\(access)func encode(to encoder: any Encoder) throws") { writer in
                for item in items { writer.line("try self.\(item.name)?.encode(to: encoder)") }
            }
            writeNested(in: scope, &writer)
        }
    }

    /// Writes an enum of error documents, with a case for each status.
    func write(_ documents: [Declaration.ErrorDocument], of declaration: Declaration, _ writer: inout CodeWriter) {
        let scope = scope(declaration)
        let fallback = documents.first { $0.status == "default" }
        let described = documents.filter { $0.status != "default" }
        writer.block("\(access)\(isolation(declaration))enum \(declaration.name): StatusDocument, Hashable") { writer in
            for item in documents { writer.line("case \(item.name)(\(client.names.text(item.type, in: scope)))") }
            if fallback == nil {
                writer.documentation("A document of a status that the API does not describe.")
                writer.line("case other(JSONValue)")
            }
            writer.line()
            writer.block("\(access)init(from decoder: any Decoder, status: Int) throws") { writer in
                writer.line("let content = JSONContent(decoder)")
                writer.line("switch status {")
                for item in described {
                    guard let pattern = Response.pattern(ofStatus: item.status) else { continue }
                    writer.line("case \(pattern): self = .\(item.name)(try content.decode())")
                }
                writer.line("default: self = .\(fallback?.name ?? "other")(try content.decode())")
                writer.line("}")
            }
            writer.line()
            writer.block("\(access)var document: any Sendable") { writer in
                writer.line("switch self {")
                for name in documents.map(\.name) + (fallback == nil ? ["other"] : []) {
                    writer.line("case .\(name)(let document): document")
                }
                writer.line("}")
            }
            writeNested(in: scope, &writer)
        }
    }
}
