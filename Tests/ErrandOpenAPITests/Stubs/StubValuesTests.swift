import Testing

@testable import ErrandOpenAPI

@Suite struct StubValuesTests {
    /// The body of the stub of `GET /items`, whose response has a schema and perhaps examples.
    private func value(_ schema: String, media: String = "", components: String = "") -> String? {
        let content = "{application/json: {schema: \(schema)\(media)}}"
        let generated = Generated(
            operation: "responses: {'200': {description: x, content: \(content)}}",
            components: "schemas: {\(components)}")
        let responses = generated.stubDocument?["responses"]
        return responses?.members.first?.value["content"]?.elements.first?["value"]?.json
    }

    @Test(arguments: [
        ("{type: string}", "\"text\""), ("{type: boolean}", "true"), ("{type: integer}", "1"),
        ("{type: number}", "1.5"), ("{type: string, format: date-time}", "\"2026-01-15T09:30:00Z\""),
        ("{type: string, format: date}", "\"2026-01-15\""), ("{type: string, format: byte}", "\"AAEC\""),
        ("{type: string, format: uuid}", "\"5c0f4cf6-5c4b-4f0b-9c1a-2d6f0a7b3e11\""),
        ("{type: string, format: email}", "\"user@example.com\""),
        ("{type: string, format: uri}", "\"https://example.com/\""), ("{type: string, minLength: 6}", "\"textte\""),
        ("{type: string, maxLength: 2}", "\"te\""), ("{type: integer, minimum: 10}", "10"),
        ("{type: integer, exclusiveMinimum: 10}", "11"), ("{type: integer, maximum: -3}", "-3"),
        ("{type: integer, exclusiveMaximum: 1}", "0"), ("{type: integer, minimum: 7, multipleOf: 5}", "10"),
        ("{type: integer, maximum: 18446744073709551615}", "1"), ("{type: number, minimum: 2, maximum: 3}", "2.5"),
        ("{type: number, maximum: 1}", "0"), ("{enum: [on-loan, available]}", "\"on-loan\""),
        ("{type: array, items: {type: integer}}", "[1]"),
        ("{type: array, minItems: 2, items: {type: integer}}", "[1, 1]"),
        ("{type: object, additionalProperties: {type: integer}}", "{\"key\": 1}"),
        ("{type: [string, 'null'], minLength: 1}", "\"text\""), ("{type: string, minLength: -1e30}", "\"text\""),
        ("{type: number, minimum: 1e999}", "1.5"), ("{type: number, minimum: 1.7e308, maximum: 1.7e308}", "1.7e+308"),
        ("{type: number, multipleOf: 0}", "1.5"), ("{type: integer, multipleOf: 1e999}", "1"),
        ("{type: integer, minimum: 5, maximum: 3}", "3"), ("{type: string, maxLength: -1e999}", "\"text\""),
        ("{type: array, minItems: 1e30, items: {type: integer}}", "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"),
    ])
    func `a value has the type, the format and the limits of its schema`(_ schema: String, _ json: String) {
        #expect(value(schema) == json)
    }

    @Test func `an example of the document is preferred, if the client can decode it`() {
        let schema = "{type: integer, example: 3, default: 4}"
        #expect(value(schema, media: ", example: 2") == "2")
        #expect(value(schema, media: ", examples: {a: {value: x}, b: {value: 5}}") == "5")
        #expect(value(schema, media: ", example: x") == "3")
        #expect(value("{type: integer, example: x, default: 4}") == "4")
        #expect(value("{type: integer, example: x, default: y}") == "1")
        #expect(value("{type: integer, examples: [x, 6]}") == "6")
        #expect(value("{$ref: '#/components/schemas/A'}", components: "A: {type: integer, example: 7}") == "7")
        let list = "{type: array, items: {$ref: '#/components/schemas/A'}}"
        #expect(value(list, components: "A: {enum: [a, b], example: b}") == "[\"b\"]")
    }

    @Test func `an object has its required members, and the optional ones of its outermost levels`() {
        let inner = "{properties: {d: {properties: {e: {properties: {f: {type: string}}}}}}}"
        let schema = "{required: [a], properties: {a: {type: string}, b: {type: integer, example: 2}, c: \(inner)}}"
        #expect(value(schema) == #"{"a": "a", "b": 2, "c": {"d": {"e": {}}}}"#)
        #expect(value("{properties: {secret: {type: string, writeOnly: true}}}") == "{}")
    }

    @Test func `a value that contains itself ends at the first place that may be left out`() {
        let node =
            "Node: {required: [id, children, next], properties: {id: {type: integer}, "
            + "children: {type: array, items: {$ref: '#/components/schemas/Node'}}, "
            + "next: {anyOf: [{$ref: '#/components/schemas/Node'}, {type: 'null'}]}, "
            + "parent: {$ref: '#/components/schemas/Node'}}}"
        #expect(
            value("{$ref: '#/components/schemas/Node'}", components: node)
                == #"{"id": 1, "children": [], "next": null}"#)
    }

