import Errand
import ErrandTesting
import TestSupport
import Testing

/// Everything that a struct request can start besides a scheduled response.
struct `Struct requests: pipelines, streams and downloads` {
    private struct Book: Codable, Hashable, Sendable {
        var title: String
    }

    private struct Failure: Error {
        var status: Int?
        var detail: String?

        init(_ error: any Error) {
            let error = error as? ErrandError
            status = error?.statusCode
            detail = error?.payload(as: ProblemDetails.self)?.detail
        }
    }

    private let library = APIService(baseURL: "https://library.example.com", mapError: { Failure($0) })

    private struct BookRequest: EndpointRequest {
        var endpoint: Endpoint<Book> {
            .get("/books/7", settings: RequestSettings(errorDocument: ProblemDetails.self))
        }
    }

    private struct Cover: EndpointRequest {
        var endpoint: Endpoint<Data> { .put("/cover", body: .data(Data(count: 1_000))) }
    }

    private static let kindred = MockResponse.json(Data(#"{"title": "Kindred"}"#.utf8))
    private static let problem = MockResponse(
        statusCode: 404, headers: ["Content-Type": "application/problem+json"],
        body: .sized(Data(#"{"detail": "no such book"}"#.utf8)))

    @Test func `a pipeline of a struct request sends it each time it runs`() async throws {
        let stubs = RouteStubs()
        stubs.on(.get, "/books/7", inTurn: [.status(503), Self.kindred, Self.kindred])
        try await stubs.run { () async throws in
            let pipeline = BookRequest().start(with: library)
            #expect(try await pipeline.retry(1, where: { $0.status == 503 }).value == Book(title: "Kindred"))
            #expect(try await pipeline.value == Book(title: "Kindred"))
        }
    }

    @Test func `a stream of a struct request delivers decoded values and the error of the service`() async throws {
        let stubs = RouteStubs()
        stubs.on(.get, "/books/7", inTurn: [.text("{\"title\": \"A\"}\n{\"title\": \"B\"}\n"), Self.problem])
        try await stubs.run { () async throws in
            let stream = BookRequest().startStream(with: library)
            var titles: [String] = []
            for try await book in stream.values(of: Book.self) { titles.append(book.title) }
            #expect(titles == ["A", "B"])
            let error = await #expect(throws: Failure.self) { for try await _ in stream {} }
            #expect(error?.status == 404)
            #expect(error?.detail == "no such book")
        }
    }

    @Test func `a stream of a struct request has the same methods as one of a class`() async throws {
        let stubs = RouteStubs()
        let events = MockResponse.serverSentEvents(["{\"title\": \"A\"}", "{\"name\": 7}"])
        stubs.on(.get, "/books/7", inTurn: [events, events, events, .status(204)])
        try await stubs.run { () async throws in
            let stream = BookRequest().startStream(with: library)
            #expect(try await stream.open().headers.contentType == .eventStream)
            // An error about the content is the service's own too.
            await #expect(throws: Failure.self) { for try await _ in stream.events(of: Book.self) {} }
            var policy = EventSourceReconnection()
            policy.backoff = .immediate
            var data: [String] = []
            for try await event in stream.eventSource(reconnection: policy) { data.append(event.data) }
            #expect(data.count == 2)
        }
    }

    @Test func `a download of a struct request has progress and fails with the error of the service`() async throws {
        let target = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: target) }
        let stubs = RouteStubs()
        stubs.on(.get, "/books/7", inTurn: [Self.kindred, Self.problem])
        try await stubs.run { () async throws in
            let download = BookRequest().scheduleDownload(to: target, with: library)
            #expect(try await download.value.byteCount == 20)
            #expect(try await download.value.url == target)
            #expect(download.downloadProgress.latest == .init(completed: 20, total: 20))
            #expect(try String(contentsOf: target, encoding: .utf8) == #"{"title": "Kindred"}"#)
            let error = await #expect(throws: Failure.self) {
                try await BookRequest().scheduleDownload(to: target, with: library).value
            }
            #expect(error?.detail == "no such book")
        }
    }

    @Test func `a scheduled request reports the progress of both bodies`() async throws {
        let stubs = RouteStubs()
        stubs.on(.put, "/cover", .text("stored"))
        try await stubs.run { () async throws in
            let response = Cover().schedule(with: library)
            #expect(response.uploadProgress.latest == nil)
            #expect(try await response.value == Data("stored".utf8))
            #expect(response.uploadProgress.latest == .init(completed: 1_000, total: 1_000))
            #expect(response.downloadProgress.latest?.completed == 6)
        }
    }

    @Test(.hangGuard) func `the progress of a scheduled pipeline without a request ends immediately`() async {
        let response = ScheduledRequest(Pipeline<Int, any Error>.just(1))
        for await _ in response.uploadProgress { Issue.record("a pipeline without a request has upload progress") }
        for await _ in response.downloadProgress { Issue.record("a pipeline without a request has download progress") }
    }

    @Test func `a struct request without a service streams and downloads`() async throws {
        let target = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: target) }
        let endpoint = Endpoint<Void>(
            .get, url: URL(string: "https://library.example.com/books/7"),
            settings: RequestSettings(errorDocument: ProblemDetails.self))
        let stubs = RouteStubs()
        stubs.on(.get, "/books/7", inTurn: [Self.kindred, Self.problem, Self.kindred, Self.problem])
        try await stubs.run { () async throws in
            var count = 0
            for try await piece in endpoint.startStream() { count += piece.count }
            #expect(count == 20)
            let refused = await expectFailure(.unacceptableStatusCode) {
                for try await _ in endpoint.startStream() {}
            }
            #expect(refused?.payload(as: ProblemDetails.self)?.detail == "no such book")
            #expect(try await endpoint.scheduleDownload(to: target).value.byteCount == 20)
            let missing = await expectFailure(.unacceptableStatusCode) {
                try await endpoint.scheduleDownload(to: target).value
            }
            #expect(missing?.payload(as: ProblemDetails.self)?.detail == "no such book")
        }
    }

    @Test func `the pages of an endpoint are those of its position`() async throws {
        let stubs = RouteStubs()
        for page in 1...3 {
            let books = page == 3 ? "[]" : #"[{"title": "\#(page)"}]"#
            stubs.on(.get, "/books", where: .query("page", "\(page)"), .json(Data(books.utf8)))
        }
        try await stubs.run { () async throws in
            let pages = Pages(.pageNumber(size: 1)) { [library] page in
                library.send(.get("/books", as: [Book].self).page(page))
            }
            var titles: [String] = []
            for try await book in pages.items { titles.append(book.title) }
            #expect(titles == ["1", "2"])
        }
    }

    @Test(arguments: [true, false])
    func `an observable request shows a struct request of a service`(_ isFound: Bool) async throws {
        let stubs = RouteStubs()
        stubs.on(.get, "/books/7", isFound ? Self.kindred : Self.problem)
        try await stubs.run { () async throws in
            let book = await ObservableRequest { [library] in BookRequest().schedule(with: library) }
            await book.run()
            #expect(await book.value == (isFound ? Book(title: "Kindred") : nil))
            #expect(await book.failure?.detail == (isFound ? nil : "no such book"))
            #expect(await book.downloadProgress?.completed == (isFound ? 20 : 26))
        }
    }
}
