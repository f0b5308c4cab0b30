extension PageBuilder {
    /// Returns the pages of a request as they are described.
    func pages(of request: RequestModel, _ rule: PageRule) throws(PageRule.Fault) -> PageModel {
        guard case .value(let page) = request.output else {
            throw PageRule.Fault(message: "the response is not always one JSON value")
        }
        let style = try style(of: request, rule)
        if types.isArray(page) {
            for path in [rule.items, rule.next, rule.more] {
                if let path, !path.isEmpty { throw PageRule.Fault(message: "the response has no member \"\(path)\"") }
            }
            if case .cursor(_, _, nil) = style {
                throw PageRule.Fault(message: "an array cannot contain the next cursor")
            }
            return PageModel(style: style, page: page, contents: nil)
        }
        guard let (id, properties) = structure(of: page) else {
            throw PageRule.Fault(message: "the response is not an object or an array")
        }
        let more = try rule.more.map { path throws(PageRule.Fault) in
            PageModel.Flag(kind: .more, path: try member(path, in: page) { $0 == .bool })
        }
        let isCounted = rule.style == .page || rule.style == .offset
        let end = isCounted ? end(in: properties) : (flag: nil, total: nil)
        var next: [String]?
        if case .cursor(_, _, nil) = style {
            guard let path = rule.next else {
                throw PageRule.Fault(message: "the member with the next cursor is missing")
            }
            next = try member(path, in: page) { self.types.isText($0) || $0 == .int || $0 == .int64 }
        }
        let contents = PageModel.Contents(
            declaration: id, items: try items(of: page, rule), next: next, flag: more ?? end.flag,
            total: end.total)
        return PageModel(style: style, page: page, contents: contents)
    }

    private func style(of request: RequestModel, _ rule: PageRule) throws(PageRule.Fault) -> PageModel.Style {
        let size = try rule.size.map { name throws(PageRule.Fault) in try parameter(name, of: request, Self.positions) }
        if rule.style == .link { return .link(size: size) }
        guard let name = rule.parameter else { throw PageRule.Fault(message: "the parameter is missing") }
        let allowed = Self.positions + (rule.style == .cursor ? [.string] : [])
        let position = try parameter(name, of: request, allowed)
        guard position != size else { throw PageRule.Fault(message: "\"\(name)\" is both position and size") }
        switch rule.style {
        case .page: return .number(page: position, size: size, first: rule.first ?? first(of: position, request))
        case .offset: return .offset(offset: position, limit: size, first: rule.first ?? 0)
        case .cursor: return .cursor(cursor: position, limit: size, field: rule.nextField)
        case .link: return .link(size: size)
        }
    }

    /// The number of the first page: 0 if that is the default of the parameter.
    func first(of name: String, _ request: RequestModel) -> Int {
        let given = request.operation.parameters.first { $0.name == name }?.schema
        return given?.defaultValue?.text == "0" ? 0 : 1
    }

    private func parameter(
        _ name: String, of request: RequestModel, _ allowed: [SwiftType]
    ) throws(PageRule.Fault) -> String {
        let all = request.parameters.filter { $0.jsonName == name }
        guard let any = all.first else { throw PageRule.Fault(message: "the parameter \"\(name)\" does not exist") }
        let found = all.first { if case .query = $0.purpose { true } else { false } }
        guard let found else { throw PageRule.Fault(message: "\"\(any.jsonName)\" is not a query parameter") }
        let type = types.isText(found.type) ? .string : found.type
        guard allowed.contains(type) else {
            let expected = allowed.contains(.string) ? "a string or an integer" : "an integer"
            throw PageRule.Fault(message: "the parameter \"\(name)\" must be \(expected)")
        }
        return name
    }

    // MARK: Members

    /// The declaration of an object type, and its properties; `nil` for another type.
    private func structure(of type: SwiftType) -> (id: Int, properties: [Declaration.Property])? {
        guard case .declared(let id) = types.aliased(type), let structure = types.structure(id) else { return nil }
        return (id, structure.properties)
    }

    private func items(of page: SwiftType, _ rule: PageRule) throws(PageRule.Fault) -> [String] {
        if let path = rule.items { return try member(path, in: page, types.isArray) }
        let arrays = structure(of: page)?.properties.filter { types.isArray($0.type) } ?? []
        guard arrays.count == 1, let items = arrays.first else {
            throw PageRule.Fault(message: "the response does not have exactly one array; name the items")
        }
        return [items.jsonName]
    }

    /// Returns the names of properties on a path.
    private func member(
        _ path: String, in page: SwiftType, _ isAllowed: (SwiftType) -> Bool
    ) throws(PageRule.Fault) -> [String] {
        guard let (names, type) = member(path, in: page) else {
            throw PageRule.Fault(message: "the response has no member \"\(path)\"")
        }
        guard isAllowed(type) else { throw PageRule.Fault(message: "the member \"\(path)\" has the wrong type") }
        return names
    }

    private func member(_ path: String, in type: SwiftType) -> (names: [String], type: SwiftType)? {
        guard let properties = structure(of: type)?.properties else { return nil }
        // A name can contain dots.
        if let property = properties.first(where: { $0.jsonName == path }) { return ([path], property.type) }
        guard let dot = path.firstIndex(of: ".") else { return nil }
        let (name, rest) = (String(path[..<dot]), String(path[path.index(after: dot)...]))
        let isLast = name.hasSuffix("[-1]")
        guard let property = properties.first(where: { $0.jsonName == (isLast ? String(name.dropLast(4)) : name) })
        else { return nil }
        var inner = property.type
        if isLast {
            guard case .array(let element) = inner else { return nil }
            inner = element
        }
        return member(rest, in: inner).map { ([name] + $0.names, $0.type) }
    }
}
