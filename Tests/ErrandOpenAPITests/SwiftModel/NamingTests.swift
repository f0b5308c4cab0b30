import Testing

@testable import ErrandOpenAPI

/// Names that collide, and names that a type in the middle of a schema gets.
@Suite struct NamingTests {
    /// The constants of an enumeration, by their values.
    private func constants(_ values: String, named schema: String = "Thing") -> [String: String] {
        let generated = Generated(schemas: "\(schema): {type: string, enum: [\(values)]}")
        let lines = generated.files.values.joined().split(separator: "\n").filter { $0.contains("static let") }
        return Dictionary(
            lines.map { line in
                let words = line.split(separator: " ")
                return (String(line.split(separator: "\"")[1]), String(words[3]))
            }
        ) { first, _ in first }
    }

    @Test(arguments: [
        (
            "Etc/GMT, Etc/GMT+1, Etc/GMT-1, Etc/GMT+12, Etc/GMT-12",
            [
                "Etc/GMT": "etcGMT", "Etc/GMT+1": "etcGMTPlus1", "Etc/GMT-1": "etcGMTMinus1",
                "Etc/GMT+12": "etcGMTPlus12", "Etc/GMT-12": "etcGMTMinus12",
            ]
        ),
        ("r, r+, w", ["r": "r", "r+": "rPlus", "w": "w"]),
        ("'a<b', 'a>b', 'a=b'", ["a<b": "aLessB", "a>b": "aGreaterB", "a=b": "aEqualB"]),
        // A value whose text is its name keeps it.
        ("A, a, 'a*'", ["a": "a", "A": "a2", "a*": "aAll"]),
        // A date is not a subtraction, and a number after a digit is not a part of it.
        ("2024-01, '202401'", ["2024-01": "_202401", "202401": "_202401_2"]),
        ("a-1, b", ["a-1": "a1", "b": "b"]),
    ])
    func `values that differ in signs have them in their names`(_ values: String, _ names: [String: String]) {
        #expect(constants(values) == names)
    }

    @Test(arguments: [("1-10", ["1-10": "_110_2", "11-20": "_1120"]), ("状态", ["状态": "状态2", "其他": "其他"])])
    func `a constant has another name than its enumeration`(_ schema: String, _ names: [String: String]) {
        #expect(constants(names.keys.sorted().joined(separator: ", "), named: schema) == names)
    }

    @Test(arguments: [
        ("FOO: {enum: [a, b]}\nFoo: {enum: [c, d]}\nfoo: {enum: [e, f]}", ["Foo": "c", "Foo2": "a", "Foo3": "e"]),
        ("a_b: {enum: [a, b]}\nAB: {enum: [c, d]}", ["AB": "a"]),
    ])
    func `the schema whose name needs no change keeps it`(_ schemas: String, _ types: [String: String]) {
        let generated = Generated(schemas: schemas)
        for (type, value) in types {
            #expect(generated.code("Models/\(type).swift").contains("rawValue: \"\(value)\""), "\(type)")
        }
    }

    @Test(arguments: [
        ("{a: {}, A: {}, '@a': {}}", ["var a: JSONValue?", "var a2: JSONValue?", "var atA: JSONValue?"]),
        ("{'$ref': {}, ref: {}}", ["var dollarRef: JSONValue?", "var ref: JSONValue?"]),
        ("{v1: {}, V1: {}}", ["var v1: JSONValue?", "var v1_2: JSONValue?"]),
    ])
    func `the property whose name needs no change keeps it`(_ properties: String, _ members: [String]) {
        let generated = Generated(schemas: "Thing: {type: object, properties: \(properties)}")
        #expect(Array(generated.members("Models/Thing.swift").prefix(members.count)) == members)
    }

