/// Writes the classes of requests.
struct RequestWriter {
    let client: ClientModel
    private let types: TypeWriter
    private let pages: PageWriter
    private let access: String

    init(_ client: ClientModel, _ types: TypeWriter) {
        pages = PageWriter(client, types)
        self.client = client
        self.types = types
        access = client.options.accessText
    }

    func write(_ request: RequestModel, _ writer: inout CodeWriter) {
        let scope = Declaration.Owner.request(request.index)
        writer.block("nonisolated extension \(client.className)") { writer in
            writer.documentation(request.documentation)
            if request.operation.isDeprecated { writer.line("@available(*, deprecated)") }
            let head = "\(access)final class \(request.name): \(client.className)\(protocols(request))"
            writer.block(head) { writer in
                if let body = request.streamedBody {
                    writer.line("private var content: \(client.names.text(body.type, in: scope))")
                    writer.line()
                }
                writeInitializer(request, scope, &writer)
                writeErrorType(request, scope, &writer)
                writeStart(request, scope, &writer)
                if let list = request.pages { pages.writeFunction(request, list, &writer) }
                if case .cases(let cases) = request.output { writeResponse(cases, scope, &writer) }
                writeResponseFields(request, scope, &writer)
                types.writeNested(in: scope, &writer)
            }
        }
        types.writeExtensions(in: scope, &writer)
        // The conformance of a type in this file.
        guard let contents = request.pages?.contents else { return }
        if client.types.declarations[contents.declaration].owner == scope {
            pages.writeConformance(contents, isDeprecated: request.operation.isDeprecated, &writer)
        }
    }

    private func protocols(_ request: RequestModel) -> String {
        let onlyStreams = request.isOnlyStream
        return (onlyStreams ? "" : ", Request") + (request.stream == nil ? "" : ", StreamingRequest")
    }

    private func writeResponseFields(
        _ request: RequestModel, _ scope: Declaration.Owner, _ writer: inout CodeWriter
    ) {
        guard !request.responseFields.isEmpty else { return }
        writer.line()
        writer.documentation("The header fields of a successful response.")
        writer.block("\(access)struct ResponseFields: Sendable") { writer in
            writer.line("private let fields: HeaderFields")
            writer.line()
            writer.short("\(access)init(_ response: DataResponse)", "fields = response.headers")
            for field in request.responseFields {
                writer.line()
                writer.documentation(field.header.description.map(Documentation.paragraphs) ?? [])
                let type = client.names.text(field.type, in: scope)
                let value = "fields.value(of: \(field.header.name.swiftLiteral))"
                writer.line("\(access)var \(field.name): \(type)? { \(value) }")
            }
        }
    }

    // MARK: Initializer

    /// The parameters in the order of the initializer: those without a default come first.
    private func ordered(_ request: RequestModel) -> [RequestModel.Parameter] {
        let parameters = request.parameters
        return parameters.filter { !$0.hasDefault } + parameters.filter(\.hasDefault)
    }

    private func writeInitializer(_ request: RequestModel, _ scope: Declaration.Owner, _ writer: inout CodeWriter) {
        let parameters = ordered(request)
        writer.parameters(parameters.map { ($0.name.bare, $0.documentation) })
        guard !parameters.isEmpty else {
            writer.line("\(access)override init() {")
            writer.indented { writeSettings(request, &$0) }
            return writer.line("}")
        }
        let items = parameters.map { parameter in
            let type = client.names.text(parameter.type, in: scope)
            if let constant = parameter.constant { return "\(parameter.name): \(type) = \(constant.swiftLiteral)" }
            return parameter.isRequired ? "\(parameter.name): \(type)" : "\(parameter.name): \(type)? = nil"
        }
        writer.list("\(access)init(", items, ") {")
        writer.indented { writeSettings(request, &$0) }
        writer.line("}")
    }

    private func writeSettings(_ request: RequestModel, _ writer: inout CodeWriter) {
        let names = Set(request.parameters.map(\.name.bare))
        /// A property of the class, which a parameter can hide.
        func property(_ name: String) -> String { names.contains(name) ? "self.\(name)" : name }
        if let body = request.streamedBody { writer.line("\(property("content")) = \(body.name)") }
        writer.line("super.init()")
        if let url = request.serverURL { writer.line("\(property("baseURL")) = URL(string: \(url.swiftLiteral))") }
        if request.operation.method != "GET" {
            let known = ["POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"]
            let method = request.operation.method
            let text = known.contains(method) && method != "TRACE" ? ".\(method.lowercased())" : method.swiftLiteral
            writer.line("\(property("method")) = \(text)")
        }
        writePath(request, property("path"), &writer)
        for item in request.fixedItems {
            writer.line("\(property("query")).append(\(item.name.swiftLiteral), \(item.value.swiftLiteral))")
        }
        if let accept = request.accept { writer.line("\(property("headers"))[\"Accept\"] = \(accept.swiftLiteral)") }
        for parameter in request.parameters { write(parameter, property, &writer) }
        if let body = request.body { write(body, request, property, &writer) }
        if let type = request.contentType, let body = request.bodyParameter {
            let statement = "\(property("headers"))[\"Content-Type\"] = \(type.swiftLiteral)"
            if body.isRequired { writer.line(statement) } else { writer.short("if \(body.name) != nil", statement) }
        }
        if let security = request.security {
            writer.line("\(property("security")) = \(Self.text(of: security))")
        }
        if case .cases(let cases) = request.output {
            let codes = cases.compactMap { Int($0.status) }
            if codes.count == cases.count {
                let list = codes.map { "\($0)" }.joined(separator: ", ")
                writer.line("\(property("acceptedStatusCodes")) = [\(list)]")
            }
        }
    }

