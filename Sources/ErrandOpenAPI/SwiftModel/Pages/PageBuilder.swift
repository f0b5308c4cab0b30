/// How a list is requested page by page.
struct PageModel {
    enum Style {
        case number(page: String, size: String?, first: Int)
        case offset(offset: String, limit: String?, first: Int = 0)
        /// - `field`: the header field with the next cursor; `nil` if it is in the page.
        case cursor(cursor: String, limit: String?, field: String? = nil)
        case link(size: String?)
    }

    /// The members of a page that its conformance returns.
    struct Contents: Hashable {
        let declaration: Int
        /// The names of properties in JSON, from the page inwards. `[-1]` after a name is the last element.
        let items: [String]
        let next: [String]?
        /// The property that says whether there is a next page.
        let flag: Flag?
        /// The property with the number of items on all pages.
        var total: String?
        /// Whether the next cursor is the identifier of the last item.
        var usesLastID = false
    }

    /// A property that says whether there is a next page.
    struct Flag: Hashable {
        enum Kind {
            /// A Boolean for a next page.
            case more
            /// A Boolean for the last page.
            case last
            /// A value for the next page, or null.
            case next
        }

        let kind: Kind
        let path: [String]
    }

    let style: Style
    let page: SwiftType
    /// `nil` for an array.
    let contents: Contents?
}

/// Recognizes lists with pages, where there is only one reading: parameters of one family, one array in the response,
/// and for a cursor one member with the next.
///
/// An extension of an operation decides instead of its names, and the configuration instead of both.
struct PageBuilder {
    let types: TypeBuilder
    private let document: APIDocument
    /// The choices of the configuration, by operation identifiers and pointers.
    private let choices: [String: PageChoice]

    // The names are in lowercase and without signs.
    private static let numbers: Set<String> = ["page", "pagenumber", "pagenum", "pageno", "pageindex", "currentpage"]
    private static let offsets: Set<String> = ["offset", "skip", "startindex"]
    private static let cursors: Set<String> = [
        "cursor", "after", "pagetoken", "startingafter", "nexttoken", "marker", "continue", "nextcursor", "pagecursor",
        "startcursor", "continuationtoken",
    ]
    private static let sizes: Set<String> = [
        "perpage", "pagesize", "limit", "size", "maxresults", "count", "pagelimit", "maxpagesize", "top", "first",
        "itemsperpage", "pagecount", "maxitems",
    ]
    private static let nexts: Set<String> = [
        "nextcursor", "nextpagetoken", "nexttoken", "nextmarker", "next", "nextpagecursor", "nextpage",
        "continuationtoken", "endcursor",
    ]
    private static let flags: Set<String> = ["hasmore", "hasnext", "hasnextpage"]

    /// The types of numbers and offsets. Some frameworks write each integer as a number.
    static var positions: [SwiftType] { [.int, .int64, .double] }

    /// A name of a parameter or a member without signs.
    private static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

    init(_ types: TypeBuilder, _ document: APIDocument, _ choices: [String: PageChoice]) {
        self.types = types
        self.document = document
        self.choices = choices
    }

    /// Sets the pages of all requests, and reports descriptions that have no effect.
    func setPages(of requests: inout [RequestModel]) {
        var used: Set<String> = []
        // A type can be a page in one way only: a described one comes before a recognized one.
        var contents: [Int: PageModel.Contents] = [:]
        var others: [Int] = []
        for index in requests.indices {
            let operation = requests[index].operation
            let keys = [operation.node.pointer] + (operation.id?.text.map { [$0] } ?? [])
            let key = keys.first { choices[$0] != nil }
            used.formUnion(keys)
            var source = PageRule.source(of: operation)
            if key != nil {
                source = PageRule.Source(name: "the configuration", node: operation.node, kind: .configuration)
            }
            guard let source else {
                others.append(index)
                continue
            }
            do throws(PageRule.Fault) {
                let rule: PageRule? =
                    switch key.flatMap({ choices[$0] }) {
                    case .rule(let rule): rule
                    case .noPages: nil
                    case nil: try PageRule.rule(of: source, root: document.root)
                    }
                guard let rule else { continue }
                let pages = try pages(of: requests[index], rule)
                if let new = pages.contents {
                    guard contents[new.declaration] == nil || contents[new.declaration] == new else {
                        throw PageRule.Fault(message: "another operation describes pages of this type differently")
                    }
                    contents[new.declaration] = new
                }
                requests[index].pages = pages
            } catch {
                let message = "\(source.name): \(error.message); \(operation.method) \(operation.path) has no pages"
                let place = error.place ?? source.node.place
                types.resolver.reader.diagnostics.report(.warning, source.kind, message, at: place)
            }
        }
        for index in others {
            guard let pages = recognized(requests[index]) else { continue }
            if let new = pages.contents {
                guard contents[new.declaration] == nil || contents[new.declaration] == new else { continue }
                contents[new.declaration] = new
            }
            requests[index].pages = pages
        }
        for key in choices.keys.sorted() where !used.contains(key) {
            let message = "the configuration names pages of \"\(key)\", which is not a generated operation"
            types.resolver.reader.report(.warning, .configuration, message, document.root)
        }
    }

