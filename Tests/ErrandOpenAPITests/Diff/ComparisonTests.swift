import ErrandJSON
import Foundation
import Testing

@testable import ErrandOpenAPI

@Suite struct ComparisonTests {
    private func changes(_ old: String, _ new: String, _ options: ClientModel.Options = ClientModel.Options()) throws
        -> [Change]
    {
        func client(_ text: String) throws -> ClientModel {
            let name = text.hasPrefix("{") ? "api.json" : "api.yaml"
            let document = APIDocument(name, Loader(Diagnostics()) { _ in Array(text.utf8) })
            return ClientModel(try #require(document), options)
        }
        return Comparison.changes(from: try client(old), to: try client(new))
    }

    /// The changes of schemas, as lines.
    private func lines(_ old: String, _ new: String) throws -> [String] {
        func document(_ schemas: String) -> String {
            let lines = schemas.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
            return "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n\(lines)"
        }
        return try changes(document(old), document(new)).map { "\($0.impact.rawValue): \($0.message)" }
    }

    @Test func `the table has at least 60 changes of each verdict and different names`() {
        let rows = ChangedDocument.rows
        #expect(rows.count >= 60)
        #expect(Set(rows.map(\.change)).count == rows.count)
        #expect(Set(rows.map(\.verdict)) == ["none", "harmless", "run-time", "compile"])
    }

    @Test(arguments: ChangedDocument.rows)
    func `a change has its verdict and its messages`(_ row: ChangedDocument.Row) throws {
        var options = ClientModel.Options()
        (options.module, options.closed) = ("Client", ["#/components/schemas/Sort"])
        let changes = try changes(try ChangedDocument.original(), try ChangedDocument.changed(row.patch), options)
        #expect(changes.map { "\($0.impact.rawValue): \($0.message)" } == row.messages)
        #expect(DiffReport(changes: changes).verdict?.rawValue ?? "none" == row.verdict)
    }

    @Test(arguments: [
        ("minimum: 2", "minimum: 3", "`A.a` is at least 3 now, not 2"),
        ("minimum: 2", "minimum: 1", nil),
        ("minimum: 2", "", nil),
        ("", "minimum: 2", "`A.a` is at least 2 now"),
        ("maximum: 2.5", "maximum: 2", "`A.a` is at most 2 now, not 2.5"),
        ("maximum: 2", "maximum: 10", nil),
        ("exclusiveMaximum: 2", "exclusiveMaximum: 1", "`A.a` is less than 1 now, not 2"),
        ("multipleOf: 2", "multipleOf: 3", "`A.a` is a multiple of 3 now, not 2"),
        ("multipleOf: 2", "", nil),
        ("default: 2", "default: 3", "`A.a` has the server's default `3` now, not `2`"),
        ("default: 2", "", "`A.a` no longer has the server's default `2`"),
    ])
    func `only a tighter limit of a value that is sent may break`(
        _ old: String, _ new: String, _ message: String?
    ) throws {
        func document(_ limit: String, _ key: String) -> String {
            let content = "content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}"
            let body =
                key == "requestBody" ? "requestBody: {\(content)}, responses: {}" : "responses: {'200': {\(content)}}"
            return """
                openapi: 3.1.0
                info: {title: T, version: '1'}
                paths: {/a: {post: {operationId: send, \(body)}}}
                components: {schemas: {A: {type: object, properties: {a: {\(limit)\(limit.isEmpty ? "" : ", ")type: number}}}}}
                """
        }
        let sent = try changes(document(old, "requestBody"), document(new, "requestBody"))
        #expect(sent.map(\.message) == (message.map { [$0] } ?? []))
        #expect(sent.allSatisfy { $0.impact == .runTime })
        #expect(try changes(document(old, "responses"), document(new, "responses")).isEmpty)
    }

    @Test(arguments: [
        ("{type: string}, {type: integer}", ["of `string`", "of `integer`"]),
        (
            "{required: [a], properties: {a: {}}}, {required: [b], properties: {b: {}}}",
            ["with `a`", "without `a` and with `b`"]
        ),
        (
            "{type: string}, {required: [a], properties: {a: {}}}, {required: [b], properties: {b: {}}}",
            ["of `string`", "of `object` and with `a`", "of `object` and without `a` and with `b`"]
        ),
        (
            "{properties: {k: {const: x}}, required: [k]}, {properties: {k: {const: y}}, required: [k]}",
            ["with `k` `x`", "with `k` `y`"]
        ),
        (
            "{properties: {a: {}}}, {properties: {a: {}, b: {}}}",
            ["of `object` and without `b`", "of `object` and with `b`"]
        ),
        (
            "{type: string, enum: [x, y]}, {type: string, format: date}",
            ["of `string` and of `x` or `y`", "of `string` and of another text"]
        ),
    ])
    func `a case says which values it is for`(_ branches: String, _ conditions: [String]) throws {
        let client = try #require(Generated(schemas: "U: {oneOf: [\(branches)]}").client)
        let surface = SurfaceBuilder.surface(of: client, SurfaceNames(client))
        let cases = surface.items.values.filter { if case .enumCase = $0.kind { true } else { false } }
        #expect(Set(cases.flatMap(\.facts).map(\.value)) == Set(conditions))
    }

    @Test func `types in a type with another name are not named again`() throws {
        let schema = "{type: object, properties: {b: {type: object, properties: {c: {type: string}}}}}"
        #expect(try lines("A: \(schema)", "D: \(schema)") == ["compile: `A` is named `D` now"])
    }

    @Test func `a request with another name and another placeholder is the same request`() throws {
        func document(_ name: String, _ placeholder: String) -> String {
            """
            openapi: 3.1.0
            info: {title: T, version: '1'}
            paths:
              '/a/{\(placeholder)}':
                get:
                  operationId: \(name)
                  parameters: [{name: \(placeholder), in: path, required: true, schema: {type: string}}]
                  responses: {'204': {}}
            """
        }
        #expect(
            try changes(document("first", "id"), document("second", "key")).map(\.message) == [
                "`First` is named `Second` now", "`Second.init(id:)` is gone",
                "`Second.init(key:)` is new and required",
            ])
    }

