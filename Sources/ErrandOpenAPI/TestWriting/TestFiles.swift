/// Writes a test for each request: what it sends, and that it decodes an example of the response.
struct TestFiles {
    private let client: ClientModel
    private let samples: Samples
    private let names: TypeNames

    init(_ client: ClientModel) {
        self.client = client
        samples = Samples(client.types)
        var names = client.names
        names.isQualified = true
        self.names = names
    }

    /// The texts of all files by their paths.
    func files() -> [String: String] {
        guard !client.options.filter.isTypesOnly else { return [:] }
        var suites: [String: [RequestModel]] = [:]
        for request in client.requests {
            let name = request.folder.isEmpty ? client.className : SwiftName.type(request.folder).bare
            suites[name, default: []].append(request)
        }
        var files = ["Sample.swift": sample]
        // Messages about examples are reported in the order of the files.
        for (name, requests) in suites.sorted(by: { $0.key < $1.key }) {
            files["\(name)Tests.swift"] = file(name, requests.sorted { $0.name < $1.name })
        }
        return files
    }

    /// - Parameter custom: The modules of custom types.
    private func imports(_ custom: Set<String>) -> String {
        let modules = custom.union(["ErrandOpenAPIRuntime", "ErrandTesting", "Foundation", "Testing"]).sorted()
        let module = client.options.module
        guard client.options.access == "internal" else {
            return (modules + [module]).sorted().map { "import \($0)\n" }.joined()
        }
        return modules.map { "import \($0)\n" }.joined() + "\n@testable import \(module)\n"
    }

    private var sample: String {
        let hasUUIDs = (Array(client.options.formats.values) + client.options.types.values).contains {
            if case .known(.uuid) = $0 { true } else { false }
        }
        let uuids = hasUUIDs ? ", UUIDs in capitals" : ""
        let uuidCase =
            hasUUIDs
            ? "case .string(let text) where UUID(uuidString: text) != nil: return .string(text.uppercased())\n        "
            : ""
        return ClientWriter.head + ["ErrandOpenAPIRuntime", "Testing"].map { "import \($0)\n" }.joined() + """

            /// Decodes a value of a parameter.
            nonisolated func sample<Value: Decodable>(_ json: String) throws -> Value {
                try FastJSONDecoder.openAPI.decode(Value.self, from: Data(json.utf8))
            }

            /// Checks that an example is decoded, and encoded to an equal document.
            nonisolated func expectRoundTrip<Value: Codable>(of type: Value.Type, _ json: String) throws {
                let example = Data(json.utf8)
                try expectEqual(FastJSONDecoder.openAPI.decode(type, from: example), example)
            }

            /// Checks that an example is decoded, without the members that the type does not have.
            nonisolated func expectDecoding<Value: Codable>(of type: Value.Type, _ json: String) throws {
                let example = Data(json.utf8)
                let expected = try FastJSONDecoder().decode(JSONValue.self, from: example)
                let value = try FastJSONDecoder.openAPI.decode(type, from: example)
                #expect(try JSONValue(encoding: value, encoder: .openAPI).compared.isPart(of: expected.compared))
            }

            /// Checks that a value is encoded to a document that is equal to an example.
            nonisolated func expectEqual(_ value: some Encodable, _ example: Data) throws {
                let expected = try FastJSONDecoder().decode(JSONValue.self, from: example)
                #expect(try JSONValue(encoding: value, encoder: .openAPI).compared == expected.compared)
            }

            extension JSONValue {
                /// This value without members that are null, which are not sent again, and with dates in UTC\(uuids).
                fileprivate nonisolated var compared: JSONValue {
                    switch self {
                    case .object(let members):
                        return .object(members.filter { $0.value != .null }.mapValues(\\.compared))
                    case .array(let elements): return .array(elements.map(\\.compared))
                    \(uuidCase)case .string:
                        let date = try? FastJSONDecoder.openAPI.decode(Date.self, from: FastJSONEncoder().encode(self))
                        return date.flatMap { try? JSONValue(encoding: $0, encoder: .openAPI) } ?? self
                    case .null, .bool, .number: return self
                    }
                }

                /// Whether another value has all members of this one.
                fileprivate nonisolated func isPart(of other: JSONValue) -> Bool {
                    switch (self, other) {
                    case (.object(let members), .object(let others)):
                        members.allSatisfy { name, value in others[name].map { value.isPart(of: $0) } ?? false }
                    case (.array(let elements), .array(let others)):
                        elements.count == others.count && zip(elements, others).allSatisfy { $0.isPart(of: $1) }
                    default: self == other
                    }
                }
            }

            """
    }

    private func file(_ name: String, _ requests: [RequestModel]) -> String {
        var writer = CodeWriter()
        var modules: Set<String> = []
        writer.block("@Suite struct \(name)Tests") { writer in
            for (index, request) in requests.enumerated() { write(request, index == 0, &writer, &modules) }
        }
        return ClientWriter.head + imports(modules) + "\n" + writer.text
    }

