import Testing

@testable import ErrandOpenAPI

/// The values of the parts of multipart bodies.
@Suite struct FormTests {
    /// Generates the request with a form of the part `a`.
    private func form(_ schema: String, required: String = "", components: String = "") -> Generated {
        let schema = "{type: object, required: [\(required)], properties: {a: \(schema)}}"
        let body = "requestBody: {required: true, content: {multipart/form-data: {schema: \(schema)}}}"
        return Generated(operation: "\(body)\nresponses: {'204': {description: x}}", components: components)
    }

    @Test(arguments: [
        ("{type: string, enum: [auto]}", "a: String? = nil", #"a: String = "auto""#),
        ("{const: 3}", "a: Int? = nil", "a: Int = 3"),
        ("{type: [string, 'null'], enum: [big, null]}", "a: String? = nil", "a: String? = nil"),
        ("{type: [string, 'null']}", "a: String? = nil", "a: String? = nil"),
        ("{type: string}", "a: String? = nil", "a: String"),
        ("{type: [string, 'null'], format: binary}", "a: Upload? = nil", "a: Upload? = nil"),
    ])
    func `only a required part has its only value as the default`(
        _ schema: String, _ optional: String, _ required: String
    ) {
        #expect(form(schema).code("Requests/Items.swift").contains("init(\(optional)) {"))
        #expect(form(schema, required: "a").code("Requests/Items.swift").contains("init(\(required)) {"))
    }

    @Test(arguments: [
        ("{oneOf: [{type: string}, {type: integer}]}", "encoding: a"),
        ("{anyOf: [{type: string}, {type: array, items: {type: string}}]}", "encoding: a"),
        ("{type: array, items: {oneOf: [{type: string}, {type: integer}]}}", "encoding: a"),
        ("{oneOf: [{type: string, enum: [auto]}, {type: object, properties: {n: {type: integer}}}]}", "encoding: a"),
        ("{enum: [x, 1]}", "encoding: a"),
        ("{type: array, items: {type: [string, 'null']}}", "encoding: a"),
        ("{type: string, format: byte}", "encoding: a"),
        ("{type: string, contentEncoding: base64}", "encoding: a"),
        ("{type: array, items: {type: string, contentEncoding: base64}}", "encoding: a"),
        ("{$ref: '#/components/schemas/Loop'}", "json: a"),
        ("{oneOf: [{type: string}, {type: array, items: {type: object}}]}", "json: a"),
        ("{oneOf: [{type: object, properties: {n: {}}}, {type: array, items: {type: object}}]}", "json: a"),
    ])
    func `texts, numbers and bytes in Base64 are sent as texts`(_ schema: String, _ argument: String) {
        let items = "{type: array, items: {$ref: '#/components/schemas/Loop'}}"
        let components = "schemas: {Loop: {oneOf: [{type: string}, \(items)]}}"
        let code = form(schema, components: components).code("Requests/Items.swift")
        #expect(code.contains(#"form.append("a", \#(argument))"#), "\(code)")
    }

    private static let file = "{type: string, format: binary}"

    @Test(arguments: [
        ("{anyOf: [\(file), {type: array, items: \(file)}]}", "[Upload]"), ("{oneOf: [\(file), \(file)]}", "Upload"),
        ("{$ref: '#/components/schemas/Files'}", "[Upload]"),
    ])
    func `a union of files is sent as files`(_ schema: String, _ type: String) {
        let generated = form(schema, required: "a", components: "schemas: {Files: {type: array, items: \(Self.file)}}")
        let code = generated.code("Requests/Items.swift")
        #expect(code.contains("init(a: \(type)) {"), "\(code)")
        #expect(code.contains(#"form.append("a", a)"#), "\(code)")
        #expect(!code.contains("enum A"))
    }

    @Test(arguments: [
        ("{properties: {a: {type: string}}}", true), ("{required: [a], properties: {a: {type: string}}}", false),
        ("{required: [a], properties: {a: {type: [string, 'null']}}}", true),
    ])
    func `an optional form without parts is not sent`(_ schema: String, _ isConditional: Bool) {
        for isRequired in [false, true] {
            let body = "requestBody: {required: \(isRequired), content: {multipart/mixed: {schema: \(schema)}}}"
            let code = Generated(operation: "\(body)\nresponses: {'204': {}}").code("Requests/Items.swift")
            let statements = [
                "body = RequestBody.multipart(form).withAnyMethod()", #"headers["Content-Type"] = "multipart/mixed""#,
            ]
            let isBlock = isConditional && !isRequired
            let indent = String(repeating: " ", count: isBlock ? 16 : 12)
            #expect(code.contains(statements.map { indent + $0 }.joined(separator: "\n") + "\n"), "\(code)")
            #expect(code.contains("            if !form.parts.isEmpty {\n") == isBlock, "\(code)")
        }
    }
}
