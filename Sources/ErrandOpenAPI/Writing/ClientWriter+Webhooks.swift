extension ClientWriter {
    /// Writes an enum of the bodies that the server sends to webhooks.
    func writeWebhooks(_ writer: inout CodeWriter) {
        var scope = NameScope(reserved: ["other"])
        let cases = client.webhooks.map { (name: scope.unique(SwiftName.member($0.name)), webhook: $0) }
        writer.block("nonisolated extension \(client.className)") { writer in
            writer.documentation("The body of a request that the server sends to a webhook.")
            writer.block("\(access)enum Webhook: Hashable, Sendable") { writer in
                for (name, webhook) in cases {
                    writer.line("case \(name)(\(client.names.text(webhook.type, in: .request(-1))))")
                }
                writer.documentation("A webhook that the document does not describe.")
                writer.line("case other(name: String, JSONValue)")
                writer.line()
                writer.documentation("Decodes the body of a webhook with this name.")
                writer.block("\(access)init(named name: String, from body: Data) throws") { writer in
                    writer.line("let decoder = FastJSONDecoder.openAPI")
                    writer.line("switch name {")
                    var names: Set<String> = []
                    for (_, webhook) in cases where names.insert(webhook.name).inserted {
                        writer.line("case \(webhook.name.swiftLiteral):")
                        let bodies = cases.filter { $0.webhook.name == webhook.name }
                        writer.indented { write(bodies.map { ($0.name, $0.webhook.type) }, &$0) }
                    }
                    writer.line("default: self = .other(name: name, try decoder.decode(JSONValue.self, from: body))")
                    writer.line("}")
                }
            }
        }
    }

    /// Writes how the body of a webhook is decoded: as the first of its types that it fits.
    private func write(_ bodies: [(name: String, type: SwiftType)], _ writer: inout CodeWriter) {
        for (name, type) in bodies.dropLast() {
            let text = client.names.text(type, in: .request(-1))
            writer.block("if let value = try? decoder.decode(\(text).self, from: body)") { writer in
                writer.line("self = .\(name)(value)")
                writer.line("return")
            }
        }
        guard let last = bodies.last else { return }
        let text = client.names.text(last.type, in: .request(-1))
        writer.line("self = .\(last.name)(try decoder.decode(\(text).self, from: body))")
    }
}
