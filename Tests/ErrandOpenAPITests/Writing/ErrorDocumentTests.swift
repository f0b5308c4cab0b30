import Testing

@testable import ErrandOpenAPI

/// The types of error documents, by the status of the response.
@Suite struct ErrorDocumentTests {
    private static let schemas = "A: {required: [a], properties: {a: {}}}, B: {required: [b], properties: {b: {}}}"

    /// A document with an operation for each map of statuses and schemas.
    private func document(_ operations: [String]) -> Generated {
        let paths = operations.enumerated().map { index, responses in
            let items = responses.split(separator: " ").map { item -> String in
                let parts = item.split(separator: ":")
                let schema = "{schema: {$ref: '#/components/schemas/\(parts[1])'}}"
                return "'\(parts[0])': {description: x, content: {application/json: \(schema)}}"
            }
            return
                "/o\(index): {get: {operationId: o\(index), responses: {'204': {}, \(items.joined(separator: ", "))}}}"
        }
        return Generated(
            """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths: {\(paths.joined(separator: ", "))}
            components: {schemas: {\(Self.schemas)}}
            """)
    }

    @Test func `the most frequent error document is that of the class`() {
        let generated = document(["4XX:A", "4XX:A", "400:B"])
        #expect(
            generated.code("TestAPI.swift").contains("open var errorType: any (Decodable & Sendable).Type { A.self }"))
        #expect(!generated.code("Requests/O0.swift").contains("errorType"))
        #expect(
            generated.code("Requests/O2.swift").contains(
                "override var errorType: any (Decodable & Sendable).Type { B.self }"))
    }

    @Test func `statuses with one schema have its type`() {
        let generated = document(["404:A 409:A default:A"])
        #expect(generated.code("TestAPI.swift").contains("{ A.self }"))
        #expect(!generated.code("Requests/O0.swift").contains("ErrorDocument"))
    }

    @Test func `the status of a response decides its error document`() {
        let code = document(["404:A 409:B 5XX:A"]).code("Requests/O0.swift")
        #expect(
            code.contains(
                """
                        /// The error documents, by the status of the response.
                        public enum ErrorDocument: StatusDocument, Hashable {
                            case notFound(A)
                            case conflict(B)
                            case serverError(A)
                            /// A document of a status that the API does not describe.
                            case other(JSONValue)

                            public init(from decoder: any Decoder, status: Int) throws {
                                let content = JSONContent(decoder)
                                switch status {
                                case 404: self = .notFound(try content.decode())
                                case 409: self = .conflict(try content.decode())
                                case 500..<600: self = .serverError(try content.decode())
                                default: self = .other(try content.decode())
                                }
                            }
                """))
        #expect(code.contains("case .notFound(let document): document"))
    }

    @Test func `the default response is the document of other statuses`() {
        let code = document(["418:A default:B"]).code("Requests/O0.swift")
        #expect(code.contains("case status418(A)") && code.contains("case other(B)") && !code.contains("JSONValue"))
    }

    @Test(arguments: [
        // Equal maps, and maps of statuses that do not contradict each other.
        (["404:A 409:B", "404:A 409:B"], ["AOrB"]), (["404:A 409:B", "400:B 404:A"], ["AOrB"]),
        (["404:A 409:B", "404:B 409:A"], []),
        (["404:A 409:B", "404:A 409:B", "404:B 409:A", "404:B 409:A"], ["AOrB", "AOrB2"]),
        // A range would get fewer statuses by those of another operation.
        (["404:A 4XX:B", "404:A 4XX:B"], ["AOrB"]), (["404:A 4XX:B", "403:A 404:A 4XX:B"], []),
        (["404:A default:B", "409:A default:B"], []),
    ])
    func `operations with the same error documents share their type`(_ operations: [String], _ types: [String]) {
        let generated = document(operations)
        let shared = generated.files.keys.filter { $0.contains("Or") }.sorted()
        #expect(shared == types.map { "Models/\($0).swift" })
        let own = generated.files.filter { $0.value.contains("enum ErrorDocument") }.count
        #expect(own == (types.isEmpty ? operations.count : 0))
    }

    @Test(arguments: [
        // Two components are two types, even if they are equal.
        ("$ref: '#/components/schemas/A'", "$ref: '#/components/schemas/B'", ["A", "B"]),
        ("type: string", "type: string", []), ("type: string", "type: integer", ["String", "Int"]),
    ])
    func `equal inline schemas are one document`(_ first: String, _ second: String, _ types: [String]) {
        let schemas = [("404", first), ("409", second)].map { status, schema in
            "'\(status)': {description: x, content: {application/json: {schema: {\(schema)}}}}"
        }
        let equal = ["A", "B"].map { "\($0): {type: object, properties: {message: {type: string}}}" }
        let code = Generated(
            operation: "responses: {'204': {}, \(schemas.joined(separator: ", "))}",
            components: "schemas: {\(equal.joined(separator: ", "))}"
        ).code("Requests/Items.swift")
        let cases = code.split(separator: "\n").filter {
            $0.contains("case notFound(") || $0.contains("case conflict(")
        }
        let found = cases.map { line in String(line.split(separator: "(")[1].prefix { $0 != ")" }) }
        #expect(found == types)
    }

    @Test func `the documents of inline schemas are named after their status`() {
        let inline = ["404", "409"].map { status in
            "'\(status)': {content: {application/json: {schema: {properties: {s\(status): {type: string}}}}}}"
        }
        let code = Generated(operation: "responses: {'204': {}, \(inline.joined(separator: ", "))}")
            .code("Requests/Items.swift")
        #expect(code.contains("case notFound(NotFoundDocument)") && code.contains("struct ConflictDocument: Codable"))
    }

    @Test func `the class uses no type of a deprecated operation`() {
        let inline = ["404: {x: {type: object, properties: {y: {}}}}", "default: {z: {}}"].map { text in
            let parts = text.split(separator: ":", maxSplits: 1)
            let schema = "{type: object, properties:\(parts[1])}"
            return "\(parts[0]): {description: No., content: {application/json: {schema: \(schema)}}}"
        }
        let generated = Generated(
            operation: "deprecated: true\nresponses: {'204': {}, \(inline.joined(separator: ", "))}")
        #expect(generated.code("TestAPI.swift").contains("ErrorDocument.self"))
        #expect(!generated.code("TestAPI.swift").contains("Items"))
        let code = generated.code("Models/ErrorDocument.swift")
        #expect(code.contains("case notFound(NotFoundDocument)") && code.contains("case other(OtherDocument)"))
    }

    @Test func `an example of an error is decoded as the document of its status`() throws {
        let responses = ["404: a", "409: b"].map { item in
            let (status, name) = (item.prefix(3), item.suffix(1))
            return
                "'\(status)': {content: {application/json: {schema: {properties: {\(name): {type: string}}}, example: {\(name): x}}}}"
        }
        let generated = Generated(operation: "responses: {'204': {}, \(responses.joined(separator: ", "))}")
        let tests = generated.tests.values.joined()
        #expect(tests.contains(##"expectRoundTrip(of: API.TestAPI.Items.NotFoundDocument.self, #"{"a": "x"}"#)"##))
        #expect(tests.contains(##"expectRoundTrip(of: API.TestAPI.Items.ConflictDocument.self, #"{"b": "x"}"#)"##))
    }
}
