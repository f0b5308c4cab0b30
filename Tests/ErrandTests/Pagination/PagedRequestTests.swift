import Errand
import TestSupport
import Testing

struct `A request for a page` {
    final class Users: APIBase, Request {
        override init() {
            super.init()
            baseURL = URL(string: "https://api.example.com/v1?key=k")
            path = "/users"
            query = ["page": 9, "sort": "name"]
        }

        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
    }

    private func url(_ request: Users) throws -> String? { try request.buildURLRequest().url?.absoluteString }

    @Test func `a paged request has each page item once, even if the page is set repeatedly`() throws {
        let request = Users()
        request.pagePosition = PaginationStyle.pageNumber(size: 5).firstPosition
        request.pagePosition = PaginationStyle.pageNumber(size: 5, startingAt: 2).firstPosition
        #expect(try url(request) == "https://api.example.com/v1/users?key=k&page=2&sort=name&per_page=5")
    }

    @Test func `page items replace those of the request's URL and base URL`() throws {
        let request = APIBase()
        request.pagePosition = PaginationStyle.pageNumber(size: 5, startingAt: 2).firstPosition
        request.url = URL(string: "https://api.example.com/users?a=%26&page=1&b&per%5Fpage=9&page=7#part")
        #expect(
            try request.buildURLRequest().url?.absoluteString
                == "https://api.example.com/users?a=%26&b&page=2&per_page=5")
        request.url = nil
        request.baseURL = URL(string: "https://api.example.com/v1?page=1")
        request.path = "/users"
        #expect(
            try request.buildURLRequest().url?.absoluteString == "https://api.example.com/v1/users?page=2&per_page=5")
    }

    @Test func `a request without a cursor drops the previous page's cursor and keeps its query`() throws {
        let request = Users()
        request.pagePosition = PaginationStyle.cursor(limit: 5, startingAt: "abc").firstPosition
        #expect(try url(request) == "https://api.example.com/v1/users?key=k&page=9&sort=name&cursor=abc&limit=5")
        request.pagePosition = PaginationStyle.cursor().firstPosition
        #expect(try url(request) == "https://api.example.com/v1/users?key=k&page=9&sort=name")
    }

    private func linked(_ target: String, trusting: [String] = []) -> Users {
        let request = Users()
        let style = PaginationStyle.link(
            startingAt: URL(string: target), trustedOrigins: trusting.compactMap { URL(string: $0) })
        request.pagePosition = style.firstPosition
        return request
    }

    @Test func `a request for a link uses the link's URL unchanged`() throws {
        let target = "https://api.example.com/other?cursor=a%2Cb&x"
        #expect(try url(linked(target)) == target)
    }

    @Test func `a request for a page without a link uses its own path again`() throws {
        let request = linked("https://api.example.com/other")
        request.pagePosition = PaginationStyle.link().firstPosition
        #expect(try url(request) == "https://api.example.com/v1/users?key=k&page=9&sort=name")
    }

    @Test func `a request for a link to another origin is not sent`() async throws {
        let transport = RecordingTransport()
        let request = linked("https://evil.example/?token=secret")
        request.session = transport
        let error = await expectFailure(.invalidPagination) { try await request.start().value }
        #expect(transport.sent.elements.isEmpty)
        #expect(!String(describing: error).contains("secret"))
        #expect(try url(linked("https://b.example/2", trusting: ["https://b.example"])) == "https://b.example/2")
    }

    @Test func `links are resolved at the service to which the request is sent`() async throws {
        let transport = RecordingTransport()
        let service = APIService(baseURL: "https://staging.example.com", session: transport)
        _ = try await linked("https://staging.example.com/users?page=2").schedule(with: service).value
        #expect(
            transport.sent.elements.first?.urlRequest.url?.absoluteString
                == "https://staging.example.com/users?page=2")
        await expectFailure(.invalidPagination) {
            try await linked("https://api.example.com/users?page=2").schedule(with: service).value
        }
    }

    @Test func `a page position shows neither its cursor nor its URL`() throws {
        let cursor = PaginationStyle.cursor(startingAt: "secret").firstPosition
        let link = PaginationStyle.link(startingAt: URL(string: "https://a.example/?t=secret")).firstPosition
        #expect(cursor.cursor == "secret")
        #expect(link.url?.query == "t=secret")
        var dumped = ""
        dump([cursor, link], to: &dumped)
        #expect(!"\(cursor) \(link) \(dumped)".contains("secret"))
    }
}