    private func write(
        _ request: RequestModel, _ isFirst: Bool, _ writer: inout CodeWriter, _ modules: inout Set<String>
    ) {
        let examples = Examples(of: request, client, samples)
        guard let arguments = arguments(request), let response = response(request, examples) else {
            let message = "a value for the test of \(request.name.bare) is too long; it has no test"
            return client.document.reader.report(.note, .response, message, request.operation.node)
        }
        if !isFirst { writer.line() }
        if request.operation.isDeprecated { writer.line("@available(*, deprecated)") }
        writer.block("@Test func `\(title(request))`() async throws") { writer in
            writer.list("let request = \(client.className).\(request.name)(", arguments, ")")
            if client.servers.first?.server.isComplete != true, request.serverURL == nil {
                writer.line("request.baseURL = URL(string: \"https://example.com\")")
            }
            response(&writer)
            let target = request.isOnlyStream ? "sent" : "request.request"
            let mark = request.isOnlyStream ? "" : "?"
            writer.line("#expect(\(target)\(mark).httpMethod == \(request.operation.method.swiftLiteral))")
            if let path = expectedPath(request) {
                writer.line("#expect(\(target)\(mark).url?.path(percentEncoded: false) == \(path.swiftLiteral))")
            }
        }
        guard !examples.others.isEmpty || !examples.partial.isEmpty else { return }
        modules.formUnion(TypeWriter(client).modules(of: (examples.others + examples.partial).map(\.type)))
        writer.line()
        if request.operation.isDeprecated { writer.line("@available(*, deprecated)") }
        writer.block("@Test func `the examples of \(request.name.bare) are decoded and encoded`() throws") { writer in
            for (type, example) in examples.others {
                writer.json("try expectRoundTrip(of: \(names.text(type, in: .module)).self, ", example, ")")
            }
            for (type, example) in examples.partial {
                writer.json("try expectDecoding(of: \(names.text(type, in: .module)).self, ", example, ")")
            }
        }
    }

    /// The name of a request's test, without characters that names in backticks do not have.
    private func title(_ request: RequestModel) -> String {
        let words = request.operation.path.split { !$0.isLetter && !$0.isNumber && !"{}-_.~:,".contains($0) }
        let method = request.operation.method.filter(\.isLetter)
        let title = ([request.name.bare, "sends", method] + words.map(String.init)).joined(separator: " ")
        return String(String.UnicodeScalarView(title.unicodeScalars.filter { !$0.isInvisible }))
    }

    private func arguments(_ request: RequestModel) -> [String]? {
        var arguments: [String] = []
        for parameter in request.parameters where !parameter.hasDefault {
            guard let argument = argument(parameter) else { return nil }
            // No keyword needs backticks as a label.
            arguments.append("\(parameter.name.bare): \(argument)")
        }
        return arguments
    }

    private func argument(_ parameter: RequestModel.Parameter) -> String? {
        switch parameter.type {
        case .upload: ".data(Data([1, 2, 3]))"
        case .array(.upload): "[.data(Data([1, 2, 3]))]"
        case .string: "\"text\""
        default: sample(of: parameter).map { "try sample(\($0.rawLiteral))" }
        }
    }

    /// The JSON of an argument. An object in a path has a member, because a segment must not be empty.
    private func sample(of parameter: RequestModel.Parameter) -> String? {
        if case .path = parameter.purpose { samples.filled(parameter.type) } else { samples.json(parameter.type) }
    }

    // MARK: Responses

    /// What writes the statements that send the request and check the output; `nil` if a value would be too long.
    private func response(_ request: RequestModel, _ examples: Examples) -> ((inout CodeWriter) -> Void)? {
        guard !request.isOnlyStream else { return { $0.line("let sent = try request.buildURLRequest()") } }
        let status = Int(successStatus(request)) ?? 200
        let stub = "request.dataTaskPipeline = request.stubJSONResponse(statusCode: \(status), data: example)"
        func ignored(_ example: String) -> (inout CodeWriter) -> Void {
            { writer in
                writer.line("let example = Data(\(example.rawLiteral).utf8)")
                writer.line(stub)
                writer.line("_ = try await request.start().value")
            }
        }
        switch request.output {
        case .value(let type), .optional(let type):
            guard let sample = examples.first.map({ Text.node($0) }) ?? samples.json(type).map({ Text.json($0) }) else {
                return nil
            }
            return { writer in
                switch sample {
                case .node(let node): writer.json("let example = Data(", node, ".utf8)")
                case .json(let text): writer.line("let example = Data(\(text.rawLiteral).utf8)")
                }
                writer.line(stub)
                writer.line("let value = try await request.start().value")
                writer.line("try expectEqual(value, example)")
            }
        case .void, .text, .data: return ignored("text")
        case .cases(let cases):
            guard case .value(let type)? = cases.first?.output else { return ignored("text") }
            return samples.json(type).map(ignored)
        }
    }

    private enum Text {
        case node(Node)
        case json(String)
    }

    private func successStatus(_ request: RequestModel) -> String {
        if case .cases(let cases) = request.output { return cases.first?.status ?? "200" }
        let successes = request.operation.responses.filter { $0.isSuccess && $0.content.contains(where: \.isJSON) }
        return successes.first?.status ?? request.operation.responses.first(where: \.isSuccess)?.status ?? "200"
    }

    /// The path of the URL, if the values of its parameters are one text each.
    private func expectedPath(_ request: RequestModel) -> String? {
        let ofDocument = client.servers.first.flatMap { $0.server.isComplete ? $0.server.defaultURL : nil }
        let server = request.serverURL ?? ofDocument ?? ""
        let parts = server.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3)
        let base = server.contains("://") && !parts.isEmpty ? "/" + parts.joined(separator: "/") : ""
        var path = base.hasSuffix("/") ? String(base.dropLast()) : base
        let parameters = request.pathParameters
        for piece in PathTemplate(request.path).pieces {
            switch piece {
            case .text(let text): path += text
            case .name(let name):
                guard let parameter = parameters[name], case .path(.simple, _) = parameter.purpose,
                    client.types.isSegment(parameter.type)
                else { return nil }
                guard let json = parameter.constant.map(\.json) ?? samples.json(parameter.type),
                    !json.contains("\\")
                else { return nil }
                path += json.filter { $0 != "\"" }
            }
        }
        return path.contains("%") ? nil : path
    }
}