    @Test func `a name is not given to one of several equal types`() throws {
        let schema = "{type: object, properties: {b: {type: string}}}"
        let changes = ["compile: `A` is gone", "harmless: `D` is new", "harmless: `E` is new"]
        #expect(try lines("A: \(schema)", "D: \(schema)\nE: \(schema)") == changes)
    }

    @Test func `a schema and a request with the same name are compared separately`() throws {
        func document(_ type: String) -> String {
            """
            openapi: 3.1.0
            info: {title: T, version: '1'}
            paths: {/a: {get: {operationId: thing, responses: {'200': {content: {application/json: {schema: {type: \(type)}}}}}}}}
            components: {schemas: {Thing: {type: object, properties: {a: {type: \(type)}}}}}
            """
        }
        #expect(
            try changes(document("string"), document("integer")).map(\.message) == [
                "`TAPI.Thing.start()` returns `Int` now, not `String`", "`Thing.a` is `Int?` now, not `String?`",
            ])
    }

    @Test func `a change has the places in both documents`() throws {
        let schemas = "A: {properties: {a: {type: string}}}"
        func document(_ schemas: String, _ title: String) -> String {
            "openapi: 3.1.0\ninfo: {title: T, description: \(title), version: '1'}\npaths: {}\ncomponents: {schemas: {\(schemas)}}"
        }
        let changed = schemas.replacing("string", with: "integer")
        let changes = try changes(document(schemas, "Old."), document("B: {type: string}, \(changed)", "New."))
        #expect(
            changes.map(\.description) == [
                """
                does not compile: `A.a` is `Int?` now, not `String?`
                  api.yaml:4:44 #/components/schemas/A/properties/a
                  api.yaml:4:63 #/components/schemas/A/properties/a
                """,
                """
                harmless: `B` is new
                  api.yaml:4:27 #/components/schemas/B
                """,
            ])
        let report = DiffReport(changes: changes)
        #expect(report.lines.last == "does not compile: 1, harmless: 1")
        let json = try FastJSONDecoder().decode(JSONValue.self, from: Data(report.json.utf8))
        #expect(json["verdict"] == "compile" && json["compile"] == 1 && json["run-time"] == 0 && json["harmless"] == 1)
        #expect(
            json["changes"]?[0] == [
                "impact": "compile", "name": "A.a", "message": "`A.a` is `Int?` now, not `String?`",
                "old": ["file": "api.yaml", "line": 4, "column": 44, "pointer": "#/components/schemas/A/properties/a"],
                "new": ["file": "api.yaml", "line": 4, "column": 63, "pointer": "#/components/schemas/A/properties/a"],
            ])
        #expect(json["changes"]?[1]?["old"] == nil)
    }
}