    /// Returns the pages of a request by its names; `nil` if it has none, or if the names do not decide.
    private func recognized(_ request: RequestModel) -> PageModel? {
        guard request.operation.method == "GET", case .value(let page) = request.output, let style = style(of: request)
        else {
            return nil
        }
        if types.isArray(page) {
            if case .cursor = style { return nil }
            return PageModel(style: style, page: page, contents: nil)
        }
        guard case .declared(let id) = types.aliased(page), let contents = contents(of: id, style) else { return nil }
        return PageModel(style: style, page: page, contents: contents)
    }

    private func style(of request: RequestModel) -> PageModel.Style? {
        let names = request.parameters.compactMap { parameter -> (name: String, type: SwiftType)? in
            guard case .query = parameter.purpose, !parameter.isRequired else {
                return nil
            }
            return (parameter.jsonName, parameter.type)
        }
        func only(_ family: Set<String>) -> (name: String, type: SwiftType)? {
            let found = names.filter { family.contains(Self.plain($0.name)) }
            return found.count == 1 ? found.first : nil
        }
        let size = only(Self.sizes)?.name
        let (number, offset, cursor) = (only(Self.numbers), only(Self.offsets), only(Self.cursors))
        switch (number, offset, cursor) {
        case (let number?, nil, nil) where Self.positions.contains(number.type):
            return .number(page: number.name, size: size, first: first(of: number.name, request))
        case (nil, let offset?, nil) where Self.positions.contains(offset.type):
            return .offset(offset: offset.name, limit: size)
        case (nil, nil, let cursor?) where cursor.type == .string: return .cursor(cursor: cursor.name, limit: size)
        default: return nil
        }
    }

    private func contents(of id: Int, _ style: PageModel.Style) -> PageModel.Contents? {
        guard let structure = types.structure(id) else { return nil }
        let arrays = structure.properties.filter { types.isArray($0.type) }
        guard arrays.count == 1, let items = arrays.first else { return nil }
        guard case .cursor = style else {
            let (flag, total) = end(in: structure.properties)
            return PageModel.Contents(
                declaration: id, items: [items.jsonName], next: nil, flag: flag, total: total)
        }
        let texts = structure.properties.filter { types.isText($0.type) && !$0.isLink }
        let nexts = texts.filter { Self.nexts.contains(Self.plain($0.jsonName)) }
        if nexts.count == 1, let next = nexts.first {
            return PageModel.Contents(declaration: id, items: [items.jsonName], next: [next.jsonName], flag: nil)
        }
        let flag = structure.properties.first { $0.jsonName == "has_more" && $0.type == .bool }
            .map { PageModel.Flag(kind: .more, path: [$0.jsonName]) }
        guard nexts.isEmpty, let flag else { return nil }
        guard let last = texts.first(where: { $0.jsonName == "last_id" }) else {
            guard case .cursor("starting_after", _, _) = style, hasIdentifier(items.type) else { return nil }
            return PageModel.Contents(
                declaration: id, items: [items.jsonName], next: nil, flag: flag, usesLastID: true)
        }
        return PageModel.Contents(declaration: id, items: [items.jsonName], next: [last.jsonName], flag: flag)
    }

    /// The member of a page that says whether it is the last one, and the one with the number of items on all pages.
    func end(in properties: [Declaration.Property]) -> (flag: PageModel.Flag?, total: String?) {
        let names = Set(properties.map(\.jsonName))
        let flags = properties.compactMap { property -> PageModel.Flag? in
            let (name, isBool) = (property.jsonName, types.aliased(property.type) == .bool)
            if isBool, Self.flags.contains(Self.plain(name)) { return PageModel.Flag(kind: .more, path: [name]) }
            if isBool, name == "last", names.contains("first") { return PageModel.Flag(kind: .last, path: [name]) }
            let isNext = name == "next" && property.isNullable && property.type != .json
            return isNext ? PageModel.Flag(kind: .next, path: [name]) : nil
        }
        let hasLinks = names.contains("next") && names.contains("previous")
        let count = properties.first { $0.jsonName == "count" && types.aliased($0.type) == .int }
        return (flags.first { $0.kind != .next } ?? flags.first, hasLinks ? count?.jsonName : nil)
    }
}

extension PageBuilder {
    /// Whether the elements of an array always have a text `id`.
    private func hasIdentifier(_ type: SwiftType) -> Bool {
        guard case .array(.declared(let id)) = type, let structure = types.structure(id) else { return false }
        return structure.properties.contains {
            $0.jsonName == "id" && $0.isRequired && !$0.isNullable && types.isText($0.type)
        }
    }
}

extension Declaration.Property {
    /// Whether the value is a URL, not a cursor.
    fileprivate var isLink: Bool { ["uri", "url", "uri-reference"].contains(schema.format) }
}
