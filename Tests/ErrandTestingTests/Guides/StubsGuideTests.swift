import Errand
import ErrandTesting
import ErrandTestingTraits
import TestSupport
import Testing

private let malafrena = Book(id: 1, title: "Malafrena")

@Test(.stubs { $0.on(.get, "/v1/books", .json("[]")) })
func `an author without books returns an empty list`() async throws {
    #expect(try await BooksRequest(author: "Le Guin").start().value.isEmpty)
}

/// The samples of the guide "Stubs by route", and tests of their results.
@Suite(.hangGuard) struct `The guide to stubs by route` {
    @Test func `the guide's sample stubs a test with a plain call`() async throws {
        let stubs = RouteStubs(baseURL: URL(string: "https://library.example.com/v1"))
        stubs.on(.get, "/books", where: .query("author", "Le Guin"), try .json(encodable: [malafrena]))

        let books = try await stubs.run {
            try await BooksRequest(author: "Le Guin").start().value
        }

        #expect(books == [malafrena])
        #expect(stubs.requests.first?.headers["Host"] == "library.example.com")
    }

    @Test func `the guide's samples respond in different ways`() async throws {
        let stubs = RouteStubs()
        stubs.on(.get, "/v1/books", try .json(encodable: [malafrena]), times: .any)
        stubs.on(.get, "/v1/books/:id") { request in
            guard request.parameters["id"] == "1" else { return .status(404) }
            return try .json(encodable: malafrena)
        }
        stubs.on(.post, "/v1/books", inTurn: [.failure(.networkConnectionLost), .status(503), .status(201)])
        stubs.on(.delete, "/v1/books/*", where: [.host("*.example.com"), .header("If-Match", "\"1\"")], .status(204))

        try await stubs.scoped {
            let request = AddBookRequest(malafrena)
            request.method = .delete
            request.body = .empty
            request.path = "/books/1"
            request.headers["If-Match"] = "\"1\""
            _ = try await request.startRequest().value
        }
        #expect(stubs.problems.count == 2)
    }

    @Test func `the guide's sample combines conditions`() async throws {
        let stubs = RouteStubs()
        let isPage: RequestCondition = .any(of: .query("page"), .query("cursor"))
        stubs.on(.get, "/v1/books", where: [isPage, .not(.query("page", "1"))], .json("[]"))

        let books = try await stubs.run { try await BooksRequest(author: "Le Guin", page: 2).start().value }
        #expect(books.isEmpty)
    }

    @Test func `the guide's sample delays a response on a manual clock`() async throws {
        let clock = ManualClock()
        let stubs = RouteStubs(clock: clock)
        stubs.on(.get, "/v1/books", .json("[]").after(.seconds(3)))

        let books = try await stubs.run {
            try await clock.run { try await BooksRequest(author: "Le Guin").start().value }
        }

        #expect(books.isEmpty)
        #expect(clock.now.offset == .seconds(3))
    }

    @Test func `the guide's sample streams events on a manual clock`() async throws {
        let clock = ManualClock()
        let stubs = RouteStubs(clock: clock)
        let events = ["data: one\n\n", "data: two\n\n"].map { Data($0.utf8) }
        stubs.on(
            .get, "/v1/events",
            .chunked(events).with(header: "Content-Type", "text/event-stream")
                .with(fault: .pauseBeforeEachChunk { try await clock.sleep(for: .seconds(1)) }))

        var texts: [String] = []
        try await stubs.run {
            try await clock.run {
                for try await event in EventsRequest().startStream().prefix(2) { texts.append(event.data) }
            }
        }
        #expect(texts == ["one", "two"])
        #expect(clock.now.offset == .seconds(2))
    }

    @Test func `the guide's sample streams the lines of a closure`() async throws {
        actor Lines {
            private var lines = ["{\"id\":1}\n", "{\"id\":2}\n"]

            func next() -> Data? { lines.isEmpty ? nil : Data(lines.removeFirst().utf8) }
        }
        struct Row: Decodable {
            let id: Int
        }
        let stubs = RouteStubs()
        stubs.on(.get, "/v1/export") { _ in
            let lines = Lines()
            return .stream { await lines.next() }
        }
        stubs.on(.get, "/v1/news", .serverSentEvents(["one", "two"]).with(fault: .closeInBody(after: 12)))
        let (ids, news) = try await stubs.run {
            let rows = WatchShelfRequest("/export").startStream().values(of: Row.self)
            let ids = try await rows.reduce(into: []) { $0.append($1.id) }
            var news: [String] = []
            await expectFailure(.transportFailed) {
                for try await event in WatchShelfRequest("/news").startStream().events() { news.append(event.data) }
            }
            return (ids, news)
        }
        #expect(ids == [1, 2])
        #expect(news == ["one"])
    }

    @Test func `the guide's sample uses the stubs as a session in a detached task`() async throws {
        let stubs = RouteStubs()
        stubs.on(.get, "/v1/books", .json("[]"))
        let request = BooksRequest(author: "Le Guin")
        request.session = stubs

        let pipeline = request.start()
        _ = try await Task.detached { try await pipeline.value }.value
        try stubs.verify()
    }

    @Test func `the guide shows the message of an unexpected request exactly`() async throws {
        let stubs = RouteStubs()
        stubs.on(.get, "/v1/books", .json("[]"), times: .any)
        let line = #line - 1
        let request = BooksRequest(author: "Le Guin")
        request.path = "/book"
        let error = await thrown { _ = try await stubs.scoped { try await request.start().value } }
        #expect(
            error?.description == """
                GET https://library.example.com/v1/book?author=***: unexpectedRequest: GET /v1/book is not stubbed; \
                the nearest: GET /v1/books (StubsGuideTests.swift:\(line))
                """)
    }
}
