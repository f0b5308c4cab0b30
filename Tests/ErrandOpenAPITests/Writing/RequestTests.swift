import Testing

@testable import ErrandOpenAPI

/// The rows of the design's table of operations.
@Suite struct RequestTests {
    /// The statements of the request's initializer.
    private func statements(_ operation: String) -> [String] {
        let lines = Generated(operation: operation).code("Requests/Items.swift").split(separator: "\n")
        let body = lines.drop { !$0.contains("super.init()") }.dropFirst().prefix { $0 != "        }" }
        return body.map { String($0.drop { $0 == " " }) }.filter { !$0.hasPrefix("path =") }
    }

    @Test(arguments: [
        ("{name: a, in: query, schema: {type: string}}", #"query.append("a", a)"#),
        ("{name: a, in: query, schema: {type: array, items: {type: string}}}", #"query.append("a", a)"#),
        (
            "{name: a, in: query, explode: false, schema: {type: array, items: {type: string}}}",
            #"query.append("a", encoding: a, explode: false)"#
        ),
        (
            "{name: a, in: query, style: pipeDelimited, schema: {type: array, items: {type: string}}}",
            #"query.append("a", encoding: a, style: .pipeDelimited, explode: false)"#
        ),
        (
            "{name: a, in: query, style: spaceDelimited, schema: {type: array, items: {type: string}}}",
            #"query.append("a", encoding: a, style: .spaceDelimited, explode: false)"#
        ),
        (
            "{name: a, in: query, style: deepObject, schema: {type: object}}",
            #"query.append("a", encoding: a, style: .deepObject)"#
        ),
        ("{name: a, in: query, schema: {type: object}}", #"query.append("a", encoding: a)"#),
        ("{name: a, in: query, content: {application/json: {schema: {type: object}}}}", #"query.append("a", json: a)"#),
        ("{name: X-A, in: header, schema: {type: integer}}", #"headers.append("X-A", encoding: xA)"#),
        ("{name: a, in: cookie, schema: {type: boolean}}", #"headers.append(cookie: "a", encoding: a)"#),
        (
            "{name: a, in: cookie, content: {application/json: {schema: {type: object}}}}",
            #"headers.append(cookie: "a", json: a)"#
        ),
        ("{name: a, in: header, content: {application/json: {}}}", #"headers.append("a", json: a)"#),
        ("{name: query, in: query, schema: {type: string}}", #"self.query.append("query", query)"#),
    ])
    func `a parameter is sent in its style`(_ parameter: String, _ statement: String) {
        #expect(statements("parameters: [\(parameter)]") == [statement])
    }

    @Test(arguments: [
        ("{name: id, in: path, required: true, schema: {type: string}}", #"path = "/items/\(id, as: "id")""#),
        (
            "{name: id, in: path, required: true, schema: {type: array, items: {type: string}}}",
            #"path = "/items/\(encoding: id, as: "id")""#
        ),
        (
            "{name: id, in: path, required: true, schema: {type: string, format: date}}",
            #"path = "/items/\(encoding: id, as: "id")""#
        ),
        (
            "{name: id, in: path, required: true, style: matrix, schema: {type: string}}",
            #"path = "/items/\(encoding: id, style: .matrix, name: "id", as: "id")""#
        ),
        (
            "{name: id, in: path, required: true, style: label, explode: true, schema: {type: array, items: {type: string}}}",
            #"path = "/items/\(encoding: id, style: .label, name: "id", explode: true, as: "id")""#
        ),
    ])
    func `a parameter of the path is written into its place`(_ parameter: String, _ statement: String) {
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths:
              /items/{id}:
                get: {operationId: items, parameters: [\(parameter)], responses: {'204': {description: Done.}}}
            """
        #expect(Generated(text).code("Requests/Items.swift").contains(statement))
    }

    @Test(arguments: [
        "required: true, schema: {anyOf: [{type: integer}, {type: 'null'}]}", "schema: {type: [integer, 'null']}",
        "schema: {type: integer}",
    ])
    func `a parameter of the path always has a value`(_ members: String) {
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths: {'/items/{id}': {get: {operationId: items, parameters: [{name: id, in: path, \(members)}]}}}
            """
        #expect(Generated(text).code("Requests/Items.swift").contains("init(id: Int) {"))
    }

    @Test(arguments: [
        ("{name: a, in: query, required: true, schema: {type: [string, 'null']}}", "a: String? = nil"),
        ("{name: a, in: query, required: true, schema: {anyOf: [{type: integer}, {type: 'null'}]}}", "a: Int? = nil"),
        ("{name: a, in: header, required: true, schema: {type: [string, 'null']}}", "a: String? = nil"),
        ("{name: a, in: cookie, required: true, schema: {enum: [x, null]}}", "a: String? = nil"),
        ("{name: a, in: query, required: true, schema: {}}", "a: JSONValue"),
        ("{name: a, in: query, required: true, schema: {const: x}}", "a: String = \"x\""),
        ("{name: a, in: query, schema: {const: x}}", "a: String? = nil"),
        ("{name: a, in: query, schema: {type: [string, 'null']}}", "a: String? = nil"),
    ])
    func `a required parameter that cannot be null has no default except its only value`(
        _ parameter: String, _ argument: String
    ) {
        let code = Generated(operation: "parameters: [\(parameter)]").code("Requests/Items.swift")
        #expect(code.contains("init(\(argument)) {"), "\(code)")
    }

    @Test func `each element of a required array that can be null is an item`() {
        let parameter = "{name: a, in: query, required: true, schema: {type: [array, 'null'], items: {type: string}}}"
        #expect(statements("parameters: [\(parameter)]") == [#"query.append("a", a)"#])
    }

    @Test(arguments: [
        ("application/json: {schema: {type: string}}", ".json(body).withAnyMethod()"),
        (
            "application/merge-patch+json: {schema: {type: object}}",
            #".encoded(body, type: "application/merge-patch+json").withAnyMethod()"#
        ),
        (
            "application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: string}}}}",
            ".urlEncoded(URLQuery(encoding: body)).withAnyMethod()"
        ),
        ("text/plain: {schema: {type: string}}", ".text(body).withAnyMethod()"),
        ("image/png: {schema: {type: string, format: binary}}", #".upload(body, type: "image/png").withAnyMethod()"#),
        ("'*/*': {schema: {type: string, format: binary}}", ".upload(body, type: nil).withAnyMethod()"),
    ])
    func `a body is encoded as its media type`(_ content: String, _ body: String) {
        #expect(
            statements("requestBody: {required: true, content: {\(content)}}") == ["self.body = RequestBody\(body)"])
    }

    @Test func `the parts of a multipart form are parameters`() {
        let operation = """
            requestBody:
              required: true
              content:
                multipart/form-data:
                  schema:
                    type: object
                    required: [image]
                    properties: {image: {type: string, format: binary}, caption: {type: string}, more: {type: object}}
                  encoding: {image: {contentType: image/png}}
            """
        #expect(
            statements(operation) == [
                "var form = MultipartForm()", #"form.append("image", image, type: "image/png")"#,
                #"form.append("caption", caption)"#,
                #"form.append("more", json: more)"#, "body = RequestBody.multipart(form).withAnyMethod()",
            ])
    }

    @Test(arguments: [
        (
            "'200': {description: x, content: {application/json: {schema: {type: integer}}}}",
            "Pipeline<Int, any Error> { sendRequest().decode(Int.self) }"
        ),
        ("'204': {description: x}", "Pipeline<Void, any Error> { sendRequest().decodeVoid() }"),
        (
            "default: {description: x, content: {application/json: {schema: {type: integer}}}}",
            "Pipeline<Int, any Error> { sendRequest().decode(Int.self) }"
        ),
        (
            "'200': {description: x, content: {application/json: {schema: {type: integer}}}}, '204': {description: y}",
            "Pipeline<Int?, any Error> { sendRequest().decode(Int?.self) }"
        ),
        (
            "'200': {content: {application/json: {schema: {type: integer}}}}, '204': {content: {application/json: {}}}",
            "Pipeline<Int?, any Error> { sendRequest().decode(Int?.self) }"
        ),
        ("'205': {content: {application/json: {}}}", "Pipeline<Void, any Error> { sendRequest().decodeVoid() }"),
        (
            "'200': {description: x, content: {application/json: {schema: {type: integer}}}}, '201': {description: y, content: {application/json: {schema: {type: string}}}}",
            "Pipeline<Response, any Error> { sendRequest().tryMap { try Response($0) } }"
        ),
        (
            "'200': {description: x, content: {text/plain: {}}}",
            "Pipeline<String, any Error> { sendRequest().decodeText() }"
        ),
        (
            "'200': {description: x, content: {image/png: {}}}",
            #"Pipeline<Data, any Error> { sendRequest().map(\.data) }"#
        ),
        (
            "'200': {description: x, content: {application/xml: {}}}",
            #"Pipeline<Data, any Error> { sendRequest().map(\.data) }"#
        ),
        (
            "'200': {description: x, content: {text/event-stream: {schema: {type: integer}}}}",
            #"sendStream().eventSource().values(of: Int.self, until: "[DONE]")"#
        ),
        (
            "'200': {description: x, content: {application/x-ndjson: {schema: {type: integer}}}}",
            "some AsyncSequence<Int, any Error> & Sendable { sendStream().values(of: Int.self) }"
        ),
    ])
    func `the responses decide the output`(_ responses: String, _ start: String) {
        let code = Generated(operation: "responses: {\(responses)}").code("Requests/Items.swift")
        #expect(code.replacing("\n            ", with: " ").replacing("\n        }", with: " }").contains(start))
    }

    @Test func `a response to HEAD has no body, and the header fields of its content`() {
        let generated = Generated(
            """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths: {/items: {head: {operationId: items, responses: {'200': {content: {image/png: {}}}}}}}
            """)
        let code = generated.code("Requests/Items.swift")
        #expect(code.contains("sendRequest().decodeVoid()"), "\(code)")
        #expect(code.contains(#"headers["Accept"] = "image/png""#), "\(code)")
        let note = "note: the response 200 to HEAD has no body; its content is ignored [response]"
        #expect(generated.messages.contains { $0.contains(note) }, "\(generated.messages)")
    }

    @Test func `a body without members is not sent`() {
        let body =
            "requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, additionalProperties: false}}}}"
        let generated = Generated(operation: body)
        #expect(!generated.code("Requests/Items.swift").contains("body"))
        #expect(generated.messages.contains { $0.contains("the body has no members, and is not sent [body]") })
    }

    @Test func `an operation without an identifier is named after method and path`() {
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths:
              /v1/series/{id}: {get: {parameters: [{name: id, in: path, schema: {type: string}}], responses: {}}}
              /v1/series: {get: {operationId: list, responses: {}}, post: {operationId: list, responses: {}}}
            """
        let generated = Generated(text)
        #expect(
            generated.files.keys.sorted() == [
                "Requests/GetSeriesID.swift", "Requests/List.swift", "Requests/PostSeries.swift", "TestAPI.swift",
            ])
        #expect(
            generated.messages.contains {
                $0.contains("the operationId \"list\" is also that of GET /v1/series [name]")
            })
    }

    @Test func `an upload chooses among several media types`() {
        let operation = """
            requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {a: {type: string, format: binary}, b: {type: string, format: binary}}}, encoding: {a: {contentType: 'image/png, image/jpeg'}, b: {contentType: image/png}}}}}
            responses: {'204': {description: x}}
            """
        let code = Generated(operation: operation).code("Requests/Items.swift")
        #expect(code.contains(#"form.append("a", a, types: ["image/png", "image/jpeg"])"#))
        #expect(code.contains("The media type is one of image/png, image/jpeg."))
        #expect(code.contains(#"form.append("b", b, type: "image/png")"#))
    }

    @Test func `a type that two requests use belongs to neither`() {
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths:
              /a: {get: {operationId: a, responses: {'200': {content: {application/json: {schema: {$ref: c.yaml}}}}}}}
              /b: {get: {operationId: b, responses: {'200': {content: {application/json: {schema: {properties: {b: {allOf: [{$ref: c.yaml}, {properties: {e: {}}}]}}}}}}}}}
            """
        let parts = ["c", "d"].map { "{properties: {part: {type: object, properties: {\($0): {type: string}}}}}" }
        let generated = Generated(text, others: ["c.yaml": "allOf: [\(parts.joined(separator: ", "))]"])
        #expect(generated.messages == [])
        #expect(generated.files.keys.contains("Models/Part.swift"))
        #expect(generated.members("Models/Part.swift").prefix(2) == ["var c: String?", "var d: String?"])
    }

    @Test func `a deprecated operation is marked`() {
        #expect(
            Generated(operation: "deprecated: true").code("Requests/Items.swift").contains("@available(*, deprecated)"))
    }

    @Test(arguments: [
        (
            "parameters: [{name: a, in: query, allowReserved: true, schema: {type: array, items: {type: string}}}]",
            "the reserved characters of the parameter \"a\" are escaped"
        ),
        (
            "requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, "
                + "properties: {s: {type: string}}}, encoding: {s: {allowReserved: true}}}}}",
            "the reserved characters of the field \"s\" are escaped"
        ),
    ])
    func `an encoding that is not sent is a warning`(_ operation: String, _ text: String) {
        let messages = Generated(operation: operation + "\nresponses: {'204': {description: x}}").messages
        #expect(messages.count { $0.contains("warning: \(text) [unsupported]") } == 1, "\(messages)")
        let plain = operation.replacing("true", with: "false")
        let none = Generated(operation: plain + "\nresponses: {'204': {description: x}}").messages
        #expect(!none.contains { $0.contains("[unsupported]") }, "\(none)")
    }
}
