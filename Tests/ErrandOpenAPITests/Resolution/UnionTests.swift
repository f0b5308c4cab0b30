import Testing

@testable import ErrandOpenAPI

/// How the branch of a union is decided.
@Suite struct UnionTests {
    private static let parts = """
        Circle: {type: object, required: [kind, radius], properties: {kind: {const: circle}, radius: {type: number}}}
        Square: {type: object, required: [kind, side], properties: {kind: {const: square}, side: {type: number}}}
        Point: {type: object, required: [x], properties: {x: {type: number}, name: {type: string}}}
        Line: {type: object, required: [length], properties: {length: {type: number}, name: {type: string}}}
        Loose: {type: object, properties: {loose: {type: string}, name: {type: string}}}
        Tight: {type: object, required: [name], properties: {loose: {type: string}, name: {type: string}}}
        Blob: {type: object, properties: {name: {type: string}}}
        Sort: {type: string, enum: [up, down]}
        Blank: {enum: ['']}
        """

    private func decision(_ union: String) -> (code: String, messages: [String]) {
        let generated = Generated(schemas: "Union: \(union)\n\(Self.parts)")
        let lines = generated.code("Models/Union.swift").split(separator: "\n").map { String($0) }
        let body = lines.drop { !$0.contains("let content") }.dropFirst().prefix { $0 != "    }" }
        return (body.map { String($0.dropFirst(8)) }.joined(separator: "\n"), generated.messages)
    }

    private static func reference(_ name: String) -> String { "{$ref: '#/components/schemas/\(name)'}" }

