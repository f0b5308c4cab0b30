import Testing

@testable import ErrandOpenAPI

@Suite struct TestFilesTests {
    private func test(example: String) -> Generated {
        Generated(
            """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            servers: [{url: 'https://example.com/v1'}]
            paths:
              /books/{id}:
                put:
                  operationId: putBook
                  tags: [books]
                  parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
                  requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}}
                  responses:
                    '201':
                      description: x
                      content: {application/json: {schema: {$ref: '#/components/schemas/Book'}, example: \(example)}}
            components:
              schemas: {Book: {type: object, required: [title], properties: {title: {type: string}, pages: {type: integer}}}}
            """)
    }

    @Test func `a test sends the request and decodes the document's example`() {
        let generated = test(example: "{title: Malafrena, pages: 3}")
        #expect(generated.messages == [])
        #expect(
            generated.tests["BooksTests.swift"]?.split(separator: "\n\n").last == """
                @Suite struct BooksTests {
                    @Test func `PutBook sends PUT books {id}`() async throws {
                        let request = TestAPI.PutBook(id: try sample(#"1"#), body: try sample(#"{"title": "text"}"#))
                        let example = Data(#"{"title": "Malafrena", "pages": 3}"#.utf8)
                        request.dataTaskPipeline = request.stubJSONResponse(statusCode: 201, data: example)
                        let value = try await request.start().value
                        try expectEqual(value, example)
                        #expect(request.request?.httpMethod == "PUT")
                        #expect(request.request?.url?.path(percentEncoded: false) == "/v1/books/1")
                    }
                }

                """)
    }

    @Test func `an object in a path has a member`() {
        let schema = "{type: object, properties: {name: {type: string}}}"
        let document = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths:
              /books/{key}:
                get:
                  operationId: book
                  parameters: [{name: key, in: path, required: true, schema: \(schema)}]
                  responses: {'204': {description: x}}
            """
        let tests = Generated(document).tests.values.joined()
        #expect(tests.contains(##"TestAPI.Book(key: try sample(#"{"name": "text"}"#))"##))
    }

    /// No fact distinguishes the two objects, and the first one is guessed, which has no `field`.
    @Test func `an example of a guessed branch is compared with what the branch has`() throws {
        func schema(_ members: String) -> String {
            "{type: object, properties: {errors: {type: array, items: {type: object, properties: {\(members)}}}}}"
        }
        let branches = [schema("a: {type: string}"), schema("a: {type: string}, b: {type: string}")]
        let examples = ["a: x", "a: y", "b: z"].map { "e\($0.last!): {value: {errors: [{\($0)}]}}" }
        let content =
            "schema: {oneOf: [\(branches.joined(separator: ", "))]}, examples: {\(examples.joined(separator: ", "))}"
        let generated = Generated(
            operation: "responses: {'200': {description: x, content: {application/json: {\(content)}}}}")
        let tests = try #require(generated.tests.values.first { $0.contains("are decoded and encoded") })
        let lines = tests.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.contains { $0.hasPrefix("try expectRoundTrip") && $0.contains(#"{"errors": [{"a": "y"}]}"#) })
        #expect(lines.contains { $0.hasPrefix("try expectDecoding") && $0.contains(#"{"errors": [{"b": "z"}]}"#) })
    }

    @Test(arguments: ["{title: 1}", "{pages: 1}", "{title: x, other: 1}", "[]"])
    func `an example that does not fit is reported, and replaced`(_ example: String) {
        let generated = test(example: example)
        #expect(generated.messages.count == 1)
        #expect(
            generated.tests["BooksTests.swift"]?.contains(##"let example = Data(#"{"title": "text"}"#.utf8)"##) == true)
    }

    @Test func `a required member that is always null is in a sample`() {
        let schema = "{type: object, required: [a, b], properties: {a: {type: 'null'}, b: {type: [string, 'null']}}}"
        let response = "content: {application/json: {schema: \(schema), example: {b: x}}}"
        let generated = Generated(operation: "responses: {'200': {description: x, \(response)}}")
        #expect(generated.messages.count == 1)
        #expect(generated.messages.first?.contains("the example does not fit its schema") == true)
        #expect(generated.tests.values.joined().contains(##"let example = Data(#"{"a": null}"#.utf8)"##))
    }

    @Test func `messages about examples are in the order of the tests' files`() {
        let paths = "abcdefgh".map { tag in
            """
              /\(tag):
                get:
                  tags: [\(tag)]
                  responses:
                    '200': {description: x, content: {application/json: {schema: {type: integer}, example: \(tag)}}}

            """
        }
        let generated = Generated(
            "openapi: 3.1.0\ninfo: {title: Test, version: '1'}\npaths:\n" + paths.joined())
        let places = generated.messages.compactMap { $0.split(separator: "\n").last.map(String.init) }
        #expect(places.map { $0.split(separator: "/")[2] } == ["~1a", "~1b", "~1c", "~1d", "~1e", "~1f", "~1g", "~1h"])
    }

    @Test(arguments: [
        "2026-11-26T03:40:42Z", "2026-11-26T03:40:42.5Z", "2026-11-26T03:40:42.125-14:59", "0001-01-31T23:59:59+05:30",
        "2026-11-26T03:40:42.123456Z", "2026-11-26T03:40:42.123456789+01:00",
    ])
    func `a date with any fraction is an example`(_ text: String) {
        #expect(Samples.isDate(text))
    }

    @Test(arguments: [
        "", "2026-11-26", "2026-11-26T03:40:42", "2026-11-26T03:40:42.Z",
        "2026-02-29T03:40:42Z", "2026-00-26T03:40:42Z", "2026-13-26T03:40:42Z", "2026-11-00T03:40:42Z",
        "0000-11-26T03:40:42Z", "2026-11-26T24:40:42Z", "2026-11-26T03:60:42Z", "2026-11-26T03:40:60Z",
        "2026-11-26T03:40:42+15:00", "2026-11-26T03:40:42+05:60", "2026-11-26T03:40:42+0530", "2026-11-26 03:40:42Z",
        "2026-11-26T03:40:42Z ", "2026-11-26T03:40:42z", "\u{0662}026-11-26T03:40:42Z", "2026-11-26T03:40:42.125-1",
    ])
    func `other dates are not examples`(_ text: String) {
        #expect(!Samples.isDate(text))
    }
}