    @Test func `a union has its first branch, with the value of the discriminator`() {
        let components = "Cat: {properties: {name: {type: string}}}, Dog: {properties: {name: {type: string}}}"
        let union =
            "{oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], "
            + "discriminator: {propertyName: kind, mapping: {tom: '#/components/schemas/Cat'}}}"
        #expect(value(union, components: components) == #"{"kind": "tom", "name": "name"}"#)
        #expect(value("{oneOf: [{type: integer, minimum: 3}, {type: string}]}") == "3")
    }

    /// Unions whose branches are objects with a required member of another union.
    private func unions(_ count: Int, next: (Int, Int) -> Int) -> String {
        (0..<count).map { index in
            let branches = (0..<4).map { branch in
                let target = "{$ref: '#/components/schemas/U\(next(index, branch) % count)'}"
                return "{required: [p\(branch)], properties: {p\(branch): \(target)}}"
            }
            return "U\(index): {oneOf: [\(branches.joined(separator: ", "))]}"
        }.joined(separator: ", ")
    }

    @Test func `the search for a value ends in unions that have none`() {
        let ring = unions(8) { index, _ in index + 1 }
        let dense = unions(12) { index, branch in index + 1 + 2 * branch }
        for components in [ring, dense] {
            #expect(value("{$ref: '#/components/schemas/U0'}", components: components) == "null")
        }
    }

    @Test func `a value that is missing within itself is found elsewhere`() {
        let components =
            "A: {required: [b], properties: {b: {$ref: '#/components/schemas/B'}}}, "
            + "B: {oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/C'}]}, "
            + "C: {required: [c], properties: {c: {type: string}}}"
        let schema =
            "{required: [x, y], properties: {x: {$ref: '#/components/schemas/B'}, y: {$ref: '#/components/schemas/A'}}}"
        #expect(value(schema, components: components) == #"{"x": {"c": "c"}, "y": {"b": {"c": "c"}}}"#)
    }

    @Test func `arrays in arrays do not multiply their lengths without limit`() {
        let schema = (0..<8).reduce("{type: integer}") { schema, _ in
            "{type: array, minItems: 10, items: \(schema)}"
        }
        #expect(value(schema)?.utf8.count ?? .max < 8_000)
    }

    @Test func `a value that is too large has its required members only`() {
        let members = (1...300).map { "p\($0): {type: string}" }.joined(separator: ", ")
        let value = value("{type: array, items: {required: [p1], properties: {\(members)}}}")
        #expect(value?.utf8.count ?? 0 < 8_000)
        #expect(value?.contains("\"p1\"") == true)
    }

    @Test func `required header fields and texts have values, and a list is its only page`() throws {
        let operation = """
            operationId: items
            parameters: [{name: cursor, in: query, schema: {type: string}}]
            responses:
              '200':
                description: x
                headers: {X-A: {required: true, schema: {type: integer}}, X-B: {schema: {type: integer}}}
                content: {application/json: {schema: {properties: {items: {type: array, items: {type: string}}, next_cursor: {type: string}}}}}
              '404': {description: x, content: {text/plain: {schema: {type: string}, example: missing}}}
            """
        let document = try #require(Generated(operation: operation).stubDocument)
        let responses = try #require(document["responses"])
        let names = try #require(document["operations"]?["items"]?["responses"])
        let success = try #require(names["200"]?.string.flatMap { responses[$0] })
        #expect(success["headers"]?.json == #"{"X-A": "1"}"#)
        #expect(success["content"]?.elements.first?["value"]?.json == #"{"items": ["text"]}"#)
        let failure = try #require(names["404"]?.string.flatMap { responses[$0] })
        #expect(failure.json == #"{"content": [{"type": "text/plain", "text": "missing"}]}"#)
        #expect(document["operations"]?["items"]?["pages"]?.json == #"{"parameter": "cursor", "items": ["items"]}"#)
    }

    @Test(arguments: [
        ("first: {type: boolean}, last: {type: boolean}", #""first": true, "last": true"#),
        ("has_next: {type: boolean}", #""has_next": false"#),
        ("count: {type: integer}, next: {type: [string, 'null']}", #""count": 1"#),
    ])
    func `a page by number is the last one`(_ properties: String, _ members: String) {
        let schema = "{properties: {items: {type: array, items: {type: string}}, \(properties)}}"
        let operation = """
            operationId: items
            parameters: [{name: page, in: query, schema: {type: integer}}]
            responses: {'200': {description: x, content: {application/json: {schema: \(schema)}}}}
            """
        let response = Generated(operation: operation).stubDocument?["responses"]?.members.first?.value
        #expect(response?["content"]?.elements.first?["value"]?.json == #"{"items": ["text"], \#(members)}"#)
    }
}

extension Generated {
    /// What the stubs know of the document.
    var stubDocument: Node? {
        client.map { StubData($0, Samples($0.types)).document($0.requests.map { SwiftName.member($0.name) }) }
    }
}
