/// Builds the models of requests.
struct RequestBuilder {
    private let document: APIDocument
    let types: TypeBuilder
    /// The preferred media types of bodies, from the configuration.
    let media: [String]
    var reader: DocumentReader { document.reader }

    init(_ document: APIDocument, _ types: TypeBuilder, media: [String]) {
        self.document = document
        self.types = types
        self.media = media
    }

    /// Builds the models of operations, sorted by path and method, so that the order of the document has no effect.
    func requests(_ operations: [Operation]) -> [RequestModel] {
        let sorted = operations.sorted { ($0.path, $0.method) < ($1.path, $1.method) }
        let prefix = commonPrefix(sorted)
        var known: [String: Operation] = [:]
        return sorted.enumerated().map { index, operation in
            var name = operation.id?.text ?? ""
            if let id = operation.id, !name.isEmpty, let other = known[name] {
                let message = "the operationId \"\(name)\" is also that of \(other.method) \(other.path)"
                reader.report(.warning, .name, message, id)
                name = ""
            }
            known[name] = operation
            if SwiftName.words(of: name).isEmpty { name = pathName(operation, prefix) }
            return request(index, operation, named: name)
        }
    }

    /// The names and types of the bodies that the server sends to webhooks and callbacks.
    func events(_ operations: [Operation]) -> [(name: String, type: SwiftType)] {
        operations.compactMap { operation in
            guard let content = operation.body?.content, let first = content.first else { return nil }
            guard let json = content.first(where: \.isJSON) else {
                let fault = "is not JSON, and is not decoded: \(first.fullType)"
                let message = "the body of \"\(operation.shownPath)\" \(fault)"
                reader.report(.warning, .unsupported, message, first.node)
                return nil
            }
            guard let schema = json.schema.flatMap(reader.schemas.target) else { return nil }
            let id = types.declare(schema, named: (operation.id?.text ?? operation.path) + "-event")
            return (operation.path, .declared(id))
        }
    }

    // MARK: Names

    /// The segments with which all paths begin.
    private func commonPrefix(_ operations: [Operation]) -> Int {
        let paths = Set(operations.map(\.path)).map { $0.split(separator: "/") }
        guard paths.count > 1, let first = paths.first else { return 0 }
        var count = 0
        while paths.allSatisfy({ $0.count > count + 1 && first.count > count && $0[count] == first[count] }),
            first[count].first != "{"
        { count += 1 }
        return count
    }

    private func pathName(_ operation: Operation, _ prefix: Int) -> String {
        ([operation.method.lowercased()] + operation.path.split(separator: "/").dropFirst(prefix).map(String.init))
            .joined(separator: "-")
    }

    // MARK: Requests

    private func request(_ index: Int, _ operation: Operation, named name: String) -> RequestModel {
        let (path, items) = parts(of: operation)
        var request = RequestModel(
            index: index, operation: operation, path: path, fixedItems: items, wantedName: name,
            folder: operation.tags.first ?? "")
        let owner = Declaration.Owner.request(index)
        let places = Places(path: Set(PathTemplate(path).names), all: Set(PathTemplate(operation.path).names))
        request.parameters = operation.parameters.compactMap { parameter($0, operation, places, owner) }
        checkPath(operation, &request)
        if let body = operation.body { addBody(body, to: &request, owner) }
        addOutput(of: operation, to: &request, owner)
        request.responseFields = responseFields(of: operation, owner)
        // Without schemes, the class has no such property.
        if let security = operation.security, security != document.security, !document.securitySchemes.isEmpty {
            request.security = security
        }
        if let servers = operation.servers, let first = servers.first, first.url != document.servers.first?.url {
            if first.isComplete {
                request.serverURL = first.defaultURL
            } else {
                let fault = first.isAbsolute ? "is not complete with the defaults of its variables" : "is relative"
                let message = "the server \(fault); that of the document is used"
                reader.report(.warning, .server, message, first.node)
            }
        }
        request.documentation = documentation(operation)
        return request
    }

    /// Splits a path with a query or a fragment, and reports what a request cannot have.
    private func parts(of operation: Operation) -> (path: String, items: [(name: String, value: String)]) {
        guard let end = operation.path.firstIndex(where: { "?#".contains($0) }) else { return (operation.path, []) }
        let withoutFragment = operation.path.prefix { $0 != "#" }
        if withoutFragment.count < operation.path.count {
            reader.report(.note, .parameter, "the fragment of the path \(operation.path) is not sent", operation.node)
        }
        let query = withoutFragment.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let items = query.split(separator: "&").compactMap { item -> (name: String, value: String)? in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard !item.contains("{"), let name = parts.first else { return nil }
            return (String(name), parts.count > 1 ? String(parts[1]) : "")
        }
        return (String(operation.path[..<end]), items)
    }

