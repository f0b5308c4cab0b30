import Testing

@testable import ErrandOpenAPI

/// Unions of the types that the configuration chooses, and names that clash with those of custom types.
@Suite struct ChosenTypeUnionTests {
    private let sku = CustomType(type: "SKU")

    /// A union, and its cases in the order in which they are decoded.
    @Test(arguments: [
        ("{oneOf: [{$ref: '#/components/schemas/Money'}, {$ref: '#/components/schemas/Sku'}]}", ["money", "sku"]),
        ("{oneOf: [{type: string}, {$ref: '#/components/schemas/Money'}]}", ["money", "string"]),
        ("{oneOf: [{type: string}, {type: string, format: sku}]}", ["string2", "string"]),
        ("{oneOf: [{type: string, format: uuid}, {type: string, format: uri}]}", ["uuid", "url"]),
        (
            "{oneOf: [{type: string, format: uri}, {type: string, format: uuid}, {type: string, format: date-time}]}",
            ["uuid", "date", "url"]
        ),
        ("{oneOf: [{type: integer}, {type: integer, format: sku}]}", ["integer2", "integer"]),
        ("{oneOf: [{type: string, format: date}, {type: string, format: date-time}]}", ["date", "date2"]),
        (
            "{oneOf: [{items: {type: string, format: uri}}, {items: {$ref: '#/components/schemas/Money'}}]}",
            ["moneys", "urls", "urls"]
        ),
        ("{oneOf: [{$ref: '#/components/schemas/Money'}, {type: string, enum: [a, b]}]}", ["known", "money"]),
        ("{oneOf: [{$ref: '#/components/schemas/Money'}, {type: 'null'}]}", []),
    ])
    func `a union tries the types that no fact distinguishes, text last`(_ schema: String, _ cases: [String]) {
        let generated = Generated(
            schemas: "B: \(schema)\nMoney: {type: string}\nSku: {type: string}",
            options: ClientModel.Options(
                formats: ["uuid": .known(.uuid), "uri": .known(.url), "sku": .custom(sku)],
                types: ["Money": .custom(CustomType(type: "Money")), "Sku": .custom(CustomType(type: "Sku"))]))
        let texts = generated.code("Models/B.swift").split(separator: "self = .").dropFirst()
        let names = texts.map { text in String(text.prefix { $0 != "(" }) }
        #expect(names.filter { $0 != "other" } == cases)
    }

    @Test func `another name of a custom text is a text in a query`() {
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            servers: [{url: 'https://example.com'}]
            paths:
              /a:
                get:
                  operationId: a
                  parameters: [{name: w, in: query, schema: {$ref: '#/components/schemas/Wrap'}}]
                  responses:
                    '200':
                      description: x
                      headers: {X-Money: {schema: {$ref: '#/components/schemas/Money'}}}
                      content: {application/json: {schema: {$ref: '#/components/schemas/Server'}}}
            components:
              schemas:
                Money: {type: string}
                Wrap: {$ref: '#/components/schemas/Money'}
                Server: {type: string}
            """
        let kit = CustomType(type: "Server", module: "MoneyKit")
        let types = ["Money": ChosenType.custom(sku), "Wrap": .custom(CustomType(type: "Wrap"))]
        let code = Generated(text, options: ClientModel.Options(types: types.merging(["Server": .custom(kit)]) { $1 }))
            .code("Requests/A.swift")
        #expect(code.contains(#"query.append("w", encoding: w)"#))
        #expect(code.contains("var xMoney: SKU?"))
        #expect(code.contains("Pipeline<MoneyKit.Server, any Error>"))
        let local = ["Server": ChosenType.custom(CustomType(type: "Server"))]
        let messages = Generated(text, options: ClientModel.Options(types: local)).messages.joined()
        #expect(
            messages.contains("error: the custom type \"Server\" has the name of a type that generated code contains"))
    }

    @Test func `a custom type of the runtime keeps the public import`() {
        let patch = CustomType(type: "JSONPatch", module: "ErrandOpenAPIRuntime")
        let schemas = "A: {properties: {p: {type: string, format: x}}, additionalProperties: {type: string}}"
        let generated = Generated(schemas: schemas, options: ClientModel.Options(formats: ["x": .custom(patch)]))
        #expect(generated.files["Models/A.swift"]?.contains("\npublic import ErrandOpenAPIRuntime\n") == true)
    }

    @Test func `a client of types only does not reserve the name of its class`() {
        var options = ClientModel.Options()
        options.filter.schemas = ["TestAPI"]
        let generated = Generated(schemas: "TestAPI: {properties: {a: {type: string}}}", options: options)
        #expect(generated.files.keys.sorted() == ["Models/TestAPI.swift"])
    }
}
