/// The responses of stubs, as the document describes them and as the client reads them.
final class StubResponses {
    private let client: ClientModel
    private let values: StubValues
    private let data: SchemaData
    /// The responses by the types of their bodies.
    private(set) var known: [String: Node] = [:]
    private var reader: DocumentReader { client.document.reader }

    init(_ client: ClientModel, _ values: StubValues, _ data: SchemaData) {
        self.client = client
        self.values = values
        self.data = data
    }

    /// The numbers of responses with one type.
    private var counts: [String: Int] = [:]

    /// Adds a response, and returns its key. Equal responses of several operations share one.
    func add(_ response: Response, of request: RequestModel) -> String {
        let (name, node) = named(response, of: request)
        let count = counts[name] ?? 0
        func key(_ number: Int) -> String { number == 0 ? name : "\(name) \(number + 1)" }
        for number in 0..<min(count, 50) where known[key(number)]?.isEqual(to: node) == true { return key(number) }
        counts[name] = count + 1
        known[key(count)] = node
        return key(count)
    }

    private func named(_ response: Response, of request: RequestModel) -> (name: String, Node) {
        var members: [(String, Node)] = []
        let headers = headers(of: response)
        if !headers.isEmpty { members.append(("headers", data.object(headers))) }
        let body = body(of: response, request)
        let contents = [body?.content, stream(of: response, request)].compactMap(\.self)
        if !contents.isEmpty { members.append(("content", data.list(contents))) }
        return (body?.name ?? (contents.isEmpty ? "none" : "stream"), data.object(members))
    }

    /// The header fields that the document requires.
    private func headers(of response: Response) -> [(String, Node)] {
        response.headers.filter(\.isRequired).map { header in
            (header.name, data.text(header.example ?? values.text(header.schema)))
        }
    }

    // MARK: Bodies

    private func content(_ type: String, _ body: (String, Node)) -> Node {
        data.object([("type", data.text(type)), body])
    }

    /// The body in the media type that the client reads.
    private func body(of response: Response, _ request: RequestModel) -> (name: String, content: Node)? {
        let plain = response.content.filter { !request.operation.isSequence($0) }
        let preferred = client.options.media.lazy.compactMap { name in plain.first { $0.isNamed(name) } }.first
        guard
            let chosen = preferred ?? plain.first(where: \.isJSON) ?? plain.first(where: \.isText) ?? plain.first
        else { return nil }
        if let type = type(of: response, chosen, request) {
            let pages = response.isSuccess ? request.pages?.contents : nil
            let value = values.value(type, chosen.schema, examples: chosen.examples, pages: pages)
            let body = ("value", value ?? Node(.null, like: chosen.node))
            return (client.names.text(type, in: .module), content(chosen.concreteType(or: "application/json"), body))
        }
        let example = chosen.examples.lazy.compactMap(\.string).first
        if chosen.isJSON {
            let value = chosen.examples.first ?? data.object([])
            return ("JSON", content(chosen.concreteType(or: "application/json"), ("value", value)))
        }
        if chosen.isText {
            let type = chosen.concreteType(or: "text/plain")
            return ("text", content(type, ("text", data.text(example ?? values.text(chosen.schema)))))
        }
        if chosen.isXML { return ("XML", content(chosen.fullType, ("text", data.text(example ?? "<value/>")))) }
        let type = chosen.concreteType(or: "application/octet-stream")
        return ("data", content(type, example.map { ("text", data.text($0)) } ?? ("base64", data.text("AAEC"))))
    }

    /// The type as which the client decodes a response; `nil` if it reads a text or bytes.
    private func type(of response: Response, _ content: MediaType, _ request: RequestModel) -> SwiftType? {
        let isOutput =
            response.isSuccess
            || response.isDefault && !request.operation.responses.contains(where: \.isSuccess)
        guard isOutput else {
            let isJSON = client.types.resolver.isJSON(content)
            return isJSON ? client.types.errorType(of: request, status: response.status) : nil
        }
        return request.type(ofStatus: response.status)
    }

    /// The body as a stream, with one event or line, or with each part.
    private func stream(of response: Response, _ request: RequestModel) -> Node? {
        let streams = request.operation.sequences(of: response).filter { request.stream?.canRead($0) == true }
        guard let chosen = streams.first(where: { request.streamAccept == $0.fullType }) ?? streams.first else {
            return nil
        }
        switch request.stream {
        case .events(let type):
            let value = type.flatMap { values.value($0, nil, examples: []) }?.json ?? "text"
            return content(chosen.fullType, ("text", data.text("data: \(value)\n\n")))
        case .lines(let type):
            let schema = client.types.resolver.item(of: chosen) ?? chosen.schema
            let value = values.value(type, schema, examples: [])?.json ?? "null"
            let start = chosen.type == "application/json-seq" ? "\u{1E}" : ""
            return content(chosen.fullType, ("text", data.text("\(start)\(value)\n")))
        case .parts(let parts):
            let type = chosen.type.contains("*") ? "multipart/mixed" : chosen.fullType
            return content("\(type); boundary=part", ("text", data.text(text(of: parts))))
        case .bytes, nil: return nil
        }
    }

    /// A multipart body with the boundary `part`.
    private func text(of parts: [RequestModel.ResponsePart]) -> String {
        let texts = parts.map { part in
            let value = part.type.flatMap { values.value($0, part.schema, examples: []) }?.json
            let disposition = "form-data; name=\(part.name.swiftLiteral)"
            // Of several media types, the stub has the first one.
            let type = part.mediaType.prefix { $0 != "," }
            return "--part\r\nContent-Disposition: \(disposition)\r\nContent-Type: \(type)\r\n\r\n"
                + (value ?? values.text(part.schema)) + "\r\n"
        }
        return (texts.isEmpty ? "--part\r\n\r\ntext\r\n" : texts.joined()) + "--part--\r\n"
    }
}

extension RequestModel.Stream {
    /// Whether a response of a media type is a stream of these elements.
    fileprivate func canRead(_ content: MediaType) -> Bool {
        switch self {
        case .events: content.isEvents
        case .lines: content.isJSONLines
        case .parts: content.isMultipart
        case .bytes: false
        }
    }
}

extension MediaType {
    /// The media type with its parameters, or another one if it has a wildcard.
    fileprivate func concreteType(or other: String) -> String {
        guard type.contains("*") else { return fullType }
        return type == "image/*" ? "image/png" : other
    }
}
