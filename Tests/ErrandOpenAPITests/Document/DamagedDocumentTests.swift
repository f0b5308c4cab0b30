import Testing

@testable import ErrandOpenAPI

/// Damaged documents, with the place, the severity and the subject of the first message.
@Suite struct DamagedDocumentTests {
    private static let head = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n"

    private static func operation(_ members: String) -> String { head + "paths: {/a: {get: {\(members)}}}" }
    private static func schema(_ members: String) -> String {
        head + "paths: {}\ncomponents: {schemas: {\(members)}}"
    }

    @Test(arguments: others + operations + schemas)
    func `a damaged document is reported at its place`(_ text: String, _ place: String, _ kind: String) throws {
        let message = try #require(Generated(text).messages.first)
        #expect(message.hasPrefix("api.yaml:\(place): "))
        #expect(message.contains(" [\(kind)]"))
    }

    private static let others: [(String, String, String)] = [
        (head + "paths: {/a: 1}", "3:13: error", "type"),
        (head + "paths: {/a: {gett: {responses: {'204': {}}}}}", "3:20: warning", "unknown-key"),
        (head + "paths: {/a: {$ref: 'paths.yaml'}}", "3:20: error", "reference"),
        (
            head
                + "paths: {/a: {get: {operationId: x, responses: {'204': {}}}}, /b: {get: {operationId: x, responses: {'204': {}}}}}",
            "3:86: warning", "name"
        ),
        ("openapi: 3.1.0\ninfo: []\npaths: {}", "2:7: error", "type"),
        ("openapi: 3.1.0\ninfo: {version: '1'}\npaths: {}", "2:7: warning", "missing"),
        ("openapi: 3.1.0\ninfo: {title: [], version: '1'}\npaths: {}", "2:15: error", "type"),
        (head + "paths: {}\ncomponents: []", "4:13: error", "type"),
        (head + "paths: {}\ncomponents: {schemas: []}", "4:23: error", "type"),
        (head + "paths: {}\ncomponents: {securitySchemes: {a: {}}}", "4:35: error", "missing"),
        (head + "paths: {}\ncomponents: {securitySchemes: {a: {type: apiKey}}}", "4:35: error", "missing"),
        (
            head + "paths: {}\ncomponents: {securitySchemes: {a: {type: apiKey, name: k, in: path}}}", "4:35: error",
            "security"
        ),
        (head + "paths: {}\ncomponents: {securitySchemes: {a: {type: http}}}", "4:35: error", "missing"),
        (head + "paths: {}\ncomponents: {securitySchemes: {a: {type: basic}}}", "4:42: error", "security"),
        (head + "paths: {}\ncomponents: {securitySchemes: {a: 1}}", "4:35: error", "type"),
        (head + "paths: {}\ncomponents: {shemas: {}}", "4:22: warning", "unknown-key"),
        (head + "paths: {}\nservers: 1", "4:10: error", "type"),
        (head + "paths: {}\nserver: []", "4:9: warning", "unknown-key"),
        (head + "paths: {}\nwebhooks: []", "4:11: error", "type"),
        (head + "paths: {}\n\tx: 1", "4:1: error", "syntax"),
        (head + "paths: {}\nx: [1", "4:6: error", "syntax"),
        (head + "paths:\n  /a:\n    get:\n      summary: x\n     deprecated: true", "7:6: error", "syntax"),
        (head + "paths: {}\nx: *a", "4:4: error", "syntax"),
        (head + "paths: {}\npaths: {}", "4:1: warning", "duplicate-key"),
        ("swagger: '2.0'\ninfo: {title: T, version: '1'}\npaths: {}", "1:10: error", "version"),
        ("openapi: 4.0.0\ninfo: {title: T, version: '1'}\npaths: {}", "1:10: error", "version"),
        ("info: {title: T, version: '1'}\npaths: {}", "1:1: error", "version"),
        ("[]", "1:1: error", "version"),
        ("1", "1:1: error", "version"),
        ("null", "1:1: error", "version"),
    ]

