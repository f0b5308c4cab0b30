import Testing

@testable import ErrandOpenAPI

/// What stands beside a reference, and parts of `allOf` that add nothing.
@Suite struct SiblingTests {
    private static let others = """
        Owner: {type: object, description: An owner., properties: {name: {type: string}}}
        Mode: {type: string, enum: [fast, slow]}
        Name: {type: string}
        Either: {oneOf: [{$ref: '#/components/schemas/Owner'}, {type: object, required: [x], properties: {x: {}}}]}
        """

    private func member(_ schema: String, version: String = "3.1.0", required: Bool = true) -> String? {
        let head = "openapi: \(version)\ninfo: {title: Test, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n"
        let thing = "Thing: {type: object, \(required ? "required: [a], " : "")properties: {a: \(schema)}}"
        let lines = "\(thing)\n\(Self.others)".split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
        return Generated(head + lines).members("Models/Thing.swift").first
    }

    private static func reference(_ name: String) -> String { "$ref: '#/components/schemas/\(name)'" }

    @Test(arguments: [
        ("{\(reference("Owner")), description: The first one., deprecated: true}", "Owner"),
        ("{\(reference("Owner")), type: object}", "Owner"),
        ("{\(reference("Owner")), type: [object, 'null']}", "Owner?"),
        ("{\(reference("Owner")), type: object, additionalProperties: false}", "Owner"),
        ("{\(reference("Mode")), type: string}", "Mode"), ("{\(reference("Either")), type: object}", "Either"),
        ("{\(reference("Name")), maxLength: 3}", "Name"),
        // Members, values and required members are not repetitions.
        ("{\(reference("Owner")), properties: {age: {type: integer}}}", "A"),
        ("{\(reference("Owner")), required: [name]}", "A"), ("{\(reference("Mode")), enum: [fast]}", "String"),
    ])
    func `what repeats the kind of a reference is not another type`(_ schema: String, _ type: String) {
        #expect(member(schema) == "var a: \(type)")
    }

    @Test(arguments: [
        ("{allOf: [{\(reference("Owner"))}], type: object}", "Owner"),
        ("{allOf: [{\(reference("Owner"))}, {type: object}]}", "Owner"),
        ("{allOf: [{\(reference("Mode"))}], type: string, default: fast}", "Mode"),
        ("{allOf: [{\(reference("Owner"))}], type: object, required: [name]}", "A"),
        ("{allOf: [{type: object}, {type: object}]}", "[String: JSONValue]"),
        ("{allOf: [{type: integer}, {type: [integer, 'null']}]}", "Int"),
    ])
    func `a part of allOf that repeats the kind of another one is not another type`(_ schema: String, _ type: String) {
        #expect(member(schema) == "var a: \(type)")
    }

    @Test func `a required member beside a reference is required`() {
        let generated = Generated(
            schemas: "Thing: {\(Self.reference("Owner")), required: [name]}\n\(Self.others)")
        #expect(generated.members("Models/Thing.swift").first == "var name: String")
    }

    @Test(arguments: [
        ("{nullable: true, \(reference("Owner"))}", "Owner?"), ("{\(reference("Owner"))}", "Owner"),
        ("{nullable: false, \(reference("Owner"))}", "Owner"),
        ("{nullable: true, allOf: [{\(reference("Owner"))}]}", "Owner?"),
        ("{nullable: true, allOf: [{\(reference("Mode"))}], default: fast}", "Mode?"),
        ("{type: object, nullable: true, allOf: [{\(reference("Owner"))}]}", "Owner?"),
        ("{nullable: true, oneOf: [{\(reference("Owner"))}]}", "Owner?"),
        ("{type: array, items: {nullable: true, \(reference("Owner"))}}", "[Owner?]"),
    ])
    func `nullable beside a reference counts in version 3_0`(_ schema: String, _ type: String) {
        #expect(member(schema, version: "3.0.3") == "var a: \(type)")
    }

    @Test(arguments: [
        ("maximum: 18446744073709551615, minimum: 0", "UInt64"), ("maximum: 1.8446744073709552e+19", "UInt64"),
        ("exclusiveMaximum: 18446744073709551616", "UInt64"),
        ("format: int64, maximum: 18446744073709551615", "UInt64"), ("maximum: 9223372036854775807, minimum: 0", "Int"),
        ("maximum: 18446744073709551615, minimum: -1", "Int"), ("maximum: 1e30", "Int"), ("minimum: 0", "Int"),
    ])
    func `an integer has a type that can hold its limits`(_ limits: String, _ type: String) {
        #expect(member("{type: integer, \(limits)}") == "var a: \(type)")
    }
}
