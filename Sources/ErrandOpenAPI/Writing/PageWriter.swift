/// Writes what a list needs for its pages.
struct PageWriter {
    private let client: ClientModel
    private let types: TypeWriter
    private let access: String

    init(_ client: ClientModel, _ types: TypeWriter) {
        self.client = client
        self.types = types
        access = client.options.accessText
    }

    /// Writes the function that returns the pages of a request.
    func writeFunction(_ request: RequestModel, _ pages: PageModel, _ writer: inout CodeWriter) {
        let (names, call) = text(of: pages.style)
        let page = client.names.text(pages.page, in: .request(request.index))
        writer.line()
        writer.documentation("The pages of the list, by \(names.map { "`\($0)`" }.joined(separator: " and ")).")
        writer.list(
            "\(access)static func pages(",
            ["with service: APIService<some Error>", "of request: @escaping @Sendable () throws -> \(request.name)"],
            ") -> Pages<\(page)> {")
        writer.line("    Pages(\(call), with: service, request: request)")
        writer.line("}")
    }

    private func text(of style: PageModel.Style) -> (names: [String], call: String) {
        func argument(_ label: String, _ name: String?) -> String {
            name.map { ", \(label): \($0.swiftLiteral)" } ?? ""
        }
        switch style {
        case .number(let page, let size, let first):
            let start = first == 1 ? "" : ", first: \(first)"
            let call = ".pageNumber(size: nil\(start), pageName: \(page.swiftLiteral)\(argument("sizeName", size)))"
            return ([page] + (size.map { [$0] } ?? []), call)
        case .offset(let offset, let limit, let first):
            let start = first == 0 ? "" : ", first: \(first)"
            let call = ".offset(limit: nil\(start), offsetName: \(offset.swiftLiteral)\(argument("limitName", limit)))"
            return ([offset] + (limit.map { [$0] } ?? []), call)
        case .cursor(let cursor, let limit, let field):
            let rest = argument("limitName", limit) + argument("nextField", field)
            return ([cursor] + (limit.map { [$0] } ?? []), ".cursor(cursorName: \(cursor.swiftLiteral)\(rest))")
        case .link(let size):
            return (["Link"] + (size.map { [$0] } ?? []), ".link(\(size.map { "sizeName: \($0.swiftLiteral)" } ?? ""))")
        }
    }

    /// Writes the conformances of the pages that a file declares.
    ///
    /// - Parameter isDeprecated: Whether the type is declared in a deprecated class.
    func writeConformance(_ contents: PageModel.Contents, isDeprecated: Bool = false, _ writer: inout CodeWriter) {
        let declaration = client.types.declarations[contents.declaration]
        let scope = Declaration.Owner.declaration(declaration.id)
        guard let items = value(at: contents.items, of: declaration) else { return }
        let name = client.names.text(.declared(declaration.id), in: .module)
        let next = contents.next.flatMap { value(at: $0, of: declaration) }
        let flag = contents.flag.flatMap { value(at: $0.path, of: declaration) }
        writer.line()
        if isDeprecated { writer.line("@available(*, deprecated)") }
        let hasCursor = next != nil || contents.usesLastID
        writer.block("nonisolated extension \(name): \(hasCursor ? "CursorPage" : "PageContent")") { writer in
            let type = client.names.text(items.type, in: scope)
            writer.short("\(access)var pageItems: \(type)", items.isOptional ? "\(items.text) ?? []" : items.text)
            let hasMore = flag.map { $0.isOptional ? "\($0.text) == true" : $0.text }
            if contents.usesLastID, let hasMore {
                let last = items.isOptional ? "pageItems.last?.id" : "\(items.text).last?.id"
                return writer.short("\(access)var nextCursor: String?", "\(hasMore) ? \(last) : nil")
            }
            guard let next else {
                var values =
                    contents.total.flatMap { value(at: [$0], of: declaration) }.map { ["total: \($0.text)"] } ?? []
                if let flag, let kind = contents.flag?.kind { values.append("next: \(position(flag, kind))") }
                guard !values.isEmpty else { return }
                let info = "PageInfo(\(values.joined(separator: ", ")))"
                return writer.short("\(access)var pageInfo: PageInfo", info)
            }
            // The property has the name and the type of the requirement.
            guard next.text != "nextCursor" else { return }
            let isText = next.type != .int && next.type != .int64
            let cursor =
                isText ? next.text : next.isOptional ? "\(next.mapped) { \"\\($0)\" }" : "\"\\(\(next.text))\""
            writer.short("\(access)var nextCursor: String?", hasMore.map { "\($0) ? \(cursor) : nil" } ?? cursor)
        }
    }

    /// An expression for what a member says about the next page.
    private func position(_ flag: Value, _ kind: PageModel.Flag.Kind) -> String {
        if kind == .next { return "\(flag.text) == nil ? .last : .more" }
        let choice = kind == .more ? ".more : .last" : ".last : .more"
        return flag.isOptional ? "\(flag.mapped) { $0 ? \(choice) } ?? .unknown" : "\(flag.text) ? \(choice)"
    }

    /// An expression for the value of a member.
    private struct Value {
        var text: String
        var isOptional: Bool
        var type: SwiftType

        /// The function `map` of an optional value. A chain is one value before it.
        var mapped: String { text.contains("?.") ? "(\(text)).map" : "\(text).map" }
    }

    /// Returns the value at a path of properties.
    private func value(at path: [String], of page: Declaration) -> Value? {
        var value = Value(text: "", isOptional: false, type: .declared(page.id))
        var isOptional = false
        for name in path {
            guard case .declared(let id) = client.types.aliased(value.type) else { return nil }
            let declaration = client.types.declarations[id]
            let isLast = name.hasSuffix("[-1]")
            guard case .structure(let structure) = declaration.content,
                let property = structure.properties.first(where: { $0.jsonName == name })
                    ?? structure.properties.first(where: { isLast && $0.jsonName == name.dropLast(4) })
            else { return nil }
            let type = types.type(of: property, declaration, .declaration(declaration.id))
            value.text += (value.text.isEmpty ? "" : isOptional ? "?." : ".") + property.name
            isOptional = type.hasSuffix("?")
            if type.hasPrefix("Nullable<") {
                value.text += isOptional ? "?.value" : ".value"
                isOptional = true
            }
            value.type = property.type
            if isLast, case .array(let element) = property.type {
                value.text += isOptional ? "?.last" : ".last"
                (isOptional, value.type) = (true, element)
            }
            value.isOptional = value.isOptional || isOptional
        }
        return value
    }
}