    private static let operations: [(String, String, String)] = [
        (operation("responses: {'200': {$ref: '#/components/responses/Ok'}}"), "3:46: warning", "reference"),
        (operation("responses: []"), "3:31: error", "type"),
        (operation("parameters: {}, responses: {'204': {}}"), "3:32: error", "type"),
        (operation("parameters: [1], responses: {'204': {}}"), "3:33: error", "type"),
        (
            operation("parameters: [{name: a, in: query, style: formm, schema: {}}], responses: {'204': {}}"),
            "3:61: error", "parameter"
        ),
        (
            operation(
                "parameters: [{name: a, in: query, schema: {}}, {name: a, in: query, schema: {}}], responses: {'204': {}}"
            ), "3:67: warning", "parameter"
        ),
        (
            operation("parameters: [{name: a, in: path, required: true, schema: {}}], responses: {'204': {}}"),
            "3:33: warning", "parameter"
        ),
        (operation("parameters: [{name: [], in: query, schema: {}}], responses: {'204': {}}"), "3:40: error", "type"),
        (operation("parameters: [{name: a, in: query}], responses: {'204': {}}"), "3:33: warning", "parameter"),
        (
            operation("parameters: [{name: a, in: query, required: maybe, schema: {}}], responses: {'204': {}}"),
            "3:64: error", "type"
        ),
        (
            operation("parameters: [{$ref: '#/components/parameters/Page'}], responses: {'204': {}}"), "3:40: warning",
            "reference"
        ),
        (operation("requestBody: {}, responses: {'204': {}}"), "3:33: warning", "body"),
        (operation("requestBody: 1, responses: {'204': {}}"), "3:33: error", "type"),
        (operation("requestBody: {content: []}, responses: {'204': {}}"), "3:43: error", "type"),
        (operation("requestBody: {content: {application/json: 1}}, responses: {'204': {}}"), "3:62: error", "type"),
        (operation("responses: {'600': {}, '204': {}}"), "3:39: warning", "response"),
        (operation("responses: {ok: {}, '204': {}}"), "3:36: warning", "response"),
        (operation("responses: {'200': 1}"), "3:39: error", "type"),
        (
            operation("responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/X'}}}}}"),
            "3:84: warning", "reference"
        ),
        (operation("tags: x, responses: {'204': {}}"), "3:26: error", "type"),
        (operation("tags: [[x]], responses: {'204': {}}"), "3:27: error", "type"),
        (operation("summary: {}, responses: {'204': {}}"), "3:29: error", "type"),
        (operation("deprecated: yes please, responses: {'204': {}}"), "3:32: error", "type"),
        (operation("colour: red, responses: {'204': {}}"), "3:28: warning", "unknown-key"),
        (operation("security: [{key: []}], responses: {'204': {}}"), "3:37: warning", "security"),
        (operation("servers: {}, responses: {'204': {}}"), "3:29: error", "type"),
        (operation("servers: [{description: x}], responses: {'204': {}}"), "3:30: error", "missing"),
        (operation("servers: [1], responses: {'204': {}}"), "3:30: error", "type"),
        (
            operation("servers: [{url: 'https://{h}.com', variables: {h: {}}}], responses: {'204': {}}"),
            "3:70: warning", "server"
        ),
        (
            operation("responses: {'200': {content: {application/json: {schema: {type: objekt}}}}}"), "3:84: warning",
            "type"
        ),
    ]

    private static let schemas: [(String, String, String)] = [
        (schema("A: 1"), "4:27: error", "type"),
        (schema("A: {type: 1}"), "4:34: warning", "type"),
        (schema("A: {type: [string, text]}"), "4:43: warning", "type"),
        (schema("A: {properties: []}"), "4:40: error", "type"),
        (schema("A: {properties: {a: 1}}"), "4:44: error", "type"),
        (schema("A: {required: a, properties: {a: {}}}"), "4:38: error", "type"),
        (schema("A: {required: true, properties: {a: {}}}"), "4:38: warning", "schema"),
        (schema("A: {required: [{}], properties: {a: {}}}"), "4:39: error", "type"),
        (schema("A: {enum: x}"), "4:34: error", "type"),
        (schema("A: {enum: []}"), "4:27: warning", "schema"),
        (schema("A: {allOf: {}}"), "4:35: error", "type"),
        (schema("A: {oneOf: 1}"), "4:35: error", "type"),
        (schema("A: {allOf: [{type: string}, {type: integer}]}"), "4:36: warning", "schema"),
        (schema("A: {allOf: [{type: string}, {type: object, properties: {a: {}}}]}"), "4:36: warning", "schema"),
        (schema("A: {additionalProperties: 1}"), "4:50: error", "type"),
        (schema("A: {items: 1}"), "4:35: error", "type"),
        (schema("A: {type: array, items: text}"), "4:48: error", "type"),
        (schema("A: {$ref: '#/components/schemas/A'}"), "4:27: warning", "schema"),
        (schema("A: {allOf: [{$ref: '#/components/schemas/A'}]}"), "4:27: warning", "schema"),
        (schema("A: {$ref: '#b'}"), "4:34: warning", "reference"),
        (schema("A: {$ref: '#/components/schemas/A/properties/a'}"), "4:34: warning", "reference"),
        (
            schema(
                "A: {discriminator: {}, oneOf: [{$ref: '#/components/schemas/B'}, {type: object, properties: {c: {}}}]}, B: {type: object, properties: {b: {}}}"
            ), "4:43: warning", "missing"
        ),
        (
            schema(
                "A: {discriminator: {propertyName: a, mapping: {x: C}}, oneOf: [{$ref: '#/components/schemas/B'}, {type: string}]}, B: {type: object, properties: {b: {}}}"
            ), "4:74: error", "reference"
        ),
        (schema("A: {readOnly: 1}"), "4:38: error", "type"),
        (schema("A: {format: []}"), "4:36: error", "type"),
    ]
}
