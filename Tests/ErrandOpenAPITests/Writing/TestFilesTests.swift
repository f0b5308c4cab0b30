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

    @Test(arguments: ["{title: 1}", "{pages: 1}", "{title: x, other: 1}", "[]"])
    func `an example that does not fit is reported, and replaced`(_ example: String) {
        let generated = test(example: example)
        #expect(generated.messages.count == 1)
        #expect(
            generated.tests["BooksTests.swift"]?.contains(##"let example = Data(#"{"title": "text"}"#.utf8)"##) == true)
    }
}