    @Test func `a constant property decides`() {
        let (code, messages) = decision("{oneOf: [\(Self.reference("Circle")), \(Self.reference("Square"))]}")
        #expect(
            code == """
                switch content.text(of: "kind") {
                case "circle": self = .circle(try content.decode())
                case "square": self = .square(try content.decode())
                default: self = .other(try content.decode())
                }
                """)
        #expect(messages == [])
    }

    @Test func `a discriminator decides by its mapping, and else by the constant or the name`() {
        let mapping =
            "discriminator: {propertyName: kind, mapping: {round: '#/components/schemas/Circle', ball: Circle}}"
        let branches = ["Circle", "Square", "Point"].map(Self.reference).joined(separator: ", ")
        #expect(
            decision("{oneOf: [\(branches)], \(mapping)}").code == """
                switch content.text(of: "kind") {
                case "round", "ball": self = .circle(try content.decode())
                case "square": self = .square(try content.decode())
                case "Point": self = .point(try content.decode())
                default: self = .other(try content.decode())
                }
                """)
    }

    @Test func `the kind of JSON decides`() {
        let union =
            "{anyOf: [{type: string}, {type: boolean}, {type: integer}, {type: array, items: {type: string}}, \(Self.reference("Point"))]}"
        #expect(
            decision(union).code == """
                switch content.kind {
                case .string: self = .string(try content.decode())
                case .integer: self = .integer(try content.decode())
                case .boolean: self = .boolean(try content.decode())
                case .array: self = .strings(try content.decode())
                case .object: self = .point(try content.decode())
                default: self = .other(try content.decode())
                }
                """)
    }

    @Test func `a required member of one branch decides, and then an optional one`() {
        let required = decision("{oneOf: [\(Self.reference("Point")), \(Self.reference("Line"))]}")
        #expect(
            required.code == """
                if content.has("length") {
                    self = .line(try content.decode())
                } else if content.has("x") {
                    self = .point(try content.decode())
                } else {
                    self = .other(try content.decode())
                }
                """)
        let optional = decision("{oneOf: [\(Self.reference("Loose")), \(Self.reference("Blob"))]}")
        #expect(optional.code.contains("if content.has(\"loose\") {\n    self = .loose"))
        #expect(required.messages + optional.messages == [])
    }

    @Test func `a note says that only optional members distinguish branches`() {
        let (one, two) = ("properties: {id: {}, a: {}}", "properties: {id: {}, b: {}}")
        let (code, messages) = decision("{oneOf: [{title: One, \(one)}, {title: Two, \(two)}]}")
        #expect(code.contains("if content.has(\"a\") {\n    self = .one"))
        #expect(messages.count == 1)
        #expect(messages.first?.contains("no fact distinguishes") == true)
    }

    @Test func `members decide together if a branch has several optional ones that others do not know`() {
        let (first, second) = ("properties: {a: {}, b: {}, c: {}}", "properties: {c: {}, d: {}}")
        let (code, messages) = decision("{oneOf: [{type: object, \(first)}, {type: object, \(second)}]}")
        #expect(code.contains("switch content.bestMatch([\n    [\"a\", \"b\", \"c\"],\n    [\"c\", \"d\"],\n]) {"))
        #expect(messages.count == 1)
    }

    @Test func `a value without an optional member belongs to a branch that it fits`() {
        let one = "{title: One, type: object, properties: {a: {type: string}, b: {type: string}}}"
        let two = "{title: Two, type: object, required: [b], properties: {b: {type: string}}}"
        let (code, messages) = decision("{oneOf: [\(one), \(two)]}")
        #expect(
            code == """
                guard content.kind == .object else {
                    self = .other(try content.decode())
                    return
                }
                if content.has("a") {
                    self = .one(try content.decode())
                } else if content.has("b") {
                    self = .two(try content.decode())
                } else {
                    self = .one(try content.decode())
                }
                """)
        #expect(messages == [])
    }

    @Test func `branches that differ only in what they require are decided by that`() {
        let (code, messages) = decision("{oneOf: [\(Self.reference("Loose")), \(Self.reference("Tight"))]}")
        #expect(code.contains("if content.has(\"name\") {\n    self = .tight"))
        #expect(messages == [])
    }

    @Test func `the element of an array decides`() {
        let (code, _) = decision(
            "{oneOf: [{type: array, items: {type: string}}, {type: array, items: {type: integer}}]}")
        #expect(code.contains("switch content.elementKind {"))
        #expect(code.contains("case .integer: self = .integers(try content.decode())"))
        #expect(code.contains("case nil, .null: self = .strings(try content.decode())"))
        #expect(code.contains("default: self = .other(try content.decode())"))
    }

    @Test func `a member of an array's first element decides`() {
        let arrays = ["Point", "Line"].map { "{type: array, items: \(Self.reference($0))}" }
        let (code, messages) = decision("{oneOf: [\(arrays[0]), \(arrays[1]), {type: array, items: {type: string}}]}")
        #expect(
            code == """
                switch content.kind {
                case .array:
                    if let element = content.element {
                        switch element.kind {
                        case .string: self = .strings(try content.decode())
                        case .object:
                            if element.has("length") {
                                self = .lines(try content.decode())
                            } else if element.has("x") {
                                self = .points(try content.decode())
                            } else {
                                self = .other(try content.decode())
                            }
                        default: self = .other(try content.decode())
                        }
                    } else {
                        self = .points(try content.decode())
                    }
                default: self = .other(try content.decode())
                }
                """)
        #expect(messages == [])
    }

    @Test func `arrays with elements of the same kind are a guess`() {
        let (code, messages) = decision(
            "{oneOf: [{type: array, items: {type: integer}}, {type: array, items: {type: integer, format: int64}}]}")
        #expect(code.contains("case .array: self = .integers(try content.decode())"))
        #expect(messages.count == 1)
        #expect(messages.first?.contains("no fact distinguishes") == true)
    }

    @Test func `the best match decides where nothing else does, and a note says so`() {
        let one = "{type: object, properties: {a: {type: string}, b: {type: string}}}"
        let two = "{type: object, properties: {a: {type: string, format: date}, b: {type: string}}}"
        let (code, messages) = decision("{oneOf: [\(one), \(two)]}")
        #expect(code.contains("content.bestMatch(["))
        #expect(messages.count == 1)
        #expect(messages.first?.contains("no fact distinguishes") == true)
    }

    @Test(arguments: [
        ("{oneOf: [\(reference("Sort")), {type: string}]}", "typealias Union = Sort"),
        ("{oneOf: [\(reference("Blank")), \(reference("Sort"))]}", #"static let empty = Union(rawValue: "")"#),
        ("{oneOf: [{enum: [up]}, \(reference("Sort"))]}", "typealias Union = Sort"),
        ("{oneOf: [\(reference("Point"))]}", "typealias Union = Point"),
        ("{oneOf: [\(reference("Point")), {type: 'null'}]}", "typealias Union = Point"),
        ("{anyOf: [{type: string}, {}]}", "case string(String)"),
        ("{type: [string, integer]}", "case string(String)"),
        (
            "{anyOf: [{required: [a]}, {required: [b]}], properties: {a: {type: string}, b: {type: string}}}",
            "var a: String?"
        ),
    ])
    func `a union of one schema is that schema`(_ union: String, _ member: String) {
        #expect(Generated(schemas: "Union: \(union)\n\(Self.parts)").members("Models/Union.swift").first == member)
    }

    @Test func `the children of a parent with a discriminator are a union`() {
        let schemas = """
            Animal: {type: object, required: [type], discriminator: {propertyName: type}, properties: {type: {type: string}}}
            Cat: {allOf: [{$ref: '#/components/schemas/Animal'}, {properties: {meow: {type: string}}}]}
            Dog: {allOf: [{$ref: '#/components/schemas/Animal'}, {properties: {bark: {type: string}}}]}
            """
        let generated = Generated(schemas: schemas)
        #expect(generated.members("Models/Animal.swift").prefix(2) == ["case cat(Cat)", "case dog(Dog)"])
        #expect(generated.members("Models/Cat.swift").prefix(2) == ["var type: String", "var meow: String?"])
    }

    @Test func `the constants of unions that contain themselves are not multiplied`() throws {
        let branches = (1...4).map { "{type: object, properties: {kind: {const: k\($0)}}, required: [kind]}" }
        let parent = "A: {oneOf: [\(branches.joined(separator: ", ")), {$ref: '#/components/schemas/B'}]}"
        let parents = Array(repeating: "{$ref: '#/components/schemas/A'}", count: 3).joined(separator: ", ")
        let other = "B: {oneOf: [\(parents)]}"
        let client = try #require(Generated(schemas: "\(parent)\n\(other)").client)
        let schema = client.document.reader.schemas[try #require(client.document.schemas.first).value]
        #expect(client.types.resolver.facts(of: schema).constants["kind"] == ["k1", "k2", "k3", "k4"])
    }

    @Test func `a union that contains itself is indirect`() {
        let generated = Generated(
            schemas:
                "Tree: {oneOf: [{type: string}, {type: object, properties: {left: {$ref: '#/components/schemas/Tree'}}}]}"
        )
        #expect(generated.code("Models/Tree.swift").contains("indirect enum Tree"))
        #expect(generated.messages == [])
    }

    @Test func `a key for one of several types is not reported for the others`() {
        let generated = Generated(schemas: "A: {type: [string, array], items: {type: integer}}")
        #expect(generated.members("Models/A.swift").prefix(2) == ["case string(String)", "case integers([Int])"])
        #expect(generated.messages == [])
    }
}
