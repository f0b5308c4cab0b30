import Errand
import ErrandTesting
import Testing

/// Tests the README's class with all interceptors, and its pages, with stubs. The interceptors must work in the listed
/// order.
@Suite(.timeLimit(.minutes(5))) struct `What cuts across the README's requests` {
    /// The class's interceptors without those that would send requests to a real host.
    private final class OwnBooks: MembersAPI, Request {
        func start() -> Pipeline<[Book], any Error> {
            sendRequest().decode([Book].self)
        }
    }

    @Test func `the interceptors of the guide work in the listed order`() async throws {
        let clock = ManualClock()
        let request = OwnBooks()
        request.path = "/own"
        request.retryPolicy?.clock = clock
        request.retryPolicy?.random = { 1 }
        request.interceptors[1] = TokenAuthentication(token: AccessToken("old")) { _ in AccessToken("new") }
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stubResponse(statusCode: 401),
            request.stubResponse(statusCode: 503),
            request.stubJSONResponse(
                data: Data(#"[{"id": 1, "title": "Malafrena"}]"#.utf8), headers: ["Cache-Control": "max-age=60"]),
        ])
        let first = request.schedule()
        async let books = first.value
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(100))
        #expect(try await books.map(\.title) == ["Malafrena"])
        #expect(try await first.head?.attempts == 3)

        let second = request.schedule()
        #expect(try await second.value.count == 1)
        #expect(try await second.head?.source == .cache)
    }

    @Test func `a service works with class and struct requests`() async throws {
        let json = Data(#"[{"id": 1, "title": "Malafrena"}]"#.utf8)
        let books = BooksRequest(author: "Le Guin")
        books.dataTaskPipeline = books.stubJSONResponse(data: json, headers: ["ETag": "\"1\""])
        let response = books.schedule(with: .staging)
        #expect(try await response.value.count == 1)
        #expect(try await response.head?.headers[.etag] == "\"1\"")
        let asked = try #require(books.request)
        #expect(asked.url?.absoluteString == "https://staging.library.example.com/v1/books?author=Le%20Guin")

        let find = FindBooks(author: "Le Guin")
        let found = find.schedule(with: .staging, stub: find.stubJSONResponse(data: json))
        #expect(try await found.value.map(\.title) == ["Malafrena"])
        #expect(try await found.head?.url == asked.url)
    }

    @Test func `the guide's sample iterates over pages`() async throws {
        let pages = Pages(.pageNumber(size: 2), prefetch: true) { page in
            let request = ShelfRequest()
            let ids = page.number == 1 ? [1, 2] : [3]
            let json = try JSONEncoder().encode(ids.map { Book(id: $0, title: "") })
            request.dataTaskPipeline = request.stubJSONResponse(data: json)
            return request
        }
        var ids: [Int] = []
        for try await book in pages.items { ids.append(book.id) }
        #expect(ids == [1, 2, 3])
    }
}
