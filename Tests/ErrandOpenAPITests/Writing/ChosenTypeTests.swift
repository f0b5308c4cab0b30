import ErrandJSON
import Testing

@testable import ErrandOpenAPI

/// The types that the configuration chooses for formats and schemas.
@Suite struct ChosenTypeTests {
    private let money = CustomType(type: "MoneyKit.Money", module: "MoneyKit")
    private let sku = CustomType(type: "SKU")

    @Test func `without a choice, UUIDs and URLs are strings`() {
        let schemas = "A: {properties: {id: {type: string, format: uuid}, page: {type: string, format: uri}}}"
        #expect(
            Generated(schemas: schemas).members("Models/A.swift").prefix(2) == ["var id: String?", "var page: String?"])
    }

    @Test func `a format has a known type, also in arrays, dictionaries and unions`() {
        let schemas = """
            A: {properties: {id: {type: string, format: uuid}, pages: {type: array, items: {type: string, format: uri}}}}
            B: {additionalProperties: {type: string, format: uuid}}
            C: {oneOf: [{type: string, format: uuid}, {type: integer}]}
            """
        let generated = Generated(
            schemas: schemas, options: ClientModel.Options(formats: ["uuid": .known(.uuid), "uri": .known(.url)]))
        #expect(generated.members("Models/A.swift").prefix(2) == ["var id: UUID?", "var pages: [URL]?"])
        #expect(generated.members("Models/B.swift") == ["typealias B = [String: UUID]"])
        #expect(generated.members("Models/C.swift").prefix(2) == ["case uuid(UUID)", "case integer(Int)"])
        #expect(generated.messages == [])
    }

    @Test func `a format of several kinds of values has a custom type, and each file imports its module`() {
        let cents = CustomType(type: "Cents", module: "MoneyKit")
        let schemas = """
            A: {properties: {a: {type: string, format: x}, b: {type: integer, format: x}, c: {type: number, format: x}}}
            B: {properties: {a: {$ref: '#/components/schemas/A'}}}
            """
        let generated = Generated(schemas: schemas, options: ClientModel.Options(formats: ["x": .custom(cents)]))
        #expect(
            generated.members("Models/A.swift").prefix(3) == ["var a: Cents?", "var b: Cents?", "var c: Cents?"])
        #expect(generated.files["Models/A.swift"]?.contains("\npublic import MoneyKit\n") == true)
        #expect(generated.files["Models/B.swift"]?.contains("MoneyKit") == false)
    }

    @Test func `a custom type of a schema replaces its declaration, and what only that needs`() {
        let schemas = """
            Money: {properties: {amount: {type: string}, note: {properties: {a: {type: string}}}}}
            Cash: {$ref: '#/components/schemas/Money'}
            Order:
              required: [total]
              properties:
                total: {$ref: '#/components/schemas/Money', description: In all.}
                parts: {type: array, items: {$ref: '#/components/schemas/Money'}}
                tip: {oneOf: [{$ref: '#/components/schemas/Money'}, {type: 'null'}]}
            """
        let generated = Generated(schemas: schemas, options: ClientModel.Options(types: ["Money": .custom(money)]))
        #expect(generated.files.keys.sorted() == ["Models/Cash.swift", "Models/Order.swift", "TestAPI.swift"])
        #expect(generated.members("Models/Cash.swift") == ["typealias Cash = MoneyKit.Money"])
        #expect(
            generated.members("Models/Order.swift").prefix(3) == [
                "var total: MoneyKit.Money", "var parts: [MoneyKit.Money]?", "var tip: MoneyKit.Money?",
            ])
    }

    @Test func `a schema is chosen by its pointer, and can have a known type`() {
        let schemas = "A: {properties: {a: {type: string}, b: {type: number}}}\nID: {type: [string, 'null']}"
        let generated = Generated(
            schemas: schemas,
            options: ClientModel.Options(types: [
                "#/components/schemas/A/properties/a": .custom(sku),
                "#/components/schemas/A/properties/b": .known(.decimal), "ID": .known(.uuid),
            ]))
        #expect(generated.members("Models/A.swift").prefix(2) == ["var a: SKU?", "var b: Decimal?"])
        #expect(generated.members("Models/ID.swift") == ["typealias ID = UUID"])
    }

    @Test func `what else leads to a part of a schema with a custom type has the part's type`() {
        let schemas = """
            Money: {properties: {note: {properties: {a: {type: string}}}}}
            Order: {properties: {note: {$ref: '#/components/schemas/Money/properties/note'}}}
            """
        let generated = Generated(schemas: schemas, options: ClientModel.Options(types: ["Money": .custom(money)]))
        #expect(generated.members("Models/Note.swift").first == "var a: String?")
        #expect(generated.members("Models/Order.swift").first == "var note: Note?")
    }

    @Test func `no declaration hides a custom type`() {
        let schemas = """
            MoneyKit: {properties: {a: {type: string}}}
            A: {properties: {sku: {properties: {b: {type: string}}}, c: {type: string, format: sku}}}
            """
        let generated = Generated(
            schemas: schemas,
            options: ClientModel.Options(formats: ["sku": .custom(CustomType(type: "Sku")), "m": .custom(money)]))
        #expect(generated.members("Models/A.swift").prefix(2) == ["var sku: Sku2?", "var c: Sku?"])
        let hidden = Generated(
            schemas: schemas,
            options: ClientModel.Options(types: ["#/components/schemas/A/properties/c": .custom(money)]))
        #expect(hidden.files.keys.contains("Models/MoneyKit2.swift"))
    }

    @Test func `an enumeration keeps its values, and a constant of a chosen schema does not`() {
        let schemas = """
            A: {properties: {a: {type: string, format: sku, enum: [x, y]}, b: {$ref: '#/components/schemas/B'}}}
            B: {type: string, enum: [z]}
            """
        let generated = Generated(
            schemas: schemas, options: ClientModel.Options(formats: ["sku": .custom(sku)], types: ["B": .custom(sku)]))
        #expect(generated.members("Models/A.swift").prefix(2) == ["var a: A2?", "var b: SKU?"])
    }

    // MARK: Requests

    private func request(_ schema: String, _ place: String) -> String {
        let operation = """
            parameters: [{name: v, in: \(place), schema: \(schema)}]
            responses: {'204': {description: x}}
            """
        let path = "  /items\(place == "path" ? "/{v}" : ""):\n"
        let head = "openapi: 3.1.0\ninfo: {title: Test, version: '1'}\npaths:\n\(path)"
        let lines = operation.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n")
        let formats: [String: ChosenType] = ["uuid": .known(.uuid), "uri": .known(.url), "sku": .custom(sku)]
        let text = head + "    get:\n      operationId: items\n" + lines
        let code = Generated(text, options: ClientModel.Options(formats: formats)).code("Requests/Items.swift")
        return code.split(separator: "\n").first { $0.contains("path = \"/items/") || $0.contains("append(") }
            .map { String($0.drop { $0 == " " }) } ?? code
    }

    @Test(arguments: [
        ("uuid", "path", #"path = "/items/\(v, as: "v")""#),
        ("uri", "path", #"path = "/items/\(encoding: v, as: "v")""#),
        ("sku", "path", #"path = "/items/\(encoding: v, as: "v")""#), ("uuid", "query", #"query.append("v", v)"#),
        ("sku", "query", #"query.append("v", encoding: v)"#), ("sku", "header", #"headers.append("v", encoding: v)"#),
        ("sku", "cookie", #"headers.append(cookie: "v", encoding: v)"#),
    ])
    func `a parameter needs only the coding of its type`(_ format: String, _ place: String, _ line: String) {
        #expect(request("{type: string, format: \(format)}", place) == line)
    }

    // MARK: Messages

    @Test func `a name that no schema has is a warning, with the one that is most like it`() {
        let schemas = "Money: {properties: {a: {type: string, format: sku}}}"
        let chosen = ClientModel.Options(
            formats: ["skus": .custom(sku), "sku": .custom(sku)],
            types: ["Mony": .custom(money), "#/components/schemas/Moneys": .custom(money)])
        let place = "api.yaml:1:1: warning: the configuration chooses a type for"
        let lines = Generated(schemas: schemas, options: chosen).messages.map { $0.prefix { $0 != "\n" } }
        #expect(
            lines == [
                "\(place) \"#/components/schemas/Moneys\", which does not exist; did you mean Money? [configuration]",
                "\(place) \"Mony\", which does not exist; did you mean Money? [configuration]",
                "\(place) the format \"skus\", which no schema has; did you mean sku? [configuration]",
            ])
    }

    @Test func `a pointer to something else is a warning, and two types of one schema are an error`() {
        let chosen = ClientModel.Options(types: [
            "#/info": .custom(sku), "Money": .custom(money), "#/components/schemas/Money": .custom(sku),
        ])
        let messages = Generated(schemas: "Money: {type: string}", options: chosen).messages.joined(separator: "\n")
        #expect(messages.contains("warning: the configuration chooses a type for \"#/info\", which is not a schema"))
        let names = "\"#/components/schemas/Money\" and \"Money\""
        #expect(messages.contains("error: the configuration chooses two types for one schema: by \(names)"))
        let equal = ClientModel.Options(types: ["Money": .custom(money), "#/components/schemas/Money": .custom(money)])
        #expect(Generated(schemas: "Money: {type: string}", options: equal).messages == [])
    }

    @Test func `a format in another file is not a warning, even if a filter leaves it out`() {
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths: {/a: {get: {operationId: a}}, /b: {$ref: b.yaml}}
            """
        let other = "get: {operationId: b, parameters: [{name: b, in: query, schema: {type: string, format: uuid}}]}"
        var options = ClientModel.Options(formats: ["uuid": .known(.uuid)])
        options.filter.ids = ["a"]
        let generated = Generated(text, others: ["b.yaml": other], options: options)
        #expect(generated.messages.filter { $0.contains("the format") } == [])
    }

    @Test func `a format that only unselected operations use is not a warning`() {
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths: {/a: {get: {operationId: a}}}
            components: {schemas: {A: {type: string, format: uuid}}}
            """
        var options = ClientModel.Options(formats: ["uuid": .known(.uuid)])
        options.filter.ids = ["a"]
        #expect(Generated(text, options: options).messages.filter { $0.contains("warning") } == [])
    }

    @Test func `a type that is not decoded from such values is ignored with a warning`() {
        let schemas = """
            A: {properties: {a: {type: string, format: price}, b: {$ref: '#/components/schemas/B'}}}
            B: {type: object}
            """
        let generated = Generated(
            schemas: schemas,
            options: ClientModel.Options(formats: ["price": .known(.decimal)], types: ["B": .known(.uuid)]))
        #expect(generated.members("Models/A.swift").prefix(2) == ["var a: String?", "var b: B?"])
        let messages = generated.messages.joined()
        #expect(messages.contains("the type of the format \"price\" is decoded from a number, not from this string"))
        #expect(messages.contains("the type of this schema is decoded from a string; it is ignored"))
    }

    // MARK: Samples

    @Test func `tests and stubs have a value of the configuration, of the document, or of the format`() {
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            servers: [{url: 'https://example.com'}]
            paths:
              /a:
                get:
                  operationId: a
                  responses: {'200': {description: x, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}
            components:
              schemas:
                A:
                  required: [a, b, c, d, e]
                  properties:
                    a: {type: string, format: sku}
                    b: {type: string, format: code, example: X-10}
                    c: {type: string, format: email}
                    d: {type: string, format: uuid}
                    e: {$ref: '#/components/schemas/Money'}
                Money: {properties: {amount: {type: string}}}
            """
        let example = CustomType(type: "SKU", module: nil, example: "AB-1")
        let custom = ChosenType.custom(sku)
        let formats = ["sku": ChosenType.custom(example), "code": custom, "email": custom, "uuid": .known(.uuid)]
        let amount = CustomType(type: "Money", module: "MoneyKit", example: ["amount": "2.5"])
        let generated = Generated(
            text, options: ClientModel.Options(formats: formats, types: ["Money": .custom(amount)]))
        let uuid = "5C0F4CF6-5C4B-4F0B-9C1A-2D6F0A7B3E11"
        let tests = generated.tests.values.joined()
        #expect(
            tests.contains(
                #"{"a": "AB-1", "b": "X-10", "c": "user@example.com", "d": "\#(uuid)", "e": {"amount": "2.5"}}"#))
        #expect(tests.contains("case .string(let text) where UUID(uuidString: text) != nil:"))
        let stubs = generated.stubs.values.joined()
        for part in [#""a": "AB-1""#, #""b": "X-10""#, #""c": "user@example.com""#, #"{"amount": "2.5"}"#] {
            #expect(stubs.contains(part))
        }
    }
}
