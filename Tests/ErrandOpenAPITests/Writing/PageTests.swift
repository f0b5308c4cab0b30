import Testing

@testable import ErrandOpenAPI

@Suite struct PageTests {
    /// Returns the code of a list with query parameters, and of its page with properties.
    private func code(
        _ parameters: [String], _ properties: String, position: String = "integer"
    ) -> (request: String, page: String) {
        let list = parameters.map {
            "{name: \($0), in: query, schema: {type: \(["page", "offset"].contains($0) ? position : "string")}}"
        }
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths:
              /items:
                get:
                  operationId: items
                  parameters: [\(list.joined(separator: ", "))]
                  responses: {'200': {description: x, content: {application/json: {schema: {$ref: '#/components/schemas/Page'}}}}}
            components: {schemas: {Page: {type: object, properties: {\(properties)}}}}
            """
        let generated = Generated(text)
        return (generated.code("Requests/Items.swift"), generated.code("Models/Page.swift"))
    }

    private static let items = "items: {type: array, items: {type: string}}"

    @Test(arguments: [
        (
            ["page", "per_page"], items,
            #"Pages(.pageNumber(size: nil, pageName: "page", sizeName: "per_page"), with: service, request: request)"#
        ),
        (
            ["offset", "limit"], items,
            #"Pages(.offset(limit: nil, offsetName: "offset", limitName: "limit"), with: service, request: request)"#
        ),
        (
            ["cursor"], items + ", next: {type: string}",
            #"Pages(.cursor(cursorName: "cursor"), with: service, request: request)"#
        ),
        (
            ["after", "limit"], items + ", has_more: {type: boolean}, last_id: {type: string}",
            #"Pages(.cursor(cursorName: "after", limitName: "limit"), with: service, request: request)"#
        ),
    ])
    func `a list with one family of parameters and one array has pages`(
        _ parameters: [String], _ properties: String, _ call: String
    ) {
        let (request, page) = code(parameters, properties)
        #expect(request.contains(call))
        #expect(page.contains("var pageItems: [String] { items ?? [] }"))
    }

    @Test(arguments: ["page", "offset"])
    func `a position can be a number`(_ parameter: String) {
        #expect(code([parameter], Self.items, position: "number").request.contains("static func pages("))
    }

    @Test(arguments: [
        ("next: {type: [string, 'null'], format: uri}", "next: next == nil ? .last : .more"),
        ("next: {type: [integer, 'null']}", "next: next == nil ? .last : .more"),
        ("hasNextPage: {type: boolean}", "next: hasNextPage.map { $0 ? .more : .last } ?? .unknown"),
        ("has_more: {type: boolean}", "next: hasMore.map { $0 ? .more : .last } ?? .unknown"),
        ("first: {type: boolean}, last: {type: boolean}", "next: last.map { $0 ? .last : .more } ?? .unknown"),
        (
            "next: {type: [string, 'null']}, hasNext: {type: boolean}",
            "next: hasNext.map { $0 ? .more : .last } ?? .unknown"
        ),
        (
            "count: {type: integer}, next: {type: [string, 'null']}, previous: {type: [string, 'null']}",
            "total: count, next: next == nil ? .last : .more"
        ),
        ("count: {type: integer}, next: {type: string}, previous: {type: string}", "total: count"),
    ])
    func `a page by number or offset says whether it is the last one`(_ properties: String, _ info: String) {
        for parameter in ["page", "offset"] {
            let page = code([parameter], Self.items + ", " + properties).page
            #expect(page.contains("var pageInfo: PageInfo { PageInfo(\(info)) }"), "\(page)")
        }
    }

    @Test(arguments: [
        "next: {type: string}", "next: {}", "last: {type: boolean}", "count: {type: integer}",
        "has_more: {type: string}",
    ])
    func `members that leave a doubt about the end of a list do not decide`(_ properties: String) {
        let page = code(["page"], Self.items + ", " + properties).page
        #expect(page.contains("pageItems") && !page.contains("pageInfo"), "\(page)")
    }

    @Test func `the next cursor is the member that has it`() {
        let direct = code(["cursor"], Self.items + ", next: {type: string}").page
        #expect(direct.contains("extension Page: CursorPage {") && direct.contains("var nextCursor: String? { next }"))
        let last = code(["after"], Self.items + ", has_more: {type: boolean}, last_id: {type: string}").page
        #expect(last.contains("var nextCursor: String? { hasMore == true ? lastID : nil }"))
    }

    @Test func `a type in a page does not hide the associated type of the page`() {
        let list = "data: {type: array, items: {type: string}}, next: {type: string}"
        let page = code(["cursor"], list + ", items: {type: object, properties: {a: {type: string}}}").page
        #expect(page.contains("var pageItems: [String] { data ?? [] }"))
        #expect(page.contains("struct ItemsModel:") && page.contains("var items: ItemsModel?"), "\(page)")
    }

    @Test func `a member with the name of a requirement is it, or has another name`() {
        let same = code(["cursor"], Self.items + ", next_cursor: {type: string}").page
        #expect(same.contains("var nextCursor: String?\n") && !same.contains("var nextCursor: String? {"))
        let items = "page_items: {type: array, items: {type: string}}, has_more: {type: boolean}, "
        let last = code(["after"], items + "last_id: {type: string}, nextCursor: {type: integer}").page
        #expect(last.contains("var nextCursor2: Int?\n") && last.contains("var nextCursor: String? { hasMore == true"))
        #expect(last.contains("var pageItems: [String] { pageItems2 ?? [] }"))
    }

    @Test(arguments: [
        (["page", "cursor"], items), (["page", "offset"], items), (["page"], items + ", more: {type: array}"),
        (["cursor"], items),
        (["cursor"], items + ", next: {type: string, format: uri}"), (["sort"], items),
        (["page"], "count: {type: integer}"),
    ])
    func `a list with no or several readings has no pages`(_ parameters: [String], _ properties: String) {
        let (request, page) = code(parameters, properties)
        #expect(!request.contains("pages(") && !page.contains("pageItems"))
    }
}
