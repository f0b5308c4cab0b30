import Testing

@testable import ErrandOpenAPI

/// The rows of the design's table of schemas.
@Suite struct ModelTests {
    @Test(arguments: [
        ("{type: string}", "String"), ("{type: boolean}", "Bool"), ("{type: integer}", "Int"),
        ("{type: integer, format: int32}", "Int"), ("{type: integer, format: int64}", "Int64"),
        ("{type: integer, format: uint64}", "UInt64"), ("{type: number}", "Double"),
        ("{type: number, format: decimal}", "Decimal"), ("{type: string, format: date-time}", "Date"),
        ("{type: string, format: date}", "CalendarDate"), ("{type: string, format: byte}", "Data"),
        ("{type: string, contentEncoding: base64}", "Data"), ("{type: string, format: uuid}", "String"),
        ("{type: string, format: uri}", "String"), ("{type: integer, format: unix-time}", "Int"),
        ("{type: array, items: {type: string}}", "[String]"), ("{type: array}", "[JSONValue]"),
        ("{type: array, items: {type: [string, 'null']}}", "[String?]"),
        ("{type: array, prefixItems: [{type: string}, {type: string}]}", "[String]"),
        ("{type: array, prefixItems: [{type: string}, {type: integer}]}", "[JSONValue]"),
        ("{type: object}", "[String: JSONValue]"),
        ("{type: object, additionalProperties: {type: integer}}", "[String: Int]"),
        ("{type: object, patternProperties: {a: {type: integer}}}", "[String: Int]"), ("{}", "JSONValue"),
        ("true", "JSONValue"),
        ("{allOf: [{type: string}]}", "String"), ("{allOf: [{type: string}, {minLength: 2}]}", "String"),
        ("{anyOf: [{type: string}]}", "String"), ("{oneOf: [{type: integer}, {type: number}]}", "Double"),
        ("{anyOf: [{type: string, format: uuid}, {type: string}]}", "String"), ("{type: [number, integer]}", "Double"),
        ("{enum: [true, false]}", "Bool"),
    ])
    func `a schema has a type of Swift`(_ schema: String, _ type: String) {
        let generated = Generated(schemas: "Thing: \(schema)")
        #expect(generated.members("Models/Thing.swift") == ["typealias Thing = \(type)"])
        #expect(generated.messages == [])
    }

    @Test(arguments: [
        ("{type: string}", "var a: String?"), ("{type: [string, 'null']}", "var a: String?"),
        ("{anyOf: [{type: string}, {type: 'null'}]}", "var a: String?"), ("{const: x}", "var a: String?"),
        ("{$ref: '#/components/schemas/Name'}", "var a: Name?"), ("{enum: [x, y]}", "var a: A?"),
        ("{anyOf: [{enum: [x, y]}, {type: string}]}", "var a: A?"), ("{enum: [x, y, null]}", "var a: A?"),
        ("{type: object, properties: {b: {type: string}}}", "var a: A?"),
        ("{type: array, items: {type: object, properties: {b: {}}}}", "var a: [AItem]?"),
    ])
    func `a property that is not required is optional`(_ schema: String, _ property: String) {
        let generated = Generated(schemas: "Name: {type: string}\nThing: {properties: {a: \(schema)}}")
        #expect(generated.members("Models/Thing.swift").first == property)
    }