    private func documentation(_ operation: Operation) -> [String] {
        let summary = operation.summary ?? operation.description ?? ""
        var lines = Documentation.paragraphs(summary)
        if lines.isEmpty { lines = [""] }
        var facts = "`\(operation.method) \(operation.path)`"
        let needed = operation.security ?? document.security
        if let first = needed.first, !first.schemes.isEmpty, !needed.contains(where: \.schemes.isEmpty) {
            let texts = needed.map { $0.schemes.map { "`\($0)`" }.joined(separator: " and ") }
            facts += ", requires \(texts.joined(separator: ", or "))"
        }
        let isSentence = lines[0].last.map { ".!?:".contains($0) } ?? true
        if lines.count > 1 || lines[0].count + facts.count > 100 {
            lines += ["", facts]
        } else {
            lines[0] = lines[0].isEmpty ? facts : "\(lines[0])\(isSentence ? "" : ".") \(facts)"
        }
        if operation.summary != nil, let description = operation.description, description != operation.summary {
            lines += [""] + Documentation.paragraphs(description)
        }
        let headers = Set(operation.responses.filter(\.isSuccess).flatMap(\.headers).map(\.name)).sorted()
        if !headers.isEmpty {
            lines += ["", "Response header fields: \(headers.map { "`\($0)`" }.joined(separator: ", "))."]
        }
        let links = Set(operation.responses.flatMap(\.links)).sorted()
        if !links.isEmpty { lines += ["", "Links: \(links.map { "`\($0)`" }.joined(separator: ", "))."] }
        return lines
    }

    // MARK: Parameters

    /// The names of the places for parameters in a path without its query, and in all of it.
    private struct Places {
        let path: Set<String>
        let all: Set<String>
    }

    private func parameter(
        _ parameter: Parameter, _ operation: Operation, _ places: Places, _ owner: Declaration.Owner
    ) -> RequestModel.Parameter? {
        let schema = parameter.schema ?? parameter.content?.schema
        var use = schema.map { types.use($0, named: parameter.name, in: owner) } ?? TypeUse(type: .string)
        // A path cannot have a place without a value.
        if parameter.location == .path { use.isNullable = false }
        let purpose: RequestModel.Parameter.Purpose
        switch parameter.location {
        case .path:
            guard places.path.contains(parameter.name) else {
                if places.all.contains(parameter.name) {
                    purpose = .query(style: .form, explode: true, reserved: false)
                    break
                }
                let fault = "has no place for the parameter \"\(parameter.name)\"; it is not sent"
                let message = "the path \(operation.shownPath) \(fault)"
                reader.report(.warning, .parameter, message, parameter.node)
                return nil
            }
            purpose = .path(style: parameter.style, explode: parameter.explode)
        case .query where parameter.content?.isJSON == true: purpose = .json(.query)
        case .query:
            if parameter.allowsReserved, let schema, types.resolver.resolveReferences(schema).hasParts {
                let message = "the reserved characters of the parameter \"\(parameter.name)\" are escaped"
                reader.report(.warning, .unsupported, message, parameter.node["allowReserved"] ?? parameter.node)
            }
            purpose = .query(style: parameter.style, explode: parameter.explode, reserved: parameter.allowsReserved)
        case .querystring: purpose = .query(style: .form, explode: true, reserved: false)
        case .header where parameter.content?.isJSON == true: purpose = .json(.header)
        case .header: purpose = .header(explode: parameter.explode)
        case .cookie where parameter.content?.isJSON == true: purpose = .json(.cookie)
        case .cookie: purpose = .cookie(style: parameter.style, explode: parameter.explode)
        }
        var lines = parameter.description.map(Documentation.paragraphs) ?? []
        if parameter.isDeprecated { lines.append("Deprecated.") }
        if let schema {
            let facts = Documentation.lines(ofProperty: schema, use)
            lines +=
                lines.isEmpty ? facts : facts.suffix(1).filter { $0.hasPrefix("The server") || $0.hasPrefix("At ") }
        }
        return RequestModel.Parameter(parameter.name, use, isRequired: parameter.isRequired, purpose, lines)
    }

    /// Adds a text for each place of the path without a parameter.
    private func checkPath(_ operation: Operation, _ request: inout RequestModel) {
        let known = Set(operation.parameters.lazy.filter { $0.location == .path }.map(\.name))
        let unknown = PathTemplate(request.path).names.filter { !known.contains($0) }
        guard !unknown.isEmpty else { return }
        // The pointer has the path, and is as long.
        let place = operation.node.place
        for name in unknown {
            let message = "the path \(operation.shownPath) has no parameter for \"\(name)\"; it is a string"
            reader.diagnostics.report(.warning, .parameter, message, at: place)
            request.parameters.append(
                RequestModel.Parameter(
                    jsonName: name, type: .string, isRequired: true, purpose: .path(style: .simple, explode: false),
                    constant: nil, documentation: []))
        }
    }
}
