import Testing

@testable import ErrandOpenAPI

@Suite struct FaultTests {
    private static let head = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n"

    @Test(arguments: [
        (
            "swagger: '2.0'",
            "api.yaml:1:10: error: Swagger 2.0 is not supported; convert it with `swagger2openapi` first [version]\n  at #/swagger"
        ),
        (
            "openapi: 4.0.0",
            "api.yaml:1:10: error: OpenAPI 4.0.0 is not supported; 3.0 to 3.2 are [version]\n  at #/openapi"
        ),
        ("a: 1", "api.yaml:1:1: error: this is not an OpenAPI document: the key \"openapi\" is missing [version]"),
        ("[]", "api.yaml:1:1: error: this is not an OpenAPI document: the key \"openapi\" is missing [version]"),
        (head + "paths: []", "api.yaml:3:8: error: \"paths\" must be an object, not an array [type]\n  at #/paths"),
        (
            head + "paths: {/a: {get: 1}}",
            "api.yaml:3:19: error: an operation must be an object, not a number [type]\n  at #/paths/~1a/get"
        ),
        (
            head + "paths: {/a: {get: {parameters: [{in: query}], responses: {'204': {}}}}}",
            "api.yaml:3:33: error: the parameter has no \"name\" [missing]\n  at #/paths/~1a/get/parameters/0"
        ),
        (
            head + "paths: {/a: {get: {parameters: [{name: a, in: body}], responses: {'204': {}}}}}",
            "api.yaml:3:47: error: \"body\" is not a place for a parameter [parameter]\n  at #/paths/~1a/get/parameters/0/in"
        ),
        (
            head + "paths: {/a: {get: {responses: {'20': {}, '204': {}}}}}",
            "api.yaml:3:38: warning: \"20\" is not a status code, a range such as 4XX, or \"default\"; it is ignored [response]\n  at #/paths/~1a/get/responses/20"
        ),
        (
            head + "paths: {}\ncomponents: {schemas: {A: {type: text}}}",
            "api.yaml:4:34: warning: \"text\" is not a type of JSON Schema; it is ignored [type]\n  at #/components/schemas/A/type"
        ),
        (
            head + "paths: {}\ncomponents: {schemas: {Book: {}, A: {$ref: '#/components/schemas/Bok'}}}",
            "api.yaml:4:44: warning: \"#/components/schemas/Bok\" does not exist; did you mean Book? [reference]\n  at #/components/schemas/A/$ref"
        ),
        (
            head + "paths: {}\ncomponents: {schemas: {A: {$ref: 'other.yaml#/A'}}}",
            "api.yaml:4:34: error: the file other.yaml cannot be read [reference]\n  at #/components/schemas/A/$ref"
        ),
        (
            head + "paths: {}\ncomponents: {schemas: {A: {$ref: 'https://example.com/a.yaml'}}}",
            "api.yaml:4:34: error: \"https://example.com/a.yaml\" is on a server: put it into a file, and refer to that [reference]\n  at #/components/schemas/A/$ref"
        ),
        (
            head + "paths: {}\ncomponents: {schemas: {A: {type: object, items: {type: string}}}}",
            "api.yaml:4:49: warning: \"items\" has no effect on the type object [schema]\n  at #/components/schemas/A/items"
        ),
        (
            head + "paths: {}\ncomponents: {schemas: {A: {colour: red, type: string}}}",
            "api.yaml:4:36: warning: a schema has no \"colour\"; it is ignored [unknown-key]\n  at #/components/schemas/A/colour"
        ),
        (
            head + "paths: {}\ncomponents: {schemas: {A: {type: string, not: {const: a}}}}",
            "api.yaml:4:47: note: \"not\" only restricts values; it is not checked [restriction]\n  at #/components/schemas/A/not"
        ),
        (
            head
                + "paths: {}\nsecurity: [{tokn: []}]\ncomponents: {securitySchemes: {token: {type: http, scheme: bearer}}}",
            "api.yaml:4:19: warning: the security scheme \"tokn\" does not exist; did you mean token? [security]\n  at #/security/0/tokn"
        ),
        (
            head + "paths: {}\nservers: [{url: 'https://{a}.com'}]",
            "api.yaml:4:11: warning: the variable \"a\" of the URL is not described; it has no default [server]\n  at #/servers/0"
        ),
        (
            head + "paths: {}\ncomponents: {schemas: {A: {type: string, enum: ['07', 08]}}}",
            "api.yaml:4:55: warning: 08 is a number, but the type is string; it is read as \"08\" [type]\n  at #/components/schemas/A/enum/1"
        ),
        (
            head + "paths: {}\ncomponents: {schemas: {A: {type: string, enum: [on, true]}}}",
            "api.yaml:4:53: warning: true is a Boolean, but the type is string; it is read as \"true\" [type]\n  at #/components/schemas/A/enum/1"
        ),
        (
            head + "paths: {}\ncomponents: {schemas: {A: {type: integer, enum: [1, '2']}}}",
            "api.yaml:4:53: warning: \"2\" is a string, but the type is integer; it is read as 2 [type]\n  at #/components/schemas/A/enum/1"
        ),
        (
            head
                + "paths: {/a: {get: {responses: {'204': {}, '404': {content: {application/xml: {schema: {properties: {b: {}}}}}}}}}}",
            "api.yaml:3:50: note: the error document is not read as application/xml [response]\n  at #/paths/~1a/get/responses/404"
        ),
        (
            head + "paths: {'/a/{id}': {get: {responses: {'204': {}}}}}",
            "api.yaml:3:26: warning: the path /a/{id} has no parameter for \"id\"; it is a string [parameter]\n  at #/paths/~1a~1{id}/get"
        ),
    ])
    func `a fault is reported once, with its place`(_ text: String, _ message: String) {
        #expect(Generated(text).messages == [message])
    }

