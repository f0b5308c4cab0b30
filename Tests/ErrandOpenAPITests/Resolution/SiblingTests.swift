import Testing

@testable import ErrandOpenAPI

/// What stands beside a reference, and parts of `allOf` that add nothing.
@Suite struct SiblingTests {
    private static let others = """
        Owner: {type: object, description: An owner., properties: {name: {type: string}}}
        Mode: {type: string, enum: [fast, slow]}
        Name: {type: string}
        Blank: {enum: ['']}
        Nothing: {enum: [null]}
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
        ("oneOf: [{\(reference("Mode"))}, {\(reference("Nothing"))}]", "3.0.3", "Mode?"),
        ("anyOf: [{\(reference("Nothing"))}, {\(reference("Owner"))}]", "3.1.0", "Owner?"),
        // Django REST framework.
        ("oneOf: [{\(reference("Mode"))}, {\(reference("Blank"))}, {\(reference("Nothing"))}]", "3.0.3", "A?"),
        // OData.
        ("anyOf: [{\(reference("Mode"))}, {type: object, nullable: true}]", "3.0.3", "Mode?"),
        ("anyOf: [{\(reference("Owner"))}, {type: object, nullable: true}]", "3.0.3", "Owner?"),
        ("anyOf: [{\(reference("Owner"))}, {type: object, nullable: true}]", "3.1.0", "A?"),
        ("anyOf: [{\(reference("Mode"))}, {type: object}]", "3.0.3", "A"),
        ("anyOf: [{\(reference("Mode"))}, {type: object, nullable: true, properties: {x: {}}}]", "3.0.3", "A?"),
        ("anyOf: [{\(reference("Mode"))}, {\(reference("Owner"))}, {type: object, nullable: true}]", "3.0.3", "A?"),
    ])
    func `a branch that is null makes a union optional`(_ union: String, _ version: String, _ type: String) {
        #expect(member("{\(union)}", version: version) == "var a: \(type)")
    }

    @Test(arguments: [
        ("format: int32", "Int"), ("format: int64, minimum: 0", "Int64"), ("format: double", "Double"),
        ("format: float", "Double"), ("format: uint64", "UInt64"), ("format: date-time", "Date"),
        ("format: uuid", "String"), ("format: byte", "Data"), ("format: jsonb", "JSONValue"),
        ("format: int32, properties: {a: {}}", "A"), ("format: int32, items: {type: string}", "[String]"),
        // ASP.NET Core.
        ("format: int32, pattern: '^-?(?:0|[1-9]\\d*)$'", "Int"),
        ("type: [integer, string], format: int32, pattern: '^-?(?:0|[1-9]\\d*)$'", "Int"),
        ("type: ['null', number, string], format: double, pattern: '^-?\\d+$'", "Double?"),
        ("type: [integer, string], format: int32", "A"), ("type: [integer, string], pattern: '^-?\\d+$'", "A"),
        ("type: [integer, string], format: uuid, pattern: '^-?\\d+$'", "A"),
    ])
    func `a format tells the kind of values if the type does not`(_ keys: String, _ type: String) {
        #expect(member("{\(keys)}") == "var a: \(type)")
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

    @Test(arguments: [
        ("3.0.3", "$ref: '#/components/schemas/Secret'"), ("3.1.0", "$ref: '#/components/schemas/Secret'"),
        ("3.1.0", "$ref: '#/components/schemas/Secret', description: The secret."),
        ("3.0.3", "allOf: [{$ref: '#/components/schemas/Secret'}]"),
        ("3.0.3", "$ref: '#/components/schemas/Alias'"),
    ])
    func `what a schema says about its direction holds where it is referred to`(_ version: String, _ member: String) {
        let code = Generated(
            """
            openapi: \(version)
            info: {title: Test, version: '1'}
            paths:
              /users:
                post:
                  operationId: add
                  requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}
                  responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}}
            components:
              schemas:
                Secret: {type: string, writeOnly: true}
                Alias: {$ref: '#/components/schemas/Secret'}
                ID: {type: integer, readOnly: true}
                User: {required: [id, secret], properties: {id: {$ref: '#/components/schemas/ID'}, secret: {\(member)}}}
            """
        ).code("Models/User.swift")
        #expect(code.contains("/// Only the server sets it.\n    public var id: ID?"))
        #expect(code.contains("/// The server does not return it."))
        #expect(code.contains("secret: \(member.contains("Alias") ? "Alias" : "Secret")? = nil)"))
    }
}
