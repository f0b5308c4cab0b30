import Testing

@testable import ErrandOpenAPI

/// The media types of bodies and responses, with their parameters, and the choice among several.
@Suite struct MediaTypeTests {
    private func request(_ operation: String, media: [String] = []) -> Generated {
        var options = ClientModel.Options()
        options.media = media
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths: {/items: {post: {operationId: items, \(operation)}}}
            """
        return Generated(text, options: options)
    }

    @Test(arguments: [
        ("'application/vnd.a+json; version=2'", #".encoded(body, type: "application/vnd.a+json; version=2")"#),
        ("'application/json;odata=minimal'", #".encoded(body, type: "application/json; odata=minimal")"#),
        (#"'APPLICATION/JSON ; Profile="urn:A;b"'"#, #".encoded(body, type: "application/json; Profile=\"urn:A;b\"")"#),
        ("application/json", ".json(body)"), ("'text/plain; charset=UTF-8'", ".text(body)"),
        (
            "'text/csv; header=present'", #".data(Data(body.utf8), type: "text/csv; header=present")"#
        ),
        ("'image/svg; a=b'", #".upload(body, type: "image/svg; a=b")"#),
        (
            "'application/x-www-form-urlencoded; charset=utf-8'",
            ".urlEncoded(URLQuery(encoding: body))\n            "
                + #"headers["Content-Type"] = "application/x-www-form-urlencoded; charset=utf-8""#
        ),
    ])
    func `a body has the parameters of its media type`(_ type: String, _ body: String) {
        let generated = request("requestBody: {required: true, content: {\(type): {}}}, responses: {'204': {}}")
        #expect(generated.code("Requests/Items.swift").contains("self.body = \(body)"))
    }

    @Test(arguments: [
        ("'application/ld+json; profile=\"urn:x\"'", #"headers["Accept"] = "application/ld+json; profile=\"urn:x\"""#),
        ("'application/json;odata=minimal'", #"headers["Accept"] = "application/json; odata=minimal""#),
        ("'text/event-stream; v=1'", #"headers["Accept"] = "text/event-stream; v=1""#),
    ])
    func `a request accepts the media type of its response with the parameters`(_ type: String, _ statement: String) {
        let generated = request("responses: {'200': {content: {\(type): {schema: {type: object}}}}}")
        #expect(generated.code("Requests/Items.swift").contains(statement))
    }

    @Test func `a text in another charset is sent in UTF-8, with a warning`() {
        let generated = request("requestBody: {content: {'text/csv; charset=latin1': {}}}, responses: {'204': {}}")
        #expect(generated.code("Requests/Items.swift").contains(#"type: "text/csv; charset=utf-8")"#))
        #expect(generated.messages.contains { $0.contains("warning: the text is sent in UTF-8, not in latin1") })
    }

    @Test(arguments: [
        ("multipart/form-data", nil), ("multipart/*", nil), ("multipart/mixed", "multipart/mixed"),
        ("'multipart/mixed; boundary=x; a=b'", "multipart/mixed; a=b"),
        ("multipart/alternative", "multipart/alternative"),
        // Related parts say the type of the first one.
        ("multipart/related", #"multipart/related; type=\"application/json\""#),
        ("'multipart/related; type=\"text/xml\"'", #"multipart/related; type=\"text/xml\""#),
    ])
    func `a multipart body has the type of the document`(_ type: String, _ sent: String?) {
        let schema =
            "{type: object, required: [a, b], properties: {a: {type: object, properties: {c: {}}}, b: {type: string}}}"
        let code = request(
            "requestBody: {required: true, content: {\(type): {schema: \(schema)}}}, responses: {'204': {}}"
        )
        .code("Requests/Items.swift")
        #expect(code.contains("body = .multipart(form)"))
        let line = code.split(separator: "\n").first { $0.contains("Content-Type") }.map { $0.drop { $0 == " " } }
        #expect(line.map(String.init) == sent.map { "headers[\"Content-Type\"] = \"\($0)\"" })
    }

    @Test(arguments: [
        ([], "Int, any Error", nil), (["text/csv"], "String, any Error", "text/csv"),
        (["image/png", "application/pdf"], "Data, any Error", "application/pdf"),
        (["application/json; v=2", "text/csv"], "Bool, any Error", "application/json; v=2"),
        (["application/xml"], "Int, any Error", nil),
    ])
    func `the configuration chooses among the media types of a response`(
        _ media: [String], _ output: String, _ accept: String?
    ) {
        let content = """
            application/json: {schema: {type: integer}}, 'application/json; v=2': {schema: {type: boolean}}, \
            text/csv: {}, application/pdf: {}
            """
        let code = request("responses: {'200': {content: {\(content)}}}", media: media).code("Requests/Items.swift")
        #expect(code.contains("start() -> Pipeline<\(output)>"))
        #expect(code.contains("Accept") == (accept != nil))
        if let accept { #expect(code.contains("headers[\"Accept\"] = \"\(accept)\"")) }
    }

    /// The encoder of JSON writes the fraction of a second, which a query leaves out.
    @Test(arguments: [
        ("{name: a, in: query, schema: DATE}", #"query.append("a", encoding: a)"#),
        ("{name: a, in: query, schema: {type: array, items: DATE}}", #"query.append("a", encoding: a)"#),
        ("{name: a, in: query, allowReserved: true, schema: DATE}", #"query.append("a", encoding: a)"#),
        ("{name: a, in: query, schema: {type: string, format: date}}", #"query.append("a", a)"#),
    ])
    func `a date in a query has a fraction`(_ parameter: String, _ statement: String) {
        let parameter = parameter.replacing("DATE", with: "{type: string, format: date-time}")
        let code = request("parameters: [\(parameter)], responses: {'204': {}}").code("Requests/Items.swift")
        #expect(code.contains(statement))
    }

    @Test(arguments: [
        ("a: {type: string}", "", "URLQuery(encoding: body)"), ("a: DATE", "", "URLQuery(encoding: body, styles: [:])"),
        ("a: {type: array, items: DATE}", "", "URLQuery(encoding: body, styles: [:])"),
        (
            "a: {type: object, properties: {b: DATE}}", ", encoding: {a: {style: deepObject}}",
            "URLQuery(deepObject: body)"
        ),
        (
            "a: {type: object, properties: {b: {}}}", ", encoding: {a: {style: deepObject}}",
            "URLQuery(deepObject: body)"
        ),
    ])
    func `a form with dates is encoded with their fractions`(_ property: String, _ encoding: String, _ query: String) {
        let properties = property.replacing("DATE", with: "{type: string, format: date-time}")
        let schema = "schema: {type: object, properties: {\(properties)}}\(encoding)"
        let content = "application/x-www-form-urlencoded: {\(schema)}"
        let code = request("requestBody: {required: true, content: {\(content)}}, responses: {'204': {}}")
            .code("Requests/Items.swift")
        #expect(code.contains(query))
    }

    @Test(arguments: [
        ("{type: integer}", "Int"), ("{type: number}", "Double"), ("{type: boolean}", "Bool"),
        ("{type: object}", "[String: JSONValue]"), ("{type: array, items: {type: string}}", "[String]"),
        ("{type: object, properties: {a: {type: string}}}", "Response"), ("{enum: [a, b]}", "Response"),
        // A server can write a text as it is.
        ("{type: string}", nil), ("{type: string, format: date-time}", nil), ("{type: string, format: binary}", nil),
        ("{}", nil),
    ])
    func `a response of any media type is JSON if its schema is not a text`(_ schema: String, _ type: String?) {
        let generated = request("responses: {'200': {description: x, content: {'*/*': {schema: \(schema)}}}}")
        let code = generated.code("Requests/Items.swift")
        #expect(code.contains(type.map { "decode(\($0).self)" } ?? #"map(\.data)"#), "\(code)")
        #expect(generated.messages.allSatisfy { !$0.contains("[response]") }, "\(generated.messages)")
    }

    @Test(arguments: [("{type: object, properties: {a: {type: integer}}}", true), ("{type: string}", false)])
    func `an error document of any media type is JSON if its schema is not a text`(_ schema: String, _ isJSON: Bool) {
        let failure = "'404': {description: x, content: {'*/*': {schema: \(schema)}}}"
        let generated = request("responses: {'204': {description: x}, \(failure)}")
        #expect(generated.code("Requests/Items.swift").contains("struct ErrorDocument") == isJSON)
        #expect(generated.messages.allSatisfy { !$0.contains("[response]") }, "\(generated.messages)")
        let stub = generated.stubs.values.joined()
        #expect(stub.contains(#""type": "application/json""#) == isJSON, "\(stub)")
    }
}
