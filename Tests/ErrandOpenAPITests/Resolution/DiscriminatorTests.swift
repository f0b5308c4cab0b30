import Testing

@testable import ErrandOpenAPI

/// The values of discriminators and of other constants that decide unions.
@Suite struct DiscriminatorTests {
    private static func reference(_ name: String) -> String { "{$ref: '#/components/schemas/\(name)'}" }

    private func generated(_ cat: String, _ union: String, _ others: String = "") -> Generated {
        let pets = "oneOf: [\(Self.reference("Cat")), \(Self.reference("Dog"))]"
        let dog = "Dog: {required: [bark], properties: {bark: {type: string}, type: {const: dog}}}"
        return Generated(
            schemas: "Cat: \(cat)\n\(dog)\nPet: {\(union.replacing("PETS", with: pets))}"
                + (others.isEmpty ? "" : "\n\(others)"))
    }

    @Test(arguments: [
        // FastAPI: the constant is not required, because it has a default.
        (
            "type: {const: cat, default: cat}", "PETS, discriminator: {propertyName: type, mapping: {cat: Cat}}",
            #"type: String? = "cat""#
        ),
        (
            "type: {type: string}", "PETS, discriminator: {propertyName: type, mapping: {cat: Cat}}",
            #"type: String? = "cat""#
        ),
        ("type: {type: integer}", "PETS, discriminator: {propertyName: type, mapping: {'3': Cat}}", "type: Int? = 3"),
        (
            "type: {enum: [cat, lion]}", "PETS, discriminator: {propertyName: type, mapping: {cat: Cat}}",
            "type: Type_? = .cat"
        ),
        (
            "type: {$ref: '#/components/schemas/Kind'}",
            "PETS, discriminator: {propertyName: type, mapping: {'a-b': Cat}}", "type: Kind? = .aB"
        ),
        // A constant decides without a discriminator, too.
        ("type: {const: cat}", "PETS", #"type: String? = "cat""#), ("type: {const: 3}", "PETS", "type: Int? = 3"),
        // Nothing decides by it.
        ("type: {const: cat}", "type: string", "type: String? = nil"),
        ("type: {type: integer}", "PETS, discriminator: {propertyName: type, mapping: {cat: Cat}}", "type: Int? = nil"),
        (
            "type: {type: string}", "PETS, discriminator: {propertyName: type, mapping: {a: Cat, b: Cat}}",
            "type: String? = nil"
        ),
    ])
    func `an optional property that decides a union has its value by default`(
        _ property: String, _ union: String, _ parameter: String
    ) {
        let generated = generated("{properties: {\(property)}}", union, "Kind: {type: string, enum: [a-b, c]}")
        #expect(generated.code("Models/Cat.swift").contains("init(\(parameter)) {"))
    }

    @Test func `properties of two unions have their values by default`() {
        let generated = generated(
            "{required: [a, b], properties: {a: {type: string}, b: {type: string}}}",
            "PETS, discriminator: {propertyName: a, mapping: {x: Cat}}",
            "Animal: {oneOf: [\(Self.reference("Cat"))  , \(Self.reference("Dog"))], discriminator: {propertyName: b, mapping: {y: Cat}}}"
        )
        #expect(generated.code("Models/Cat.swift").contains(#"init(a: String = "x", b: String = "y")"#))
    }

    @Test(arguments: [
        ("{required: [lives], properties: {lives: {type: integer}}}", true),
        ("{type: object, properties: {kind: {type: string}}}", false),
        ("{allOf: [{properties: {kind: {type: string}}}, {properties: {a: {}}}]}", false),
        // A member of the dictionary replaces the one of the union.
        ("{type: object, additionalProperties: {type: string}}", true), ("{type: string}", false),
    ])
    func `the union encodes a discriminator that a branch does not declare`(_ cat: String, _ isEncoded: Bool) {
        let mapping = "discriminator: {propertyName: kind, mapping: {tom: Cat, rex: Dog}}"
        let generated = generated(cat, "PETS, \(mapping)")
        let code = generated.code("Models/Pet.swift")
        #expect(code.contains(#"try encoder.encode(members: ["kind": "tom"])"#) == isEncoded)
        #expect(code.contains(#"try encoder.encode(members: ["kind": "rex"])"#))
    }

    @Test(arguments: [
        ("properties: {a: {}, $type: {type: string}, b: {}}", "case type = \"$type\"\n        case a, b\n"),
        ("properties: {a: {}, x-y: {}, kind: {type: string}}", "case kind, a\n        case xY = \"x-y\"\n"),
        (
            "properties: {a: {}, kind: {type: string}}, additionalProperties: {type: string}",
            "encode(self.kind, forKey: .kind)\n        try container.encodeIfPresent(self.a"
        ),
    ])
    func `a discriminator is encoded before the other members`(_ cat: String, _ code: String) {
        let name = cat.contains("$type") ? "$type" : "kind"
        let union = "PETS, discriminator: {propertyName: \(name), mapping: {tom: Cat, rex: Dog}}"
        for (union, isFirst) in [(union, true), ("type: string", false)] {
            let generated = generated("{required: [\(name)], \(cat)}", union)
            #expect(generated.code("Models/Cat.swift").contains(code) == isFirst)
            #expect(generated.members("Models/Cat.swift").first == "var a: JSONValue?")
        }
    }

    @Test func `a branch with several values that it does not declare has a case for each`() {
        let generated = generated(
            "{required: [lives], properties: {lives: {type: integer}}}",
            "PETS, discriminator: {propertyName: kind, mapping: {tom: Cat, tiger: Cat, rex: Dog}}")
        let cases = generated.members("Models/Pet.swift").prefix(3)
        #expect(cases == ["case tom(Cat)", "case tiger(Cat)", "case dog(Dog)"])
        #expect(generated.code("Models/Pet.swift").contains(#"case "tiger": self = .tiger(try content.decode())"#))
    }

    @Test(arguments: [
        "{allOf: [UNION, {properties: {x: {type: integer}}}]}", "{allOf: [UNION], properties: {x: {type: integer}}}",
        "{allOf: [{allOf: [UNION]}, {properties: {x: {type: integer}}}]}",
        "{UNION, properties: {x: {type: integer}}}",
    ])
    func `each branch of a union with a discriminator has the members that allOf adds`(_ schema: String) {
        let schema = schema.replacing("{UNION", with: "{$ref: '#/components/schemas/Pet'")
            .replacing("UNION", with: Self.reference("Pet"))
        let generated = generated(
            "{required: [lives], properties: {lives: {type: integer}}}",
            "PETS, discriminator: {propertyName: type, mapping: {tom: Cat, dog: Dog}}",
            "Thing: \(schema)\nSame: {allOf: [\(Self.reference("Pet"))]}")
        let code = generated.code("Models/Thing.swift")
        #expect(generated.members("Models/Thing.swift").prefix(2) == ["case cat(Cat)", "case dog(Dog)"])
        #expect(code.contains(#"case "tom": self = .cat(try content.decode())"#))
        #expect(code.ranges(of: "public var x: Int?").count == 2)
        #expect(generated.members("Models/Same.swift") == ["typealias Same = Pet"])
        #expect(generated.messages == [])
    }

    @Test(arguments: [", oneOf: [\(reference("Cat"))]", ", anyOf: [\(reference("Lion"))]", ""])
    func `a child has the members of a parent that lists other children`(_ list: String) {
        let generated = Generated(
            schemas: """
                Pet: {required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: kind}\(list)}
                Cat: {allOf: [\(Self.reference("Pet")), {properties: {lives: {type: integer}}}]}
                Lion: {allOf: [\(Self.reference("Cat"))]}
                Dog: {allOf: [\(Self.reference("Pet")), {properties: {bark: {type: string}}}]}
                """)
        #expect(generated.members("Models/Dog.swift").prefix(2) == ["var kind: String", "var bark: String?"])
    }

    @Test(arguments: [
        ("oneOf: [CAT, DOG]", true), ("anyOf: [CAT, PUPPY]", true), ("oneOf: [CAT, STONE]", false),
        ("oneOf: [PET, CAT, DOG]", true), ("oneOf: [CAT, {allOf: [PET]}]", false), ("oneOf: [NAMED, FOUND]", false),
    ])
    func `the discriminator of a parent decides a union of its children`(_ union: String, _ isDecided: Bool) {
        let union = ["Cat", "Dog", "Puppy", "Stone", "Pet", "Named", "Found"].reduce(union) {
            $0.replacing($1.uppercased(), with: Self.reference($1))
        }
        let generated = Generated(
            schemas: """
                Animals: {type: array, items: {\(union)}}
                Pet: {properties: {kind: {type: string}}, discriminator: {propertyName: kind, mapping: {tom: Cat}}}
                Cat: {allOf: [\(Self.reference("Pet"))], properties: {lives: {type: integer}}}
                Dog: {allOf: [\(Self.reference("Pet"))], properties: {bark: {type: string}}}
                Puppy: {allOf: [\(Self.reference("Dog"))]}
                Stone: {properties: {kind: {type: string}, weight: {type: number}}}
                Either: {oneOf: [\(Self.reference("Cat")), \(Self.reference("Stone"))], discriminator: {propertyName: kind}}
                Named: {allOf: [\(Self.reference("Either"))], properties: {name: {type: string}}}
                Found: {allOf: [\(Self.reference("Either"))], properties: {place: {type: string}}}
                """)
        let code = generated.code("Models/Animal.swift")
        #expect(code.contains(#"case "tom": self = .cat(try content.decode())"#) == isDecided)
        #expect(code.contains(#"switch content.text(of: "kind") {"#) == isDecided)
        // The parent has the other children.
        #expect(code.contains(#"case "Puppy": self = .pet(try content.decode())"#) == union.contains("Pet'}, "))
        #expect(!generated.messages.contains { $0.contains("is not a branch") })
    }

    @Test(arguments: ["", ", discriminator: {propertyName: kind}"])
    func `a schema that extends a child extends the parent`(_ discriminator: String) {
        let generated = Generated(
            schemas: """
                Animal: {type: object, required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: kind, mapping: {hound: Dog}}}
                Mammal: {allOf: [\(Self.reference("Animal")), {properties: {legs: {type: integer}}}]\(discriminator)}
                Dog: {allOf: [\(Self.reference("Mammal")), {properties: {breed: {type: string}}}]}
                Puppy: {allOf: [\(Self.reference("Dog"))]}
                """)
        let code = generated.code("Models/Animal.swift")
        for (value, name) in [("Mammal", "mammal"), ("hound", "dog"), ("Puppy", "puppy")] {
            #expect(code.contains("case \"\(value)\": self = .\(name)(try content.decode())"))
        }
        // A child that adds no members has another value.
        #expect(generated.code("Models/Puppy.swift").contains(#"kind: String = "Puppy""#))
    }

    @Test func `the discriminator of a child decides among its own children`() {
        let tag = "kind: {type: string, enum: [shark]}"
        let generated = Generated(
            schemas: """
                Fish: {properties: {kind: {type: string}}, discriminator: {propertyName: kind, mapping: {shark: Shark}}}
                Shark: {allOf: [\(Self.reference("Fish"))], properties: {\(tag), sort: {type: string}}, discriminator: {propertyName: sort}}
                Saw: {allOf: [\(Self.reference("Shark"))], properties: {sort: {const: saw}}}
                Goblin: {allOf: [\(Self.reference("Shark"))], properties: {sort: {const: goblin}}}
                """)
        let code = generated.code("Models/Fish.swift")
        #expect(code.contains(#"case "saw": self = .saw(try content.decode())"#))
        #expect(code.contains(#"case "goblin": self = .goblin(try content.decode())"#))
    }

    @Test(arguments: [
        ("{anyOf: [A, B]}", true), ("{anyOf: [A, B, C]}", true), ("{oneOf: [A, B]}", false),
        ("{anyOf: [A, {type: string}]}", false), ("{anyOf: [K, L]}", false), ("{anyOf: [A, B, {}]}", false),
        ("{anyOf: [A, {type: object, additionalProperties: {type: integer}}]}", false),
        ("{anyOf: [K, L], discriminator: {propertyName: kind}}", false), ("{anyOf: [A, R]}", false),
    ])
    func `a value of anyOf keeps each branch that it fits, unless one fact decides`(_ union: String, _ isCombined: Bool)
    {
        var union = union
        for name in ["A", "B", "C", "K", "L", "R"] {
            union = union.replacing("[\(name),", with: "[\(Self.reference(name)),")
                .replacing(" \(name),", with: " \(Self.reference(name)),")
                .replacing(" \(name)]", with: " \(Self.reference(name))]")
        }
        let generated = Generated(
            schemas: """
                Thing: \(union)
                A: {required: [a], properties: {a: {type: integer}, id: {type: integer}}}
                B: {required: [b], properties: {b: {type: integer}, id: {type: integer}}}
                C: {properties: {c: {type: integer}}}
                K: {required: [kind], properties: {kind: {const: k}}}
                L: {required: [kind], properties: {kind: {const: l}}}
                R: {properties: {thing: \(Self.reference("Thing"))}}
                """)
        let code = generated.code("Models/Thing.swift")
        #expect(code.contains("struct Thing: Codable") == isCombined)
        let notes = generated.messages.filter { $0.contains("are lost") || $0.contains("no fact") }
        if isCombined {
            #expect(notes.isEmpty)
            #expect(code.contains("public var a: A?") && code.contains("self.a = try? A(from: decoder)"))
        } else if union.hasPrefix("{anyOf: [\(Self.reference("A")), \(Self.reference("R"))") {
            // A struct would contain itself.
            #expect(notes.count { $0.contains("are lost") } == 1)
        }
    }
}