    @Test(arguments: [
        "{get: {operationId: bad, parameters: [{name: x, in: body}]}}", "{get: {operationId: bad, responses: []}}",
        "{parameters: [{in: query}], get: {operationId: bad}}",
        "{post: {requestBody: {$ref: 'https://example.com/a.yaml'}, responses: {'200': {$ref: 'other.yaml'}}}}",
        "{get: {operationId: bad, responses: {'200': {content: {application/json: {schema: {properties: 1}}}}}}}",
    ])
    func `a fault of an operation that is not chosen does not count`(_ path: String) {
        let text =
            Self.head + "paths: {/good: {get: {operationId: good}}, /bad: \(path)}\n"
            + "components: {schemas: {Odd: {properties: 1, allOf: [{$ref: 'other.yaml'}]}}}"
        #expect(Generated(text).messages.contains { $0.contains("error:") })
        for filter in [DocumentFilter(ids: ["good"]), DocumentFilter(paths: ["/good"])] {
            var options = ClientModel.Options()
            options.filter = filter
            let generated = Generated(text, options: options)
            #expect(!generated.messages.contains { $0.contains("error:") })
            #expect(generated.files.keys.filter { $0.hasPrefix("Requests") } == ["Requests/Good.swift"])
        }
    }

    @Test(arguments: [
        ("title: '', version: '1'", "the info has no \"title\""), ("version: '1'", "the info has no \"title\""),
        ("title: null", "the info has no \"title\""),
    ])
    func `a document without a title is generated`(_ info: String, _ message: String) {
        let generated = Generated("openapi: 3.1.0\ninfo: {\(info)}\npaths: {/a: {get: {operationId: a}}}")
        #expect(generated.messages.filter { $0.contains("error:") } == [])
        #expect(generated.messages.count { $0.contains("warning: \(message) [missing]") } == 1)
        #expect(generated.files.keys.contains("ClientAPI.swift"))
    }

    @Test func `names of header fields are tokens that ignore the case`() {
        let generated = Generated(
            """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths:
              /a:
                parameters: [{name: X-A, in: header}, {name: q, in: query}]
                get:
                  operationId: a
                  parameters:
                    - {name: x-a, in: header, schema: {type: integer}}
                    - {name: X-B, in: header, schema: {type: integer}}
                    - {name: x-b, in: header, schema: {type: integer}}
                    - {name: Q, in: query, schema: {type: integer}}
                    - {name: X Bad, in: header, schema: {type: integer}}
            """)
        let code = generated.code("Requests/A.swift")
        #expect(code.contains("init(q: String? = nil, xA: Int? = nil, xB: Int? = nil, q2: Int? = nil)"), "\(code)")
        let warnings = generated.messages.filter { $0.contains("parameter \"") && !$0.contains("schema") }
        #expect(warnings.count == 2, "\(warnings)")
        #expect(warnings.contains { $0.contains("the parameter \"x-b\" occurs twice; the first one is used") })
        let message = "the parameter \"X Bad\" is ignored: it is not a valid name of a header field"
        #expect(warnings.contains { $0.hasPrefix("api.yaml:13:18: ") && $0.contains(message) })
    }

