extension SurfaceBuilder {
    private mutating func addResponseFields(of request: RequestModel, _ key: String) {
        guard !request.responseFields.isEmpty else { return }
        let fields = "\(key).ResponseFields"
        add(fields, in: key, .type("a struct"), request.operation.node)
        for field in request.responseFields {
            let type = names.text(.optional(field.type))
            let fact = Fact(label: "is", value: "the field `\(field.header.name)`")
            let node = field.header.schema?.node ?? request.operation.node
            add(
                "\(fields).\(field.name.bare)", in: fields, .property(type), node, [fact] + customValues(in: field.type)
            )
        }
    }

    /// Adds a request with its initializer and functions.
    mutating func add(_ request: RequestModel) {
        let key = names.requests[request.index]
        let node = request.operation.node
        add(key, .type("a request"), node, facts(of: request))
        let parameters = request.parameters.map { parameter in
            let type = parameter.isRequired || parameter.constant != nil ? parameter.type : .optional(parameter.type)
            let (node, schema) = place(of: parameter, request)
            return Parameter(
                label: parameter.name.bare, type: names.text(type), isRequired: !parameter.hasDefault, node: node,
                facts: [
                    Self.defaultValue(parameter.constant), Fact(label: "is", value: words(for: parameter)),
                ] + Fact.limits(of: schema.flatMap(reader.schemas.target)) + customValues(in: parameter.type))
        }
        add(parameters, of: "\(key).init", in: key)
        if !request.isOnlyStream {
            add("\(key).start()", in: key, .function(output(of: request, key)), node)
        }
        if case .cases(let cases) = request.output { add(cases, of: request, key) }
        addResponseFields(of: request, key)
        if let stream = request.stream {
            let fact = Fact(label: "reads", value: stream.words)
            add("\(key).startStream()", in: key, .function(element(of: stream)), node, [fact])
        }
        if let pages = request.pages {
            let page = names.text(pages.page)
            let type = Surface.TypeText(shown: "Pages<\(page.shown)>", full: "Pages<\(page.full)>")
            let fact = Fact(label: "requests pages by", value: pages.style.words)
            add("\(key).pages(with:of:)", in: key, .function(type), node, [fact])
        }
    }

    // MARK: Facts

    private func facts(of request: RequestModel) -> [Fact] {
        let operation = request.operation
        func statuses(_ isListed: (Response) -> Bool) -> String {
            operation.responses.filter(isListed).map(\.status).sorted().joined(separator: ", ")
        }
        let needed = request.security ?? client.document.security
        let security = needed.map { alternative in
            alternative.schemes.isEmpty ? "nothing" : alternative.schemes.map { "`\($0)`" }.joined(separator: " and ")
        }
        let items = request.fixedItems.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let path = PathTemplate(request.path).withoutNames + (items.isEmpty ? "" : "?\(items)")
        let errorType = request.errorType.map { "`\(names.text($0).shown)`" } ?? ""
        return [
            Fact(label: "is sent as", value: "`\(operation.method) \(path)`"),
            Fact(label: "is sent to", value: request.serverURL.map { "`\($0)`" } ?? ""),
            Fact(label: "has a body of", value: request.body?.words ?? ""),
            Fact(label: "accepts", value: "`\(request.accept ?? "application/json")`"),
            Fact(label: "asks for a stream by", value: request.streamFlag.map { "`\($0)`" } ?? ""),
            Fact(label: "succeeds with", value: statuses(\.isSuccess)),
            Fact(label: "can fail with", value: statuses { !$0.isSuccess }, rule: .impact(.harmless)),
            Fact(label: "has error documents of", value: errorType, rule: .addition),
            Fact(label: "requires", value: security.sorted().joined(separator: ", or "), rule: .security(needed)),
            Fact(
                label: "is", value: operation.isDeprecated ? "deprecated" : "",
                rule: .impact(.harmless)),
        ]
    }

    private func words(for parameter: RequestModel.Parameter) -> String {
        let name = "`\(parameter.jsonName)`"
        let isPlain = client.types.isPlain(parameter.type) || client.types.isPlainCustom(parameter.type)
        let isScalar = isPlain && !client.types.isArray(parameter.type)
        // The style of a single text has no effect.
        func exploded(_ flag: Bool) -> String { flag && !isScalar ? "the exploded" : "the" }
        switch parameter.purpose {
        case .path(let style, let explode):
            let part = explode && !isScalar ? "an exploded part" : "a part"
            return "\(part) of the path" + (style == .simple ? "" : " in the style `\(style.rawValue)`")
        case .query(let style, let explode, let isReserved):
            let isUsual = style == .form || !explode && style == .deepObject
            return "\(exploded(explode)) query item \(name)" + (isUsual ? "" : " in the style `\(style.rawValue)`")
                + (isReserved ? ", with reserved characters" : "")
        case .json(.query), .json(.querystring): return "the query item \(name) as JSON"
        case .json(.cookie): return "the cookie \(name) as JSON"
        case .json: return "the header field \(name) as JSON"
        case .header(let explode): return "\(exploded(explode)) header field \(name)"
        case .cookie(let style, let explode):
            return "\(exploded(explode)) cookie \(name)" + (style == .cookie ? " in the style `cookie`" : "")
        case .body: return "the body"
        case .part(let types, _):
            return "the part \(name)" + (types.isEmpty ? "" : " as `\(types.joined(separator: ", "))`")
        case .partHeader(let header, let part, let explode, let isJSON):
            return "\(exploded(explode)) header field `\(header)` of the part `\(part)`" + (isJSON ? " as JSON" : "")
        }
    }

