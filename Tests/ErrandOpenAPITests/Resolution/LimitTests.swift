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

    /// Schemas that extend the next one in two ways: the branches of the first one are combined with all others.
    private static func multiplied(_ count: Int) -> String {
        let schemas = (0..<count).map { index in
            let next = "{$ref: '#/components/schemas/S\(index + 1)'}"
            let branches = ["a", "b"].map { "{allOf: [\(next), {properties: {\($0)\(index): {type: string}}}]}" }
            return "S\(index): {allOf: [{properties: {p\(index): {}}}, {oneOf: [\(branches.joined(separator: ", "))]}]}"
        }
        return (schemas + ["S\(count): {properties: {z: {}}}"]).joined(separator: "\n")
    }

    @Test func `unions that multiply each other are an error at a schema`() throws {
        let generated = Generated(schemas: Self.multiplied(20))
        let found = generated.messages.filter { $0.contains("[limit]") }
        #expect(found.count == 1)
        let message = try #require(found.first)
        #expect(message.contains("error: more than 10000 schemas are combined of others"))
        #expect(message.contains("\n  at #/components/schemas/S"))
    }

    @Test func `each branch of six unions in each other has all members`() {
        let generated = Generated(schemas: Self.multiplied(6))
        #expect(generated.messages.allSatisfy { !$0.contains("error") && !$0.contains("optional members") })
        let code = generated.code("Models/S0.swift")
        #expect(code.ranges(of: "public var p5: ").count == 64 && code.ranges(of: "public var z: ").count == 64)
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
        #expect(Generated(schemas: Self.chain(500, schema, "{type: string}")).client != nil)
    }

    /// Schemas of which each has the name of the next one in the place of `%`, and a last one.
    private static func chain(_ count: Int, _ schema: String, _ last: String) -> String {
        let chain = (0..<count).map { "S\($0): " + schema.replacing("%", with: "S\($0 + 1)") }
        return chain.joined(separator: "\n") + "\nS\(count): \(last)"
    }

    @Test(arguments: [
        "{allOf: [{$ref: '#/components/schemas/%'}, {properties: {p%: {type: string}}}]}",
        "{allOf: [{$ref: '#/components/schemas/%'}], properties: {p%: {type: string}}}",
    ])
    func `a schema has the properties of 90 schemas that extend each other`(_ schema: String) {
        let generated = Generated(schemas: Self.chain(90, schema, "{properties: {a: {type: string}}}"))
        #expect(generated.messages.isEmpty)
        #expect(generated.members("Models/S0.swift").count { $0.hasPrefix("var ") } == 91)
    }

    @Test(arguments: [
        "{allOf: [{$ref: '#/components/schemas/%'}, {properties: {p%: {type: string}}}]}",
        "{allOf: [{$ref: '#/components/schemas/%'}, {properties: {a: {type: string}}}]}",
        "{allOf: [{$ref: '#/components/schemas/%'}], properties: {p%: {type: string}}}",
    ])
    func `a chain of 5,000 schemas that extend each other is one error at a schema`(_ schema: String) throws {
        let generated = Generated(schemas: Self.chain(5_000, schema, "{properties: {a: {type: string}}}"))
        let message = try #require(generated.messages.first)
        #expect(generated.messages.count == 1)
        #expect(message.contains("error: more than 100 schemas are parts of each other [limit]"))
        #expect(message.contains("\n  at #/components/schemas/S"))
        #expect(generated.client?.types.declarations.contains { $0.parts.count > 101 } == false)
    }

    // MARK: Sizes

    /// Each alias is followed once, and without recursion.
    @Test(arguments: ["{type: string}", "{enum: [a, b]}", "{properties: {a: {}}}", "{$ref: '#/components/schemas/S0'}"])
    func `a chain of 5,000 aliases is generated`(_ last: String) throws {
        let alias = "{$ref: '#/components/schemas/%'}"
        let generated = Generated(schemas: Self.chain(5_000, alias, last))
        let client = try #require(generated.client)
        #expect(client.types.declarations.count == 5_001)
        #expect(client.types.aliasedTypes.count >= 4_999)
    }

    @Test func `a branch at the end of 100 references is decided by its kind`() {
        let chain = Self.chain(100, "{$ref: '#/components/schemas/%'}", "{type: object, properties: {a: {}}}")
        let generated = Generated(schemas: chain + "\nU: {oneOf: [{$ref: '#/components/schemas/S0'}, {type: string}]}")
        #expect(generated.members("Models/U.swift").prefix(2) == ["case s0(S0)", "case string(String)"])
        #expect(generated.code("Models/U.swift").contains("case .object: self = .s0(try content.decode())"))
    }

    @Test(arguments: ["{name: a, in: query, schema: {type: string}}", "{$ref: '#/components/parameters/S0'}"])
    func `a chain of 2,000 references to a parameter is followed, or is one cycle`(_ last: String) {
        let parameters = Self.chain(2_000, "{$ref: '#/components/parameters/%'}", last).split(separator: "\n")
        let generated = Generated(
            operation: "parameters: [{$ref: '#/components/parameters/S0'}]\nresponses: {'200': {description: ''}}",
            components: "parameters:\n" + parameters.map { "  \($0)" }.joined(separator: "\n"))
        let isCycle = last.contains("$ref")
        #expect(generated.client?.requests.first?.parameters.count == (isCycle ? 0 : 1))
        let cycles = generated.messages.filter { $0.contains("the references form a cycle [reference]") }
        #expect(cycles.count == (isCycle ? 1 : 0))
    }

    @Test func `parameters can have the types of a chain of 500 aliases`() {
        let schemas = Self.chain(500, "{$ref: '#/components/schemas/%'}", "{type: string}").split(separator: "\n")
        let parameters = (0..<500).map { index in
            "- {name: p\(index), in: query, schema: {$ref: '#/components/schemas/S\(index)'}}"
        }
        let generated = Generated(
            operation: "parameters:\n\(parameters.joined(separator: "\n"))\nresponses: {'200': {description: ''}}",
            components: "schemas:\n" + schemas.map { "  \($0)" }.joined(separator: "\n"))
        let (types, read) = (generated.client?.types, generated.client?.requests.first?.parameters ?? [])
        #expect(read.count == 500)
        #expect(read.allSatisfy { types?.isText($0.type) == true })
    }

    @Test(arguments: ["", ", discriminator: {propertyName: k}"])
    func `a schema can list 1,000 schemas that extend it`(_ discriminator: String) throws {
        let names = (0..<1_000).map { "C\($0)" }
        let children = names.map {
            "\($0): {allOf: [{$ref: '#/components/schemas/P'}, {properties: {k: {const: \($0)}}, required: [k]}]}"
        }
        let branches = names.map { "{$ref: '#/components/schemas/\($0)'}" }.joined(separator: ", ")
        let generated = Generated(
            schemas: "P: {properties: {a: {type: string}}, oneOf: [\(branches)]\(discriminator)}\n"
                + children.joined(separator: "\n"))
        #expect(try #require(generated.client).types.declarations.count >= 1_001)
        #expect(generated.members("Models/C999.swift").count { $0.hasPrefix("var ") } == 2)
    }

    @Test func `a struct can have 2,000 properties that lead back to it`() {
        let properties = (0..<2_000).map { "p\($0): {$ref: '#/components/schemas/S\($0)'}" }.joined(separator: ", ")
        let generated = Generated(
            schemas: Self.chain(
                2_000, "{properties: {a: {$ref: '#/components/schemas/%'}}}", "{properties: {\(properties)}}"))
        let code = generated.code("Models/S2000.swift")
        #expect(code.split(separator: "\n").count { $0.contains("private var stored") } == 2_000)
    }

    @Test(arguments: ["<a ", "<", "<a <b>", "`", "<p>", "- a\n", "a\n\n"])
    func `a long description is read once`(_ part: String) {
        let text = "x" + String(repeating: part, count: 20_000)
        #expect(!Documentation.paragraphs(text).isEmpty)
    }

    @Test func `a path can have 10,000 parameters`() {
        let names = (0..<10_000).map { "p\($0)" }
        let list = names.map { #"{"name": "\#($0)", "in": "path", "required": true, "schema": {"type": "string"}}"# }
        let path = names.map { "/{\($0)}" }.joined()
        let generated = Generated(
            """
            {"openapi": "3.1.0", "info": {"title": "Test", "version": "1"}, "paths": {"\(path)": {"get": {
            "operationId": "a", "parameters": [\(list.joined(separator: ","))], "responses": {"200": {}}}}}}
            """)
        #expect(generated.client?.requests.first?.parameters.count == 10_000)
        #expect(generated.code("Requests/A.swift").contains(#"\(p9999, as: "p9999")"#))
    }

    @Test func `a union of 101 branches, each of which requires more, is decided by the best match`() {
        let properties = (0..<101).map { "p\($0): {}" }.joined(separator: ", ")
        let branches = (0..<101).map { index in
            "{type: object, required: [\((0..<index).map { "p\($0)" }.joined(separator: ", "))], properties: *p}"
        }
        let union = "U: {oneOf: [\(branches.joined(separator: ", "))]}"
        let generated = Generated(schemas: "P: {type: object, properties: &p {\(properties)}}\n\(union)")
        #expect(generated.code("Models/U.swift").contains("bestMatch"))
    }

    @Test(arguments: [false, true])
    func `a union can have 2,000 branches with a constant each`(_ isMapped: Bool) {
        let names = (0..<2_000).map { "B\($0)" }
        let schemas = names.map { "\($0): {type: object, required: [k], properties: {k: {const: \($0)}}}" }
        let branches = names.map { "{$ref: '#/components/schemas/\($0)'}" }.joined(separator: ", ")
        let mapping = names.map { "\($0): '#/components/schemas/\($0)'" }.joined(separator: ", ")
        let discriminator = isMapped ? ", discriminator: {propertyName: k, mapping: {\(mapping)}}" : ""
        let generated = Generated(
            schemas: schemas.joined(separator: "\n") + "\nU: {oneOf: [\(branches)]\(discriminator)}")
        #expect(generated.code("Models/U.swift").contains("case \"B1999\": self = .b1999(try content.decode())"))
    }

    @Test func `branches with a common text are one group`() {
        let texts = [["a"], ["b"], [], ["c", "a"], ["d"], ["d", "b"]]
        let groups = BranchGroups(Array(texts.indices)) { texts[$0] }.all
        #expect(groups.map(\.branches) == [[0, 3], [1, 4, 5]])
        #expect(groups.map(\.texts) == [["a", "c"], ["b", "d"]])
    }

    @Test func `values are distinct by their members, not by their order`() throws {
        let objects = #"{"a": 1, "b": [2]}, {"b": [2], "a": 1}, {"a": "1", "b": [2]}"#
        let text = #"[\#(objects), [1, 2], [2, 1], 1, "1", 1.0, null, null]"#
        let root = try #require(Loader(Diagnostics()) { _ in Array(text.utf8) }.root(of: "a.json"))
        var distinct = DistinctNodes()
        let isNew = root.elements.map { distinct.insert($0) }
        #expect(isNew == [true, false, true, true, true, true, true, true, true, false])
    }
}
