import Foundation
import Testing

@testable import ErrandOpenAPI

/// Pages that an extension or the configuration describes.
@Suite struct PageRuleTests {
    /// Returns what is generated for a list with these extensions and this configuration, in JSON.
    private func generated(
        _ extensions: String = "", root: String = "", parameters: String = PageRuleTests.parameters,
        response: String = "{$ref: '#/components/schemas/Page'}", pages: String? = nil
    ) throws -> Generated {
        var options = ClientModel.Options()
        if let pages { options.pages = try JSONDecoder().decode([String: PageChoice].self, from: Data(pages.utf8)) }
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            \(root)
            paths:
              /items:
                get:
                  operationId: items
                  parameters: [\(parameters)]
                  \(extensions)
                  responses: {'200': {description: x, content: {application/json: {schema: \(response)}}}}
            components:
              schemas:
                Page:
                  type: object
                  required: [rows, found]
                  properties:
                    rows: {type: array, items: {$ref: '#/components/schemas/Row'}}
                    others: {type: array, items: {type: string}}
                    found: {$ref: '#/components/schemas/Found'}
                    meta: {$ref: '#/components/schemas/Meta'}
                    odata.next: {type: string}
                Row: {type: object, required: [key], properties: {key: {type: string}, note: {type: string}}}
                Found: {type: object, required: [list], properties: {list: {type: array, items: {type: string}}}}
                Meta: {type: object, properties: {next: {type: string}, number: {type: integer}, more: {type: boolean}}}
            """
        return Generated(text, options: options)
    }

    private static let parameters = """
        {name: p, in: query, schema: {type: integer}}, {name: n, in: query, schema: {type: integer}}, \
        {name: from, in: query, schema: {type: string}}, {name: X-From, in: header, schema: {type: string}}
        """

    private static func speakeasy(_ type: String, _ inputs: String, _ outputs: String) -> String {
        "x-speakeasy-pagination: {type: \(type), inputs: [\(inputs)], outputs: {\(outputs)}}"
    }

    private static func input(_ name: String, _ type: String) -> String {
        "{name: \(name), in: parameters, type: \(type)}"
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var extensions = ""
        var pages: String?
        let call: String
        let members: [String]
        var testDescription: String { extensions + (pages ?? "") }
    }

    private static let number = #".pageNumber(size: nil, pageName: "p", sizeName: "n")"#
    private static let offset = #".offset(limit: nil, offsetName: "p", limitName: "n")"#
    private static let cursor = #".cursor(cursorName: "from", limitName: "n")"#
    private static let rows = "var pageItems: [Row] { rows }"
    private static let next = "var nextCursor: String? { meta?.next }"

    private static let cases: [Case] = [
        Case(
            extensions: speakeasy("offsetLimit", input("p", "page") + ", " + input("n", "limit"), "results: $.rows"),
            call: number, members: [rows]),
        Case(
            extensions: speakeasy(
                "offsetLimit", input("p", "offset") + ", " + input("n", "limit"), "results: $.found.list"),
            call: offset, members: ["var pageItems: [String] { found.list }"]),
        Case(
            extensions: speakeasy(
                "cursor", input("from", "cursor") + ", " + input("n", "limit"),
                "results: $.rows, nextCursor: $.meta.next"),
            call: cursor, members: [rows, next]),
        Case(
            extensions: speakeasy("cursor", input("from", "cursor"), "results: $.rows, nextCursor: '$.rows[-1].key'"),
            call: #".cursor(cursorName: "from")"#, members: [rows, "var nextCursor: String? { rows.last?.key }"]),
        Case(
            extensions: "x-fern-pagination: {offset: $request.p, results: $response.rows, "
                + "has-next-page: $response.meta.more}",
            call: #".pageNumber(size: nil, pageName: "p")"#,
            members: [
                rows, "var pageInfo: PageInfo { PageInfo(next: (meta?.more).map { $0 ? .more : .last } ?? .unknown) }",
            ]),
        Case(
            extensions: "x-fern-pagination: {offset: $request.p, step: $request.n, results: $response.rows}",
            call: offset, members: [rows]),
        Case(
            extensions:
                "x-fern-pagination: {cursor: $request.from, next_cursor: $response.meta.next, results: $response.rows}",
            call: #".cursor(cursorName: "from")"#, members: [rows, next]),
        Case(
            pages: #"{"items": {"style": "page", "parameter": "p", "size": "n", "first": 0, "items": "rows"}}"#,
            call: #".pageNumber(size: nil, first: 0, pageName: "p", sizeName: "n")"#, members: [rows]),
        Case(
            pages: ##"{"#/paths/~1items/get": {"style": "offset", "parameter": "p", "first": 1, "items": "others"}}"##,
            call: #".offset(limit: nil, first: 1, offsetName: "p")"#,
            members: ["var pageItems: [String] { others ?? [] }"]),
        Case(
            pages: #"{"items": {"style": "cursor", "parameter": "from", "items": "rows", "next": "odata.next"}}"#,
            call: #".cursor(cursorName: "from")"#, members: [rows, "var nextCursor: String? { odataNext }"]),
        Case(
            pages: #"{"items": {"style": "cursor", "parameter": "p", "items": "rows", "next": "meta.number"}}"#,
            call: #".cursor(cursorName: "p")"#,
            members: [rows, #"var nextCursor: String? { (meta?.number).map { "\($0)" } }"#]),
        Case(
            pages: #"{"items": {"style": "cursor", "parameter": "from", "items": "rows", "nextField": "X-Next"}}"#,
            call: #".cursor(cursorName: "from", nextField: "X-Next")"#, members: [rows]),
        Case(
            pages: #"{"items": {"style": "link", "size": "n", "items": "rows"}}"#, call: #".link(sizeName: "n")"#,
            members: [rows]),
    ]

    @Test(arguments: cases)
    func `pages are generated as they are described`(_ item: Case) throws {
        let generated = try generated(item.extensions, pages: item.pages)
        #expect(generated.code("Requests/Items.swift").contains("Pages(\(item.call), with: service, request: request)"))
        for member in item.members { #expect(generated.code("Models/Page.swift").contains(member)) }
        #expect(generated.messages == [])
    }

    @Test func `an extension that is true takes the default of the document`() throws {
        let root = "x-fern-pagination: {offset: $request.p, results: $response.rows}"
        #expect(try generated(root: root).code("Requests/Items.swift").contains("Pages(") == false)
        let shared = try generated("x-fern-pagination: true", root: root)
        #expect(shared.code("Requests/Items.swift").contains(#"pageName: "p")"#) && shared.messages == [])
        let alone = try generated("x-fern-pagination: true")
        #expect(alone.messages.count == 1 && alone.messages[0].contains("api.yaml:9:"))
        #expect(alone.messages[0].contains("no \"x-fern-pagination\" with the default"))
    }

    @Test func `the configuration decides before an extension, and this before names`() throws {
        let parameters = "{name: page, in: query, schema: {type: integer}}, \(Self.parameters)"
        let page = "{type: array, items: {type: string}}"
        func code(_ extensions: String, _ pages: String? = nil) throws -> String {
            let generated = try generated(extensions, parameters: parameters, response: page, pages: pages)
            #expect(generated.messages == [])
            return generated.code("Requests/Items.swift")
        }
        let fern = "x-fern-pagination: {offset: $request.p, step: $request.n}"
        #expect(try code("").contains(#"pageName: "page""#))
        #expect(try code(fern).contains(Self.offset))
        #expect(try !code("x-fern-pagination: false").contains("pages("))
        #expect(try code(fern, #"{"items": {"style": "link"}}"#).contains("Pages(.link()"))
        #expect(try !code(fern, #"{"items": false}"#).contains("pages("))
    }

    @Test(arguments: [
        ("x-fern-pagination: {offset: $request.q, results: $response.rows}", "the parameter \"q\" does not exist"),
        ("x-fern-pagination: {offset: $request.p, results: $response.lines}", "the response has no member \"lines\""),
        (
            "x-fern-pagination: {offset: $request.p, results: $response.found}",
            "the member \"found\" has the wrong type"
        ),
        ("x-fern-pagination: {offset: $request.from, results: $response.rows}", "must be an integer"),
        ("x-fern-pagination: {cursor: $request.from, results: $response.rows}", "the next cursor is missing"),
        ("x-fern-pagination: {cursor: $request.X-From, next_cursor: $response.meta.next}", "is not a query parameter"),
        ("x-fern-pagination: {offset: p}", "\"p\" does not begin with \"$request.\""),
        ("x-fern-pagination: {next_uri: $response.meta.next}", "links in the response are not supported"),
        ("x-fern-pagination: {type: custom, results: $response.rows}", "\"type\" is not supported"),
        ("x-fern-pagination: 1", "expected an object, not a number"),
        ("x-fern-pagination: {results: $response.rows}", "either \"offset\" or \"cursor\" is required"),
        ("x-fern-pagination: {offset: $request.p}", "the response does not have exactly one array"),
        (speakeasy("url", "", "nextUrl: $.meta.next"), "the type \"url\" is not supported"),
        (
            "x-speakeasy-pagination: {type: cursor, inputs: [{name: from, in: requestBody, type: cursor}]}",
            "the input \"from\" in the body is not supported"
        ),
        (speakeasy("offsetLimit", input("n", "limit"), "results: $.rows"), "with the type \"page\" or \"offset\""),
        (speakeasy("cursor", input("from", "cursor"), "nextCursor: $.meta.last"), "has no member \"meta.last\""),
        (speakeasy("cursor", input("from", "since"), ""), "with the type \"since\" is not supported"),
    ])
    func `a description that has no effect is a warning at its place`(_ extensions: String, _ text: String) throws {
        let generated = try generated(extensions)
        #expect(generated.messages.count == 1)
        let message = generated.messages.first ?? ""
        #expect(message.contains(text) && message.contains("; GET /items has no pages [page]"), "\(message)")
        #expect(message.hasPrefix("api.yaml:9:") && message.contains("#/paths/~1items/get/x-"), "\(message)")
        #expect(!generated.code("Requests/Items.swift").contains("pages("))
    }

    @Test func `pages of the configuration that have no effect are warnings`() throws {
        let other = try generated(pages: #"{"things": false}"#).messages
        #expect(other.count == 1 && other[0].contains("\"things\", which is not a generated operation [configuration]"))
        let missing = try generated(pages: #"{"items": {"style": "page", "parameter": "q"}}"#).messages
        #expect(missing.count == 1 && missing[0].contains("the configuration: the parameter \"q\" does not exist"))
        #expect(missing[0].contains("at #/paths/~1items/get"))
    }

    @Test(arguments: [
        (#"{"style": "page", "parameter": "p", "limit": "n"}"#, "`limit` of the pages of \"items\" is unknown"),
        (#"{"style": "page", "parametre": "p"}"#, "did you mean `parameter`?"),
        (#"{"style": "pages", "parameter": "p"}"#, "is not page, offset, cursor or link"),
        (#"{"parameter": "p"}"#, "is not page, offset, cursor or link"), ("true", "are false or an object"),
        (#"{"style": "page"}"#, "need a \"parameter\""), (#"{"style": "link", "parameter": "p"}"#, "have links"),
        (#"{"style": "cursor", "parameter": "p"}"#, "need a \"next\" or a \"nextField\""),
        (#"{"style": "page", "parameter": "p", "next": "x"}"#, "have a next cursor, but another style"),
        (#"{"style": "page", "parameter": "p", "first": -1}"#, "begin before 0"), ("1", "cannot be read"),
    ])
    func `faulty pages in the configuration are an error of the configuration`(_ pages: String, _ text: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pages-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "errand-openapi.json")
        try Data(#"{"document": "api.json", "pages": {"items": \#(pages)}}"#.utf8).write(to: file)
        var lines: [String] = []
        #expect(GeneratorCommand { lines.append($0) }.run(["--config", file.path]) == 2)
        #expect(lines.first?.contains(text) == true, "\(lines)")
    }

    @Test func `a type is a page in one way only`() {
        func list(_ path: String, _ parameter: String) -> String {
            """
              \(path):
                get:
                  parameters: [{name: \(parameter), in: query, schema: {type: \(parameter == "page" ? "integer" : "string")}}]
                  responses: {'200': {description: x, content: {application/json: {schema: {$ref: '#/components/schemas/Page'}}}}}
            """
        }
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths:
            \(list("/a", "page"))
            \(list("/b", "cursor"))
            components:
              schemas:
                Page: {type: object, properties: {items: {type: array, items: {type: string}}, next: {type: string}}}
            """
        let generated = Generated(text)
        #expect(generated.code("Requests/GetA.swift").contains("Pages(.pageNumber"))
        #expect(!generated.code("Requests/GetB.swift").contains("Pages("))
        #expect(generated.code("Models/Page.swift").contains("extension Page: PageContent"))
    }
}
