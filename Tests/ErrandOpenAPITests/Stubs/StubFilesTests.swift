import Foundation
import Testing

@testable import ErrandOpenAPI

@Suite struct StubFilesTests {
    private static let head = "openapi: 3.1.0\ninfo: {title: Shop, version: '1'}\n"
    private static let document =
        head + """
            servers: [{url: 'https://shop.example.com/v1/'}]
            paths:
              /items:
                get: {operationId: listItems, responses: {'200': {description: x, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Item'}}}}}}}
                post: {operationId: addItem, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Item'}}}}, responses: {'201': {description: x}, '409': {description: x}}}
              /items/{id}:
                delete: {operationId: delete, parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {default: {description: x}}}
            components: {schemas: {Item: {required: [name], properties: {name: {type: string, description: A name.}}}}}
            """

    private static let imports = "public import ErrandTesting\n\n"

    @Test func `there is a property for each operation, and an enumeration for each list of statuses`() {
        let stubs = Generated(Self.document).stubs
        #expect(
            stubs["ShopStubs.swift"] == ClientWriter.head + Self.imports + """
                nonisolated extension RouteStubs {
                    /// The stubs of Shop: `onShop()` stubs all operations, and `onShop.operation()` one of them.
                    public var onShop: ShopStubs { ShopStubs(stubs: self) }
                }

                /// The stubs of the operations of Shop 1.
                public nonisolated struct ShopStubs: DocumentStubs {
                    public let stubs: RouteStubs

                    /// `POST /items`
                    public var addItem: OperationStub<CreatedOrConflict> { operation("addItem") }

                    /// `DELETE /items/{id}`
                    public var delete: OperationStub<Other> { operation("delete") }

                    /// `GET /items`
                    public var listItems: OperationStub<Ok> { operation("listItems") }

                    /// The responses with 201, 409.
                    public enum CreatedOrConflict: String, StubStatus {
                        case created = "201"
                        case conflict = "409"
                    }

                    /// The responses with 200.
                    public enum Ok: String, StubStatus {
                        case ok = "200"
                    }

                    /// The responses with default.
                    public enum Other: String, StubStatus {
                        case other = "default"
                    }
                }

                """)
        #expect(
            stubs["ShopStubs+Document.swift"] == ClientWriter.head + Self.imports + ###"""
                nonisolated extension ShopStubs {
                    /// What the document says about the operations.
                    public static let document = StubDocument(
                        ##"""
                        {
                          "basePath": "/v1",
                          "operations": {
                            "addItem": {"route": "POST /items", "body": "requestBody", "responses": {"201": "none", "409": "none"}},
                            "delete": {
                              "route": "DELETE /items/{id}",
                              "parameters": ["parameters/0"],
                              "responses": {"default": "none"}
                            },
                            "listItems": {"route": "GET /items", "responses": {"200": "[Item]"}}
                          },
                          "parameters": {
                            "#/paths/~1items~1{id}/delete/parameters/0": {
                              "name": "id", "in": "path", "required": true,
                              "schema": {"type": "integer"}
                            }
                          },
                          "bodies": {
                            "#/paths/~1items/post/requestBody": {
                              "required": true,
                              "content": [{"type": "application/json", "schema": {"$ref": "#/components/schemas/Item"}}]
                            }
                          },
                          "responses": {
                            "[Item]": {"content": [{"type": "application/json", "value": [{"name": "name"}]}]},
                            "none": {}
                          },
                          "schemas": {
                            "#/components/schemas/Item": {"required": ["name"], "properties": {"name": {"type": "string"}}}
                          }
                        }
                        """##)
                }

                """###)
    }

    @Test func `operations without a name, with one of a member and with a keyword have different properties`() {
        let operations = ["stubs", "document", "class", "List", "list"].enumerated().map { index, id in
            "/p\(index): {get: {operationId: \(id), responses: {'204': {description: x}}}}"
        }
        let paths = (operations + ["/last: {get: {}}"]).joined(separator: ", ")
        let text = Generated(Self.head + "paths: {\(paths)}").stubs["ShopStubs.swift"] ?? ""
        for name in ["stubs2", "document2", "`class`", "list", "list2", "getLast"] {
            #expect(text.contains("public var \(name): OperationStub<"), "\(name): \(text)")
        }
        #expect(text.contains("{ operation(\"class\") }"))
    }

    @Test func `the order of the document has no effect`() {
        let lines = Self.document.split(separator: "\n").map(String.init)
        let paths = lines.firstIndex { $0 == "paths:" } ?? 0
        let moved = lines[...paths] + lines[(paths + 4)...(paths + 5)] + lines[(paths + 1)...(paths + 3)]
        let other = (moved + lines[(paths + 6)...]).joined(separator: "\n")
        #expect(Generated(other).stubs == Generated(Self.document).stubs)
    }

    @Test func `a schema keeps what is checked, and its references lead into the table`() {
        let text =
            Self.head + """
                paths:
                  /a:
                    post:
                      operationId: a
                      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}, text/csv: {schema: {type: string}}}}
                      responses: {'204': {description: x}}
                components:
                  schemas:
                    A: {description: x, properties: {b: {$ref: '#/components/schemas/B'}, c: {type: string, pattern: x, maxLength: 3}}, additionalProperties: false}
                    B: {enum: [1, 2], x-enum-varnames: [one, two]}
                    C: {type: string}
                """
        let document = Generated(text).stubDocument
        #expect(
            document?["schemas"]?.json == #"{"#
                + ##""#/components/schemas/A": {"properties": {"b": {"$ref": "#/components/schemas/B"}, "##
                + ##""c": {"type": "string", "maxLength": 3}}, "additionalProperties": false}, "##
                + ##""#/components/schemas/B": {"enum": [1, 2]}}"##)
        #expect(
            document?["bodies"]?.members.first?.value.json
                == ##"{"content": [{"type": "application/json", "schema": {"$ref": "#/components/schemas/A"}}, "##
                + #"{"type": "text/csv"}]}"#)
    }

    @Test(arguments: ["Route", "Document"])
    func `the type of the stubs does not hide one of ErrandTesting`(_ name: String) {
        let stubs = Generated(Self.document.replacing("title: Shop", with: "title: \(name)")).stubs
        #expect(stubs.keys.sorted() == ["\(name)APIStubs+Document.swift", "\(name)APIStubs.swift"])
        let text = stubs["\(name)APIStubs.swift"]
        #expect(text?.contains("public nonisolated struct \(name)APIStubs: DocumentStubs {") == true)
        #expect(text?.contains("public var on\(name): \(name)APIStubs { \(name)APIStubs(stubs: self) }") == true)
    }

    @Test(arguments: [
        ("https://x.com/v1/", "/v1"), ("//x.com/v1", "/v1"), ("//x.com", nil), ("./v1/", "/v1"), ("/a/../v1/.", "/v1"),
        ("/my%20api", "/my%20api"), ("https://x.com/*/v1?a#b", "/*/v1"), ("/", nil), ("../..", nil), ("v1", "/v1"),
    ])
    func `the base path is the path of the server without dot segments`(_ server: String, _ path: String?) {
        let text = Self.document.replacing("https://shop.example.com/v1/", with: server)
        #expect(Generated(text).stubDocument?["basePath"]?.string == path)
    }

    @Test(arguments: [
        ("/home/a/api.yaml", "/home/a/parts/b.yaml", "parts/b.yaml"),
        ("/home/a/api.yaml", "/home/c/d.yaml", "../c/d.yaml"),
        ("api.yaml", "parts.yaml", "parts.yaml"), ("a/api.yaml", "../b.yaml", "../../b.yaml"),
        ("../a/api.yaml", "../a/b.yaml", "b.yaml"), ("../a/api.yaml", "../../b.yaml", "../../b.yaml"),
    ])
    func `the path of another file begins at the folder of the document`(_ root: String, _ file: String, _ path: String)
    {
        let files = [file, root].map { SourceFile(path: $0, text: [], unit: .bytes) }
        #expect(References.path(of: files[0], from: files[1]) == path)
    }

    @Test func `the pointer of a schema in another file has the path from the folder of the document`() {
        let text = Self.document.replacing("'#/components/schemas/Item'", with: "'parts/./item.yaml#/Item'")
        let other = "Item: {required: [name], properties: {name: {type: string}}}"
        let document = Generated(text, others: ["parts/item.yaml": other]).stubDocument
        #expect(document?["schemas"]?.members.map(\.key) == ["parts/item.yaml#/Item"])
    }

    @Test func `the items after prefixItems are not checked, and a parameter in the query of a path is in the query`() {
        let schema = "{type: array, prefixItems: [{type: string}], items: {type: integer}}"
        let text =
            Self.head + """
                paths:
                  /search?q={q}&k=1:
                    post:
                      operationId: search
                      parameters: [{name: q, in: path, required: true, schema: {type: string}}, {name: r, in: path, required: true, schema: {type: string}}]
                      requestBody: {content: {application/json: {schema: \(schema)}}}
                      responses: {'204': {description: x}}
                """
        let document = Generated(text).stubDocument
        #expect(
            document?["bodies"]?.members.first?.value["content"]?.elements.first?["schema"]?.json
                == #"{"type": "array"}"#)
        #expect(
            document?["parameters"]?.members.map(\.value.json)
                == [#"{"name": "q", "in": "query", "required": true, "schema": {"type": "string"}}"#])
    }

    @Test func `a stub has no interim responses`() {
        let stubs = Generated(
            Self.head + """
                paths:
                  /a: {get: {operationId: a, responses: {'101': {description: x}}}}
                  /b: {get: {operationId: b, responses: {'103': {description: x}, '200': {description: x}}}}
                """
        ).stubs["ShopStubs.swift"]
        #expect(stubs?.contains("var a: OperationStub<Other> ") == true)
        #expect(stubs?.contains("var b: OperationStub<Ok> ") == true)
    }
}