    @Test func `a required property is not optional, and a constant is its default`() {
        let code = Generated(
            schemas: "Thing: {type: object, required: [a, b], properties: {a: {type: string}, b: {const: x}}}"
        )
        .code("Models/Thing.swift")
        #expect(
            code == """
                public nonisolated struct Thing: Codable, Hashable, Sendable {
                    public var a: String
                    /// Always `x`.
                    public var b: String

                    public init(a: String, b: String = "x") {
                        self.a = a
                        self.b = b
                    }

                    private enum CodingKeys: String, CodingKey {
                        case a, b
                    }
                }
                """)
    }

    @Test(arguments: [
        ("Pet: {PETS, discriminator: {propertyName: kind, mapping: {tom: Cat}}}", #"kind: String = "tom""#),
        // Without a mapping, the name of the schema is the value.
        ("Pet: {PETS, discriminator: {propertyName: kind}}", #"kind: String = "Cat""#),
        ("Pet: {PETS}", "kind: String"),
        ("Pet: {PETS, discriminator: {propertyName: kind, mapping: {a: Cat, b: Cat}}}", "kind: String"),
        // Two unions that do not agree.
        (
            "Pet: {PETS, discriminator: {propertyName: kind}}\nOther: {PETS, discriminator: {propertyName: kind, mapping: {tom: Cat}}}",
            "kind: String"
        ),
    ])
    func `the value of a discriminator is the default of its property`(_ unions: String, _ parameter: String) {
        let pets = "oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]"
        let animals = ["Cat", "Dog"].map { "\($0): {required: [kind], properties: {kind: {type: string}}}\n" }.joined()
        let code = Generated(schemas: animals + unions.replacing("PETS", with: pets)).code("Models/Cat.swift")
        #expect(code.contains("public init(\(parameter)) {"))
    }

    @Test(arguments: [
        ("{required: [a, b], properties: {a: {}}}", ["b"]), ("{required: [a], properties: {a: {}}}", []),
        ("{allOf: [{properties: {a: {}}}, {required: [a, b]}], required: [c]}", ["c", "b"]),
        ("{required: [b], properties: {a: {}}, additionalProperties: true}", []), ("{required: [a]}", []),
        ("{properties: {a: {}}, anyOf: [{required: [a]}, {required: [b]}]}", []),
    ])
    func `a required member that is not among the properties is reported`(_ schema: String, _ names: [String]) {
        #expect(
            Generated(schemas: "Thing: \(schema)").messages.filter { $0.contains("required") }.map {
                String($0.split(separator: "\"")[1])
            } == names)
    }

    @Test func `members beside the properties are kept if the schema describes them`() {
        let schemas = "Thing: {properties: {a: {type: string}}, additionalProperties: {type: integer}}"
        #expect(
            Generated(schemas: schemas).members("Models/Thing.swift").prefix(2) == [
                "var a: String?", "var additional: [String: Int]",
            ])
        let closed = "Thing: {properties: {a: {type: string}}, additionalProperties: false}"
        #expect(Generated(schemas: closed).members("Models/Thing.swift").first == "var a: String?")
    }

    @Test func `an enumeration is open, and its values have names`() {
        let generated = Generated(schemas: "Sort: {type: string, enum: [name, -name, '', '*', '+1']}")
        #expect(
            generated.members("Models/Sort.swift") == [
                #"static let name = Sort(rawValue: "name")"#, #"static let minusName = Sort(rawValue: "-name")"#,
                #"static let empty = Sort(rawValue: "")"#, #"static let all = Sort(rawValue: "*")"#,
                #"static let plus1 = Sort(rawValue: "+1")"#,
            ])
    }

    @Test func `a titled constant names the value of an enumeration`() {
        let generated = Generated(
            schemas: "Kind: {type: integer, oneOf: [{const: 1, title: TEXT}, {const: 2, title: VOICE}]}")
        #expect(
            generated.members("Models/Kind.swift") == [
                "static let text = Kind(rawValue: 1)", "static let voice = Kind(rawValue: 2)",
            ])
    }

    @Test func `allOf is one struct with all properties`() {
        let schemas = """
            Base: {type: object, required: [id], properties: {id: {type: string}}}
            Thing: {allOf: [{$ref: '#/components/schemas/Base'}, {properties: {a: {type: string}}}], required: [a]}
            """
        #expect(
            Generated(schemas: schemas).members("Models/Thing.swift").prefix(2) == ["var id: String", "var a: String"])
    }

    @Test func `a schema that a mapping names has the members of the one with the discriminator`() {
        let generated = Generated(
            schemas: """
                Key: {properties: {kind: {type: string}, id: {type: string}}, discriminator: {propertyName: kind, mapping: {x: X, y: Y}}}
                X: {properties: {a: {type: string}}}
                Y: {allOf: [{$ref: '#/components/schemas/Key'}], properties: {b: {type: string}}}
                """)
        let code = generated.code("Models/Key.swift")
        #expect(code.contains("case x(X)") && code.contains("case y(API.Y)") == false && code.contains("case y(Y)"))
        // `X` does not extend `Key`, so its values there are another type.
        let members = generated.members("Models/Key.swift").filter { $0.hasPrefix("var ") }
        #expect(members == ["var kind: String?", "var id: String?", "var a: String?"])
        #expect(generated.members("Models/X.swift").first == "var a: String?")
    }

    @Test func `a component that adds nothing to the schema that it extends is a struct of its members`() {
        let generated = Generated(
            schemas: """
                Key: {properties: {kind: {type: string}}, discriminator: {propertyName: kind, mapping: {x: X}}}
                X: {allOf: [{$ref: '#/components/schemas/Key'}]}
                Door: {properties: {key: {allOf: [{$ref: '#/components/schemas/Key'}], description: The key.}}}
                """)
        #expect(generated.members("Models/X.swift").first == "var kind: String?")
        #expect(generated.code("Models/Key.swift").contains("case \"x\": self = .x(try content.decode())"))
        #expect(generated.members("Models/Door.swift").first == "var key: Key?")
    }

    @Test(arguments: ["", ", discriminator: {propertyName: kind}"])
    func `a parent that lists its children, which extend it, is a union`(_ discriminator: String) {
        let generated = Generated(
            schemas: """
                Base: {properties: {id: {type: string}}}
                Key: {allOf: [{$ref: '#/components/schemas/Base'}], oneOf: [{$ref: '#/components/schemas/X'}, {$ref: '#/components/schemas/Y'}], properties: {kind: {type: string}}\(discriminator)}
                X: {allOf: [{$ref: '#/components/schemas/Key'}], properties: {a: {type: string}}}
                Y: {allOf: [{$ref: '#/components/schemas/Key'}], properties: {b: {type: string}}}
                """)
        #expect(generated.messages.filter { $0.contains("error") } == [])
        let members = generated.members("Models/X.swift").filter { $0.hasPrefix("var ") }
        #expect(Set(members) == ["var id: String?", "var kind: String?", "var a: String?"])
        #expect(generated.code("Models/Key.swift").contains("enum Key"))
    }

    @Test func `a file that uses another name of an imported type imports it`() {
        let generated = Generated(
            schemas: """
                When: {type: string, format: date-time}
                Whens: {type: array, items: {type: string, format: date-time}}
                Thing: {properties: {at: {$ref: '#/components/schemas/When'}}}
                Things: {properties: {at: {$ref: '#/components/schemas/Whens'}}}
                Plain: {properties: {name: {type: string}}}
                """)
        #expect(generated.files["Models/Thing.swift"]?.contains("public import ErrandOpenAPIRuntime") == true)
        #expect(generated.files["Models/Plain.swift"]?.contains("import") == false)
        // The compiler rejects an import that only the elements of an array in another file need.
        #expect(generated.files["Models/Things.swift"]?.contains("import") == false)
    }

    @Test func `contradicting parts of allOf are a warning with both places`() {
        let schemas = "Thing: {properties: {a: {allOf: [{type: string}, {type: integer}]}}}"
        let generated = Generated(schemas: schemas)
        #expect(
            generated.messages == [
                "api.yaml:6:38: warning: no value fits this schema and the one at api.yaml:6:54; any value is accepted "
                    + "[schema]\n  at #/components/schemas/Thing/properties/a/allOf/0"
            ])
        #expect(generated.members("Models/Thing.swift").first == "var a: JSONValue?")
    }

    @Test func `a struct that contains itself stores one property indirectly`() {
        let schemas = """
            A: {properties: {b: {$ref: '#/components/schemas/B'}}}
            B: {properties: {a: {$ref: '#/components/schemas/A'}, list: {type: array, items: {$ref: '#/components/schemas/B'}}}}
            """
        let generated = Generated(schemas: schemas)
        let all = generated.code("Models/A.swift") + generated.code("Models/B.swift")
        #expect(all.split(separator: "private var").count == 2)
        #expect(all.contains("private var storedA: Indirect<A?>"))
    }

    @Test(arguments: [
        ("Data: {properties: {a: {}}}", "DataModel"), ("raw_value: {enum: [a]}", "RawValueModel"),
        ("any: {enum: [a]}", "Any"),
        ("Request: {enum: [a, b]}", "RequestModel"),
        ("type: {enum: [a, b]}", "Type_"),
    ])
    func `a schema does not hide a type of Swift, Foundation or Errand`(_ schema: String, _ name: String) {
        #expect(Generated(schemas: schema).files.keys.contains("Models/\(name).swift"))
    }

    @Test func `names that collide get numbers in the order of their spelling`() {
        let generated = Generated(
            schemas: "foo_bar: {enum: [a, b]}\nfoo-bar: {enum: [c, d]}\nThing: {properties: {a_b: {}, aB: {}}}")
        #expect(generated.members("Models/FooBar.swift").first?.contains(#""c""#) == true)
        #expect(generated.members("Models/FooBar2.swift").first?.contains(#""a""#) == true)
        #expect(generated.members("Models/Thing.swift").prefix(2) == ["var aB2: JSONValue?", "var aB: JSONValue?"])
    }

    @Test func `a schema that is sent distinguishes null from nothing`() {
        let text = """
            openapi: 3.0.3
            info: {title: Test, version: '1'}
            paths:
              /things:
                patch:
                  operationId: change
                  requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
                  responses: {'204': {description: Done.}}
            components:
              schemas:
                Thing:
                  type: object
                  required: [a]
                  properties:
                    a: {type: string, nullable: true}
                    b: {type: string, nullable: true}
                    c: {type: string, readOnly: true}
            """
        #expect(
            Generated(text).members("Models/Thing.swift").prefix(3) == [
                "var a: Nullable<String>", "var b: Nullable<String>?", "var c: String?",
            ])
    }

    @Test func `a member has another name than a nested type`() {
        let schemas = """
            Thing: {properties: {3D: {properties: {a: {type: string}}}}}
            Other: {oneOf: [{title: 3D, required: [a], properties: {a: {}}}, {title: 2D, required: [b], properties: {b: {}}}]}
            """
        let generated = Generated(schemas: schemas)
        #expect(generated.members("Models/Thing.swift").prefix(2) == ["var _3d2: _3d?", #"case _3d2 = "3D""#])
        #expect(generated.members("Models/Other.swift").prefix(2) == ["case _3d2(_3d)", "case _2d2(_2d)"])
    }

    @Test func `the configuration names types and properties, and closes enumerations`() {
        var options = ClientModel.Options()
        options.names = ["#/components/schemas/Thing": "Gadget", "#/components/schemas/Thing/properties/a": "label"]
        options.closed = ["#/components/schemas/Sort"]
        options.formats = ["uuid": .known(.base64)]
        let schemas = "Thing: {properties: {a: {type: string, format: uuid}}}\nSort: {type: string, enum: [a, b-c]}"
        let generated = Generated(schemas: schemas, options: options)
        #expect(generated.members("Models/Gadget.swift").first == "var label: Data?")
        #expect(generated.members("Models/Sort.swift") == ["case a", #"case bC = "b-c""#])
    }

    @Test func `types that are nested deep are written in extensions, which know only what they extend`() {
        let levels = 17
        let schemas =
            "Deep: " + String(repeating: "{properties: {c: ", count: levels)
            + "{$ref: '#/components/schemas/Deep/properties/c'}" + String(repeating: "}}", count: levels)
        let code = Generated(schemas: schemas).code("Models/Deep.swift")
        let heads = code.split(separator: "\n").filter { $0.contains("extension") }
        let extended = "nonisolated extension Deep.C.C2.C.C2.C.C2.C"
        #expect(heads == ["\(extended) {", "\(extended).C2.C.C2.C.C2.C.C2.C {"])
        #expect(code.contains("var c: Deep.C? {"))
    }
}
