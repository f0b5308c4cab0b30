/// What the stubs of a client know of its document, as the JSON that `StubDocument` of ErrandTesting reads.
final class StubData {
    private let client: ClientModel
    private let schemas: SchemaData
    private let responses: StubResponses
    private var parameters: [String: Node] = [:]
    private var bodies: [String: Node] = [:]

    /// The length of a path above which its requests are not compared with the document.
    private static let longestPath = 2_000

    init(_ client: ClientModel, _ samples: Samples) {
        self.client = client
        schemas = SchemaData(client.document)
        responses = StubResponses(client, StubValues(client, samples), schemas)
    }

    /// Returns the document.
    ///
    /// - Parameter names: The names of the operations in Swift, in the order of the requests.
    func document(_ names: [String]) -> Node {
        let operations = zip(names, client.requests).map { ($0, operation($1)) }.sorted { $0.0 < $1.0 }
        var members: [(String, Node)] = []
        let base = basePath(client.servers.first.map { $0.server.defaultURL } ?? "")
        if !base.isEmpty { members.append(("basePath", schemas.text(base))) }
        members.append(("operations", schemas.object(operations)))
        members.append(("parameters", sorted(parameters)))
        members.append(("bodies", sorted(bodies)))
        members.append(("responses", sorted(responses.known)))
        members.append(("schemas", sorted(schemas.schemas)))
        return schemas.object(members)
    }

    private func sorted(_ parts: [String: Node]) -> Node {
        schemas.object(parts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    /// The encoded path of a URL with or without a host, without dot segments and without a slash at its end.
    private func basePath(_ url: String) -> String {
        var path = url[...]
        if let start = url.firstRange(of: "://")?.upperBound {
            path = url[start...].drop { $0 != "/" }
        } else if url.hasPrefix("//") {
            path = url.dropFirst(2).drop { $0 != "/" }
        } else if url.hasPrefix("{") {
            path = url.drop { $0 != "/" }
        }
        path = path.prefix { !"?#".contains($0) }
        if path.hasPrefix("/") { path.removeFirst() }
        var segments: [Substring] = []
        for segment in path.split(separator: "/", omittingEmptySubsequences: false) where segment != "." {
            if segment == ".." { _ = segments.popLast() } else { segments.append(segment) }
        }
        while segments.last?.isEmpty == true { segments.removeLast() }
        return segments.map { "/\($0)" }.joined()
    }

    private func operation(_ request: RequestModel) -> Node {
        let operation = request.operation
        let path = String(operation.path.prefix { $0 != "#" })
        var members = [("route", schemas.text("\(operation.method) \(path)"))]
        // The pointer of each parameter has the path.
        let isChecked = path.utf8.count <= Self.longestPath
        let pointer = schemas.pointer(of: operation.node)
        // The usual pointer follows from the route.
        if pointer != "#/paths/\(path.escapedToken)/\(operation.method.lowercased())" {
            members.append(("pointer", schemas.text(pointer)))
        }
        func relative(_ part: String) -> Node {
            schemas.text(part.hasPrefix(pointer + "/") ? String(part.dropFirst(pointer.count + 1)) : part)
        }
        if let url = request.serverURL { members.append(("basePath", schemas.text(basePath(url)))) }
        let pointers = isChecked ? operation.parameters.compactMap { add($0, of: path) } : []
        if !pointers.isEmpty { members.append(("parameters", schemas.list(pointers.map(relative)))) }
        // A body without members is not sent.
        if let body = operation.body, request.body != nil, isChecked { members.append(("body", relative(add(body)))) }
        let statuses = request.operation.responses.map { response in
            (response.status, schemas.text(responses.add(response, of: request)))
        }
        members.append(("responses", schemas.object(statuses)))
        if let pages = pages(of: request) { members.append(("pages", pages)) }
        return schemas.object(members)
    }

    private func pages(of request: RequestModel) -> Node? {
        guard let pages = request.pages else { return nil }
        let (parameter, first): (String, Int?) =
            switch pages.style {
            case .number(let page, _, let first): (page, first)
            case .offset(let offset, _, let first): (offset, first)
            case .cursor(let cursor, _, _): (cursor, nil)
            case .link: ("", nil)
            }
        guard !parameter.isEmpty else { return nil }
        var members = [("parameter", schemas.text(parameter))]
        if let first { members.append(("first", Node(.number("\(first)"), like: client.document.root))) }
        members.append(("items", schemas.list((pages.contents?.items ?? []).map(schemas.text))))
        return schemas.object(members)
    }

    private func flag(_ value: Bool) -> Node { Node(.bool(value), like: client.document.root) }

    /// Adds a parameter, and returns its pointer; `nil` if it has none of the checked places.
    ///
    /// - Parameter path: The path of the operation, whose query can have places for parameters of the path.
    private func add(_ parameter: Parameter, of path: String) -> String? {
        guard parameter.location != .querystring else { return nil }
        var location = parameter.location
        let isInQuery =
            location == .path && !PathTemplate(String(path.prefix { $0 != "?" })).names.contains(parameter.name)
        if isInQuery {
            // A parameter without a place is not sent.
            guard PathTemplate(path).names.contains(parameter.name) else { return nil }
            location = .query
        }
        let pointer = schemas.pointer(of: parameter.node)
        guard parameters[pointer] == nil else { return pointer }
        var members = [
            ("name", schemas.text(parameter.name)), ("in", schemas.text(location.rawValue)),
        ]
        if parameter.isRequired { members.append(("required", flag(true))) }
        let isForm = parameter.location == .query || parameter.location == .cookie
        if !isInQuery, parameter.style != (isForm ? .form : .simple) {
            members.append(("style", schemas.text(parameter.style.rawValue)))
        }
        if !isInQuery, parameter.explode != isForm { members.append(("explode", flag(parameter.explode))) }
        if let content = parameter.content {
            guard content.isJSON else { return nil }
            members.append(("json", flag(true)))
        }
        if let schema = parameter.schema ?? parameter.content?.schema {
            members.append(("schema", schemas.part(of: schema.node)))
        }
        parameters[pointer] = schemas.object(members)
        return pointer
    }

    private func add(_ body: RequestBody) -> String {
        let pointer = schemas.pointer(of: body.node)
        guard bodies[pointer] == nil else { return pointer }
        let content = body.content.map { content in
            var members = [("type", schemas.text(content.type))]
            let place = schemas.pointer(of: content.node)
            if place != "\(pointer)/content/\(content.type.escapedToken)" {
                members.append(("pointer", schemas.text(place)))
            }
            if let schema = content.schema, content.isJSON || content.isForm || content.type == "*/*" {
                members.append(("schema", schemas.part(of: schema.node)))
            }
            return schemas.object(members)
        }
        bodies[pointer] = schemas.object(
            (body.isRequired ? [("required", flag(true))] : []) + [("content", schemas.list(content))])
        return pointer
    }
}