    @Test func `what a reference without a target stands for is left out, or is any value`() {
        let content = "content: {application/json: {schema: {properties: {b: {$ref: '#/components/schemas/None'}}}}}"
        let parameters =
            "[{$ref: '#/components/parameters/None'}, {name: id, in: path}, {name: q, in: query}, {name: q, in: query}]"
        let generated = Generated(
            operation:
                "parameters: \(parameters)\nresponses: {'200': {\(content)}, '404': {$ref: '#/components/responses/None'}}"
        )
        #expect(generated.messages.filter { $0.contains("error:") } == [])
        let warnings = generated.messages.filter { $0.contains("warning:") }
        #expect(warnings.count { $0.contains("does not exist [reference]") } == 3)
        #expect(warnings.count { $0.contains("has no place for the parameter \"id\"; it is not sent") } == 1)
        #expect(warnings.count { $0.contains("the parameter \"q\" occurs twice; the first one is used") } == 1)
        let code = generated.code("Requests/Items.swift")
        #expect(code.contains("public var b: JSONValue?") && code.contains("init(q: "))
    }

    @Test func `the messages of one kind are counted after the fifth`() {
        let diagnostics = Diagnostics()
        for number in 1...8 { diagnostics.report(.error, .type, "message \(number)") }
        let lines = diagnostics.lines()
        #expect(lines.count == 6)
        #expect(lines.last == "3 more of error [type]")
    }

    @Test func `a reference leads to other files, and from them to others`() {
        let text = Self.head + "paths: {}\ncomponents: {schemas: {A: {$ref: 'models/b.yaml#/B'}}}"
        let others = [
            "models/b.yaml": "B: {type: object, properties: {c: {$ref: '../c.json#/C~1D'}}}",
            "c.json": #"{"C/D": {"type": "object", "properties": {"d": {"type": "string"}}}}"#,
        ]
        let generated = Generated(text, others: others)
        #expect(generated.messages == [])
        #expect(generated.members("Models/A.swift").first == "var c: CD?")
        #expect(generated.members("Models/CD.swift").first == "var d: String?")
    }

    @Test func `all schemas can be in another file`() {
        let text = Self.head + "paths: {}\ncomponents: {schemas: {$ref: 'models/all.yaml'}}"
        let others = [
            "models/all.yaml": "A: {$ref: a.yaml}\nB: {type: object, properties: {c: {type: string}}}",
            "models/a.yaml": "{type: object, properties: {b: {$ref: 'all.yaml#/B'}}}",
        ]
        let generated = Generated(text, others: others)
        #expect(generated.messages == [])
        #expect(generated.members("Models/A.swift").first == "var b: B?")
        #expect(generated.members("Models/B.swift").first == "var c: String?")
    }

    @Test func `the types of an operation in another file belong to its request`() {
        let text = Self.head + "paths: {/a: {$ref: paths/a.yaml}}"
        let schema = "{type: object, properties: {b: {type: string}}}"
        let operation = "operationId: a, responses: {'200': {content: {application/json: {schema: \(schema)}}}}"
        let generated = Generated(text, others: ["paths/a.yaml": "get: {\(operation)}"])
        #expect(generated.messages == [])
        #expect(generated.code("Requests/A.swift").contains("struct Response: Codable"))
    }

    @Test func `the name of a schema that is used twice in a damaged document does not crash`() {
        let schemas = "A: {allOf: [{$ref: '#/components/schemas/A'}]}\nB: {$ref: '#/components/schemas/B'}"
        #expect(Generated(schemas: schemas).messages.allSatisfy { $0.contains("error") || $0.contains("warning") })
    }
}