    /// The place of a parameter in the document, and its schema.
    private func place(of parameter: RequestModel.Parameter, _ request: RequestModel) -> (Node, Schema?) {
        let operation = request.operation
        switch parameter.purpose {
        case .body: return (operation.body?.node ?? operation.node, nil)
        case .part:
            let schemas = operation.body?.content.compactMap { $0.schema.flatMap(reader.schemas.target) } ?? []
            let property = schemas.lazy.compactMap { $0["properties"]?[parameter.jsonName] }.first
            return (property ?? operation.body?.node ?? operation.node, property.map { reader.schemas[$0] })
        case .partHeader(let name, let part, _, _):
            let encodings = operation.body?.content.compactMap { $0.encodings[part] } ?? []
            let header = encodings.lazy.flatMap(\.headers).first { $0.name == name }
            return (header?.node ?? operation.node, header?.schema)
        case .path, .query, .json, .header, .cookie:
            let known = operation.parameters.filter { $0.name == parameter.jsonName }
            let match = known.first { $0.location.rawValue == parameter.purpose.location } ?? known.first
            return (match?.node ?? operation.node, match?.schema)
        }
    }

    // MARK: Output

    private func output(of request: RequestModel, _ key: String) -> Surface.TypeText {
        switch request.output {
        case .void: return Surface.TypeText("Void")
        case .value(let type): return names.text(type)
        case .optional(let type): return names.text(.optional(type))
        case .text: return Surface.TypeText("String")
        case .data: return Surface.TypeText("Data")
        case .cases: return Surface.TypeText(shown: names.shown("\(key).Response"), full: "\(key).Response")
        }
    }

    private mutating func add(_ cases: [RequestModel.OutputCase], of request: RequestModel, _ key: String) {
        add("\(key).Response", in: key, .type("an enum of responses"), request.operation.node)
        for item in cases {
            let type: Surface.TypeText? =
                switch item.output {
                case .void: nil
                case .value(let type): names.text(type)
                case .text: names.text(.string)
                case .data: names.text(.data)
                }
            let node = request.operation.responses.first { $0.status == item.status }?.node
            add("\(key).Response.\(item.name)", in: "\(key).Response", .enumCase(type), node ?? request.operation.node)
        }
    }

    private func element(of stream: RequestModel.Stream) -> Surface.TypeText {
        func sequence(_ text: Surface.TypeText) -> Surface.TypeText {
            Surface.TypeText(shown: "a sequence of \(text.shown)", full: "a sequence of \(text.full)")
        }
        switch stream {
        case .events(let type?), .lines(let type): return sequence(names.text(type))
        case .events(nil): return sequence(Surface.TypeText("ServerSentEvent"))
        case .parts: return sequence(Surface.TypeText("StreamedPart"))
        case .bytes: return Surface.TypeText("ResponseStream")
        }
    }
}

extension RequestModel.Parameter.Purpose {
    /// The location of a parameter as the document has it.
    fileprivate var location: String {
        switch self {
        case .path: "path"
        case .query: "query"
        case .json(let location): location.rawValue
        case .header: "header"
        case .cookie: "cookie"
        case .body, .part, .partHeader: ""
        }
    }
}

extension RequestModel.Body {
    /// The media type, and how a form writes its fields.
    fileprivate var words: String {
        switch self {
        case .json(let type), .text(let type), .binary(let type): return "`\(type)`"
        case .jsonLines(let type): return "elements in `\(type)`"
        case .multipart: return "`multipart/form-data`"
        case .form(.repeated): return "`application/x-www-form-urlencoded`"
        case .form(.brackets): return "`application/x-www-form-urlencoded` with brackets"
        case .form(.styles(let styles, let json)):
            let fields = styles.map { "\($0.name) in the style \($0.style.rawValue)" } + json.map { "\($0) as JSON" }
            return "`application/x-www-form-urlencoded` with \(fields.joined(separator: ", "))"
        }
    }
}

extension RequestModel.Stream {
    fileprivate var words: String {
        switch self {
        case .events: "server-sent events"
        case .lines: "lines of JSON"
        case .parts(let parts):
            "parts" + parts.map { " `\($0.name)` as `\($0.mediaType)`" }.joined(separator: ",")
        case .bytes: "bytes"
        }
    }
}

extension PageModel.Style {
    fileprivate var words: String {
        func list(_ names: [String?]) -> String { names.compactMap { $0.map { "`\($0)`" } }.joined(separator: " and ") }
        switch self {
        case .number(let page, let size, let first): return "number with \(list([page, size])) from \(first)"
        case .offset(let offset, let limit, let first): return "offset with \(list([offset, limit])) from \(first)"
        case .cursor(let cursor, let limit, let field): return "cursor with \(list([cursor, limit, field]))"
        case .link(let size): return "link\(size.map { " with `\($0)`" } ?? "")"
        }
    }
}