    @Test(arguments: [
        (["path: name", "query: name", "header: name"], ["name", "queryName", "headerName"]),
        // The order of the document does not matter.
        (["cookie: name", "header: name", "path: name"], ["cookieName", "headerName", "name"]),
        (["query: name", "header: name", "query: queryName"], ["name", "headerName", "queryName"]),
        (["query: page-size", "query: pageSize"], ["pageSize2", "pageSize"]),
        (["query: 'at<'", "query: 'at>'", "query: at"], ["atLess", "atGreater", "at"]),
        (["path: body", "query: type"], ["body", "type"]),
    ])
    func `parameters of one name begin with their places`(_ parameters: [String], _ names: [String]) {
        let list = parameters.map { parameter in
            let parts = parameter.split(separator: ": ")
            return "{in: \(parts[0]), name: \(parts[1]), required: true, schema: {type: string}}"
        }
        let path = parameters.contains { $0.hasPrefix("path") } ? "/items/{name}/{body}" : "/items"
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths: {'\(path)': {get: {operationId: items, parameters: [\(list.joined(separator: ", "))]}}}
            """
        let parts = Generated(text).code("Requests/Items.swift").split(separator: "init(", maxSplits: 1)
        let found = parts[1].prefix { $0 != ")" }.split(separator: ",").map { item in
            item.prefix { $0 != ":" }.filter { $0 != " " && $0 != "\n" }
        }
        #expect(Array(found.prefix(names.count)) == names)
    }

    @Test func `the storage of a property has another name than a property`() {
        let code = Generated(
            schemas:
                "Thing: {properties: {stored_parent: {type: string}, parent: {$ref: '#/components/schemas/Thing'}}}"
        ).code("Models/Thing.swift")
        #expect(code.contains("var storedParent: String?"))
        #expect(code.contains("private var storedParent2: Indirect<Thing?>"))
        #expect(
            code.contains("case storedParent2 = \"parent\"") && code.contains("case storedParent = \"stored_parent\""))
    }

    @Test(arguments: [
        ("{type: array, items: {type: array, items: {type: integer}}}", "integerLists"),
        ("{type: array, items: {type: array, items: {type: array, items: {type: integer}}}}", "integerListLists"),
        ("{type: array, items: {$ref: '#/components/schemas/Category'}}", "categories"),
        ("{type: array, items: {$ref: '#/components/schemas/Status'}}", "statuses"),
        ("{type: array, items: {$ref: '#/components/schemas/Settings'}}", "settingsList"),
        ("{type: array, items: {$ref: '#/components/schemas/Tags'}}", "tagLists"),
    ])
    func `a case for an array is named in the plural`(_ branch: String, _ name: String) {
        let others = """
            Category: {properties: {a: {}}}
            Status: {properties: {a: {}}}
            Settings: {properties: {a: {}}}
            Tags: {type: array, items: {type: string}}
            """
        let generated = Generated(schemas: "Thing: {oneOf: [{type: string}, \(branch)]}\n\(others)")
        #expect(generated.members("Models/Thing.swift")[1].hasPrefix("case \(name)("))
    }

    @Test(arguments: [
        ("deep: {type: array, items: {type: array, items: {type: array, items: {enum: [a, b]}}}}", "DeepItem"),
        ("menu_item: {type: array, items: {enum: [a, b]}}", "MenuItem"),
        ("index: {type: object, additionalProperties: {type: array, items: {enum: [a, b]}}}", "IndexItem"),
    ])
    func `the element of nested arrays is one item`(_ property: String, _ type: String) {
        let code = Generated(schemas: "Thing: {properties: {\(property)}}").code("Models/Thing.swift")
        #expect(code.contains("struct \(type): OpenEnum"))
    }

    @Test(arguments: [
        ("#/components/schemas/Other/properties/list/items", "ListItem"),
        ("#/components/schemas/Other/properties/map/additionalProperties", "MapItem"),
        ("#/components/schemas/Other/properties/inner", "Inner"),
        ("#/components/parameters/Sort/schema", "Sort"),
        ("#/paths/~1items/get/parameters/0/schema", "Order"),
    ])
    func `a schema that is referred to has the name that it has where it stands`(_ pointer: String, _ type: String) {
        let part = "{type: object, properties: {a: {type: string}}}"
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths:
              /items:
                get:
                  operationId: items
                  parameters: [{name: order, in: query, schema: {enum: [up, down]}}]
                  responses: {'200': {content: {application/json: {schema: \(part)}}}}
            components:
              parameters: {Sort: {name: sort, in: query, schema: {enum: [up, down]}}}
              schemas:
                Other: {properties: {list: {type: array, items: \(part)}, map: {type: object, additionalProperties: \(part)}, inner: \(part)}}
                Thing: {properties: {x: {$ref: '\(pointer)'}}}
            """
        #expect(Generated(text).members("Models/Thing.swift").first == "var x: \(type)?")
    }
}
