import Testing

@testable import ErrandOpenAPI

/// Properties with one known value.
@Suite struct ConstantTests {
    private func code(_ schema: String) -> String {
        let only = "Only: {type: string, enum: [x]}\nYes: {type: boolean, const: true}"
        return Generated(schemas: "Thing: {type: object, required: [a], properties: {a: \(schema)}}\n\(only)")
            .code("Models/Thing.swift")
    }

    @Test(arguments: [
        ("{anyOf: [{type: string}, {type: string, enum: [x]}]}", "String", "x"),
        ("{anyOf: [{type: string, format: uuid}, {enum: [x]}]}", "String", "x"),
        ("{oneOf: [{const: x}, {type: string, pattern: '^y'}]}", "String", "x"),
        ("{anyOf: [{type: string}, {$ref: '#/components/schemas/Only'}]}", "String", "x"),
        ("{allOf: [{anyOf: [{type: string}, {const: x}]}, {maxLength: 3}]}", "String", "x"),
        ("{anyOf: [{type: integer}, {const: -1}]}", "Int", "-1"),
    ])
    func `a value that any text or integer can be has no default`(_ schema: String, _ type: String, _ known: String) {
        let code = code(schema)
        #expect(code.contains("A known value is `\(known)`."))
        #expect(code.contains("public init(a: \(type)) {"))
    }

    @Test(arguments: [
        ("{anyOf: [{type: number, minimum: 60}, {type: number, enum: [1]}]}", "Double"),
        ("{oneOf: [{const: 0.5}, {type: number}]}", "Double"), ("{anyOf: [{enum: [0, 1]}, {type: number}]}", "Double"),
        ("{anyOf: [{type: integer, enum: [1]}, {type: integer, format: int64}]}", "Int64"),
        ("{anyOf: [{const: 1}, {type: number, format: decimal}]}", "Decimal"),
        ("{anyOf: [{type: integer}, {const: 0.5}]}", "A"), ("{anyOf: [{type: string}, {const: 0.5}]}", "A"),
    ])
    func `a constant beside all numbers is one of them`(_ schema: String, _ type: String) {
        #expect(code(schema).contains("public init(a: \(type)) {"))
    }

    @Test func `a constant of another kind than the others has its own branch`() {
        let code = code("{anyOf: [{enum: [1.5, x]}, {const: true}]}")
        #expect(code.contains("case .boolean: self = .boolean(try content.decode())"))
    }

    @Test(arguments: [
        ("{const: true}", "Bool = true"), ("{type: boolean, enum: [false]}", "Bool = false"),
        ("{allOf: [{type: boolean}, {const: true}]}", "Bool = true"),
        ("{$ref: '#/components/schemas/Yes'}", "Yes = true"), ("{type: boolean}", "Bool"),
        ("{enum: [true, false]}", "Bool"), ("{oneOf: [{const: true}, {const: false}]}", "Bool"),
    ])
    func `the only value of a Boolean is its default`(_ schema: String, _ parameter: String) {
        let code = code(schema)
        #expect(code.contains("public init(a: \(parameter)) {"))
        #expect(code.contains("/// Always `") == parameter.contains("="))
    }

    @Test func `a parameter that any text can be has no default`() {
        let schema = "{anyOf: [{type: string, format: uuid}, {enum: [me]}]}"
        let parameters = ["path", "query"].map {
            "{name: \($0), in: \($0), required: true, schema: \(schema)}"
        }
        let code = Generated(
            """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths:
              /users/{path}:
                get: {operationId: user, parameters: [\(parameters.joined(separator: ", "))], responses: {'204': {description: Done.}}}
            """
        ).code("Requests/User.swift")
        #expect(code.contains("path: String, query: String)"))
    }

    @Test func `a tag that any text can be decides no union`() {
        let open = "{type: object, required: [kind], properties: {kind: {anyOf: [{type: string}, {const: x}]}}}"
        let other = "{type: object, required: [kind, y], properties: {kind: {const: y}, y: {type: string}}}"
        let code = Generated(schemas: "Union: {oneOf: [\(open), \(other)]}").code("Models/Union.swift")
        #expect(!code.contains("\"x\""))
    }
}
