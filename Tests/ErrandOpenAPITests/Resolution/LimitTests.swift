import Testing

@testable import ErrandOpenAPI

/// A small document needs little, and a large one no more than its size. Without the limits, these tests crash or take
/// minutes.
@Suite struct LimitTests {
    // MARK: Types

    /// The first schema is combined with each other one: each further schema doubles the types.
    private static func doubling(_ count: Int) -> String {
        let first = "{$ref: '#/components/schemas/S0'}"
        let rest = (1..<count).map { index in
            let next = "{$ref: '#/components/schemas/S\(index + 1)'}"
            return "S\(index): {properties: {a: \(next), b: \(next), n\(index): {type: string}}}"
        }
        let both = "{allOf: [\(first), {$ref: '#/components/schemas/S1'}]}"
        return (["S0: {properties: {a: \(both), b: \(first)}}"] + rest + ["S\(count): {properties: {z: {}}}"])
            .joined(separator: "\n")
    }

    @Test(arguments: [10, 12, 30])
    func `schemas that double their types are an error at a schema`(_ count: Int) throws {
        let generated = Generated(schemas: Self.doubling(count))
        let found = generated.messages.filter { $0.contains("[limit]") }
        #expect(found.count == 1)
        let message = try #require(found.first)
        #expect(message.hasPrefix("api.yaml:") && message.contains("\n  at #/components/schemas/S"))
        #expect(generated.files.count < 100)
    }

    /// A schema in itself, `count` times.
    private static func nested(_ count: Int, _ head: String, _ tail: String) -> String {
        "A: " + String(repeating: head, count: count) + "{type: string}" + String(repeating: tail, count: count)
    }

    @Test func `objects that are nested 60 deep are an error at the object that is too deep`() throws {
        let generated = Generated(schemas: Self.nested(60, "{type: object, properties: {a: ", "}}"))
        let place = "#/components/schemas/A" + String(repeating: "/properties/a", count: 50)
        let message = try #require(generated.messages.first)
        #expect(message.contains("error: types are nested more than 50 deep [limit]"))
        #expect(message.hasSuffix("at \(place)"))
    }

    @Test func `objects that are nested 50 deep are generated`() {
        let generated = Generated(schemas: Self.nested(50, "{type: object, properties: {a: ", "}}"))
        #expect(generated.messages.isEmpty)
        #expect(generated.client?.types.declarations.count == 50)
    }

    @Test(arguments: [
        nested(60, "{type: array, items: ", "}"), nested(60, "{oneOf: [{type: integer}, ", "]}"),
        nested(60, "{anyOf: [{type: object, required: [a], properties: {a: {}}}, ", "]}"),
        nested(60, "{allOf: [{properties: {a: {type: string}}}, ", "]}"),
        nested(60, "{additionalProperties: ", "}"),
        nested(45, "{type: object, properties: {a: {oneOf: [{type: integer}, ", "]}}}"),
        "A: {type: object, properties: {a: {type: object, default: \(nested(150, "[", "]").dropFirst(3))}}}",
        "A: {enum: [1, \(nested(150, "{a: ", "}").dropFirst(3))]}", "A: {const: \(nested(150, "[", "]").dropFirst(3))}",
    ])
    func `deep schemas and values are generated or are an error`(_ schema: String) {
        let generated = Generated(schemas: schema)
        #expect(generated.client != nil, "\(generated.messages)")
    }

    @Test(arguments: [
        "{$ref: '#/components/schemas/%'}", "{allOf: [{$ref: '#/components/schemas/%'}]}",
        "{allOf: [{$ref: '#/components/schemas/%'}, {properties: {a: {type: string}}}]}",
        "{oneOf: [{$ref: '#/components/schemas/%'}, {type: integer}]}",
        "{type: array, items: {$ref: '#/components/schemas/%'}}",
    ])
    func `a chain of 500 schemas does not crash the generator`(_ schema: String) {
        let chain = (0..<500).map { "S\($0): " + schema.replacing("%", with: "S\($0 + 1)") }
        let generated = Generated(schemas: chain.joined(separator: "\n") + "\nS500: {type: string}")
        #expect(generated.client != nil)
    }
}
