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
        writer.line("/// The pages of the list, by \(names.map { "`\($0)`" }.joined(separator: " and ")).")
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
        case .offset(let offset, let limit):
            let call = ".offset(limit: nil, offsetName: \(offset.swiftLiteral)\(argument("limitName", limit)))"
            return ([offset] + (limit.map { [$0] } ?? []), call)
        case .cursor(let cursor, let limit):
            let call = ".cursor(cursorName: \(cursor.swiftLiteral)\(argument("limitName", limit)))"
            return ([cursor] + (limit.map { [$0] } ?? []), call)
        }
    }

    /// Writes the conformances of the pages that a file declares.
    ///
    /// - Parameter isDeprecated: Whether the type is declared in a deprecated class.
    func writeConformance(_ contents: PageModel.Contents, isDeprecated: Bool = false, _ writer: inout CodeWriter) {
        let declaration = client.types.declarations[contents.declaration]
        guard case .structure(let structure) = declaration.content,
            let items = structure.properties.first(where: { $0.jsonName == contents.items })
        else { return }
        let scope = Declaration.Owner.declaration(declaration.id)
        let name = client.names.text(.declared(declaration.id), in: .module)
        let next = structure.properties.first { $0.jsonName == contents.next }
        writer.line()
        if isDeprecated { writer.line("@available(*, deprecated)") }
        let hasCursor = next != nil || contents.usesLastID
        writer.block("nonisolated extension \(name): \(hasCursor ? "CursorPage" : "PageContent")") { writer in
            let type = client.names.text(items.type, in: scope)
            let isNullable = types.type(of: items, declaration, scope).hasPrefix("Nullable")
            let isOptional = types.type(of: items, declaration, scope).hasSuffix("?")
            let unwrapped = items.name + (isNullable ? (isOptional ? "?.value" : ".value") : "")
            writer.short(
                "\(access)var pageItems: \(type)", isOptional || isNullable ? "\(unwrapped) ?? []" : items.name)
            let flag = structure.properties.first { $0.jsonName == contents.flag }
            if contents.usesLastID, let flag {
                let last = isOptional || isNullable ? "pageItems.last?.id" : "\(items.name).last?.id"
                return writer.short("\(access)var nextCursor: String?", "\(flag.name) == true ? \(last) : nil")
            }
            guard let next else { return }
            let nextType = types.type(of: next, declaration, scope)
            let value =
                next.name + (nextType.hasPrefix("Nullable") ? (nextType.hasSuffix("?") ? "?.value" : ".value") : "")
            let body = flag.map { "\($0.name) == true ? \(value) : nil" } ?? value
            writer.short("\(access)var nextCursor: String?", body)
        }
    }
}