    static func text(of security: [SecurityAlternative]) -> String {
        let lists = security.map { "[" + $0.schemes.map(\.swiftLiteral).joined(separator: ", ") + "]" }
        return "[" + lists.joined(separator: ", ") + "]"
    }

    // MARK: Start

    private func writeErrorType(_ request: RequestModel, _ scope: Declaration.Owner, _ writer: inout CodeWriter) {
        guard let type = request.errorType, type != client.errorType else { return }
        let text = client.names.text(type, in: scope)
        writer.line()
        writer.short("\(access)override var errorType: any (Decodable & Sendable).Type", "\(text).self")
    }

    private func writeStart(_ request: RequestModel, _ scope: Declaration.Owner, _ writer: inout CodeWriter) {
        func text(_ type: SwiftType) -> String { client.names.text(type, in: scope) }
        if !request.isOnlyStream {
            let (output, call): (String, String) =
                switch request.output {
                case .void: ("Void", "decodeVoid()")
                case .value(let type): (text(type), "decode(\(text(type)).self)")
                case .optional(let type): ("\(text(type))?", "decode(\(text(type))?.self)")
                case .text: ("String", "decodeText()")
                case .data: ("Data", "map(\\.data)")
                case .cases: ("Response", "tryMap { try Response($0) }")
                }
            writer.line()
            let head = "\(access)func start() -> Pipeline<\(output), any Error>"
            writeStart(head, "sendRequest().\(call)", streams: false, request, &writer)
        }
        switch request.stream {
        case nil: break
        case .bytes:
            writer.line()
            writer.short("\(access)func startStream() -> ResponseStream", "sendStream()")
        case .events(let type):
            writer.line()
            let element = type.map(text) ?? "ServerSentEvent"
            let head = "\(access)func startStream() -> some AsyncSequence<\(element), any Error> & Sendable"
            // Only a GET can be sent again without an effect.
            let reconnects = request.operation.method == "GET" && request.isOnlyStream
            let call =
                switch (reconnects, type) {
                case (true, nil): "eventSource()"
                case (false, nil): "events()"
                case (true, _): "eventSource().values(of: \(element).self, until: \"[DONE]\")"
                case (false, _): "eventValues(of: \(element).self)"
                }
            writeStart(head, "sendStream().\(call)", streams: true, request, &writer)
        case .lines(let type):
            writer.line()
            let head = "\(access)func startStream() -> some AsyncSequence<\(text(type)), any Error> & Sendable"
            let isSequence = (request.streamAccept ?? request.accept).map(MediaType.essence) == "application/json-seq"
            let framing = isSequence ? ", framing: .textSequence" : ""
            let call = "sendStream().values(of: \(text(type)).self\(framing))"
            writeStart(head, call, streams: true, request, &writer)
        case .parts(let parts):
            writer.line()
            if !parts.isEmpty {
                let items = parts.map { part in
                    "- `\(part.name)`: \(part.type.map { "`\(text($0))` as " } ?? "")`\(part.mediaType)`"
                }
                writer.documentation(["Returns the parts of the response as they arrive:"] + items)
            }
            let head = "\(access)func startStream() -> some AsyncSequence<StreamedPart, any Error> & Sendable"
            writeStart(head, "sendStream().streamedParts()", streams: true, request, &writer)
        }
    }

    /// Writes a function that starts the request, after setting the field and the flag that ask for a stream.
    private func writeStart(
        _ head: String, _ call: String, streams: Bool, _ request: RequestModel, _ writer: inout CodeWriter
    ) {
        guard request.streamedBody != nil || request.streamAccept != nil else { return writer.short(head, call) }
        writer.block(head) { writer in
            if let stream = request.streamAccept {
                let type = streams ? stream : request.accept ?? "application/json"
                writer.line("headers[\"Accept\"] = \(type.swiftLiteral)")
            }
            if request.streamedBody != nil {
                writer.line("content.stream = \(streams)")
                writer.line("body = .json(content)")
            }
            writer.line("return \(call)")
        }
    }

    private func writeResponse(
        _ cases: [RequestModel.OutputCase], _ scope: Declaration.Owner, _ writer: inout CodeWriter
    ) {
        writer.line()
        writer.documentation("The response, by its status.")
        writer.block("\(access)enum Response: Hashable, Sendable") { writer in
            for item in cases { writer.line("case \(item.name)\(payload(item.output, scope))") }
            writer.line()
            writer.block("init(_ response: DataResponse) throws") { writer in
                writer.line("switch response.statusCode {")
                for item in cases.dropLast() { writer.line("case \(item.status): \(statement(item, scope))") }
                if let last = cases.last { writer.line("default: \(statement(last, scope))") }
                writer.line("}")
            }
        }
    }

    private func payload(_ output: RequestModel.CaseOutput, _ scope: Declaration.Owner) -> String {
        switch output {
        case .void: ""
        case .value(let type): "(\(client.names.text(type, in: scope)))"
        case .text: "(String)"
        case .data: "(Data)"
        }
    }

    private func statement(_ item: RequestModel.OutputCase, _ scope: Declaration.Owner) -> String {
        switch item.output {
        case .void: "self = .\(item.name)"
        case .value(let type): "self = .\(item.name)(try response.decode(\(client.names.text(type, in: scope)).self))"
        case .text: "self = .\(item.name)(try response.text())"
        case .data: "self = .\(item.name)(response.data)"
        }
    }
}
