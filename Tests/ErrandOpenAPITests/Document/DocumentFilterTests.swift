import Testing

@testable import ErrandOpenAPI

/// The parts of a document that a filter chooses by the names of schemas.
@Suite struct DocumentFilterTests {
    private static let document = """
        openapi: 3.1.0
        info: {title: Shop, version: '1'}
        paths:
          /a:
            get:
              operationId: a
              tags: [a]
              responses: {'200': {description: x, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}
          /broken: {get: {operationId: broken, responses: [1]}}
        webhooks: {paid: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}}
        components:
          schemas:
            A: {properties: {a: {type: string}}}
            Order: {properties: {lines: {type: array, items: {$ref: '#/components/schemas/Line'}}}}
            Line: {properties: {text: {type: string}}}
            Other: {properties: {a: {$ref: '#/components/schemas/Missing'}}}
        """

    private func generated(_ filter: DocumentFilter) -> Generated {
        var options = ClientModel.Options()
        options.filter = filter
        return Generated(Self.document, options: options)
    }

    @Test func `schemas alone are generated with what they need, and nothing else`() {
        let generated = generated(DocumentFilter(schemas: ["Order"]))
        #expect(generated.files.keys.sorted() == ["Models/Line.swift", "Models/Order.swift"])
        #expect(generated.tests.isEmpty && generated.stubs.isEmpty && generated.messages == [])
    }

    @Test func `schemas are generated beside the chosen operations`() {
        let generated = generated(DocumentFilter(tags: ["a"], schemas: ["Line"]))
        #expect(
            generated.files.keys.sorted() == [
                "Models/A.swift", "Models/Line.swift", "Requests/A/A+Request.swift", "ShopAPI.swift", "Webhooks.swift",
            ])
    }

    @Test func `a misspelled name is an error, with the one that is most like it`() {
        let messages = generated(DocumentFilter(schemas: ["Oder"])).messages
        #expect(messages == ["error: no schema has the name \"Oder\"; did you mean Order? [configuration]"])
    }
}
