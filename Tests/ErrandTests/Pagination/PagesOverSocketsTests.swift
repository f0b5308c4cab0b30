import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Pages over sockets` {
    struct Member: Codable, Equatable, Sendable {
        var id: Int
    }

    struct Directory: Codable, PaginatedData {
        var members: [Member]
        var page: Int
        var pageSize: Int
        var total: Int
        var pageItems: [Member] { members }
    }

    struct Feed: Codable, CursorPage {
        var members: [Member]
        var nextCursor: String?
        var pageItems: [Member] { members }
    }

    final class Members<Page: Decodable & SendableMetatype>: APIBase, Request {
        init(at server: URL, over transport: any Transport) {
            super.init()
            baseURL = server
            session = transport
            timeoutInterval = .hangGuard
            path = "/members"
            headers["Authorization"] = "Bearer t"
        }

        func start() -> Pipeline<Page, any Error> {
            sendRequest().validateStatusCode(in: 200..<300).hasContentType("application/json").decode(Page.self)
        }
    }

    static let everyone = (0..<25).map { Member(id: $0) }
    let server: MockServer
    private let transport = TransportUnderTest.allCases[0].make()

    init() throws {
        server = try MockServer()
    }

    private func slice(_ start: Int, _ count: Int) -> [Member] { Array(Self.everyone.dropFirst(start).prefix(count)) }

    private static func number(_ name: String, of request: MockRequest) -> Int? {
        request.queryItems.first { $0.name == name }?.value.flatMap(Int.init)
    }

    private func members<Page>(_ style: PaginationStyle, as page: Page.Type) -> Pages<Page>
    where Page: PageContent & Decodable & Sendable {
        Pages(style) { [url = server.url, transport] _ in Members<Page>(at: url, over: transport) }
    }

    @Test func `pages by number are loaded from a server`() async throws {
        server.on(.get, "/members") { request in
            let (page, size) = (Self.number("page", of: request) ?? 1, Self.number("per_page", of: request) ?? 0)
            return try .json(
                encodable: Directory(members: slice((page - 1) * size, size), page: page, pageSize: size, total: 25))
        }
        let pages = members(.pageNumber(size: 10), as: Directory.self)
        #expect(try await pages.items.all() == Self.everyone)
        #expect(server.requests.map(\.target) == (1...3).map { "/members?page=\($0)&per_page=10" })
    }

    @Test func `pages by offset are loaded from a server`() async throws {
        server.on(.get, "/members") { request in
            let offset = Self.number("offset", of: request) ?? 0
            return try .json(encodable: slice(offset, 8)).with(header: "X-Total-Count", "25")
        }
        let pages = members(.offset(limit: 100), as: [Member].self)
        #expect(try await pages.items.all() == Self.everyone)
        #expect(server.requests.map(\.target) == [0, 8, 16, 24].map { "/members?offset=\($0)&limit=100" })
    }

    @Test func `pages by cursor are loaded from a server`() async throws {
        server.on(.get, "/members") { request in
            let offset = Self.number("cursor", of: request) ?? 0
            let next = offset + 10 < 25 ? String(offset + 10) : nil
            return try .json(encodable: Feed(members: slice(offset, 10), nextCursor: next))
        }
        let pages = members(.cursor(limit: 10), as: Feed.self)
        #expect(try await pages.items.all() == Self.everyone)
        #expect(
            server.requests.map(\.target)
                == ["/members?limit=10", "/members?cursor=10&limit=10", "/members?cursor=20&limit=10"])
    }

    @Test func `pages by link are loaded from a server`() async throws {
        server.onAny { request in
            let offset = Self.number("from", of: request) ?? 0
            var response = try MockResponse.json(encodable: slice(offset, 10))
            // Of two fields whose names differ in case, `URLSession` on Linux keeps one.
            #if canImport(CCurl)
            response.headers.add("Link", #"</members>; rel="first""#)
            #endif
            let next = #"</members?from=\#(offset + 10)>; title="a, b"; rel="next last""#
            if offset + 10 < 25 { response.headers.add("link", next) }
            return response
        }
        let pages = members(.link(size: 10), as: [Member].self)
        #expect(try await pages.items.all() == Self.everyone)
        #expect(server.requests.map(\.target) == ["/members?per_page=10", "/members?from=10", "/members?from=20"])
        #expect(server.requests.allSatisfy { $0.headers["Authorization"] == "Bearer t" })
        #expect(server.acceptedConnections == 1)
    }

    @Test func `pages are not followed to another origin after a redirect`() async throws {
        let other = try MockServer()
        other.onAny { _ in try .json(encodable: [Member(id: 1)]).with(header: "Link", "</more>; rel=next") }
        server.onAny { [url = other.url] _ in
            .status(302).with(header: "Location", url.appendingPathComponent("moved").absoluteString)
        }
        var iterator = members(.link(), as: [Member].self).makeAsyncIterator()
        #expect(try await iterator.next() == [Member(id: 1)])
        await expectFailure(.invalidPagination) { try await iterator.next() }
        #expect(other.requests.map(\.path) == ["/moved"])
    }

    @Test(arguments: [false, true])
    func `cancelling the request for a page closes the socket`(_ prefetch: Bool) async throws {
        server.on(.get, "/members") { request in
            let response = try MockResponse.json(encodable: slice(0, 10))
            return Self.number("page", of: request) == 2 ? response.with(fault: .stallInBody(after: 5)) : response
        }
        let pages = Pages(.pageNumber(size: 10), prefetch: prefetch) { [url = server.url, transport] _ in
            Members<[Member]>(at: url, over: transport)
        }
        let task = Task { try await pages.all() }
        _ = try await server.takeRequest()
        _ = try await server.takeRequest()
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `leaving the loop closes the socket of the prefetched page`() async throws {
        server.on(.get, "/members") { request in
            let response = try MockResponse.json(encodable: slice(0, 10))
            return Self.number("page", of: request) == 2 ? response.with(fault: .stallBeforeHead) : response
        }
        let pages = Pages(.pageNumber(size: 10), prefetch: true) { [url = server.url, transport] _ in
            Members<[Member]>(at: url, over: transport)
        }
        for try await _ in pages {
            _ = try await server.takeRequest()
            _ = try await server.takeRequest()
            break
        }
        try await server.waitUntil(openConnections: 0)
    }
}
