import Errand
import ErrandTesting
import Testing

/// The default isolation of this module, and so of these tests, is the main actor.
struct `A module on the main actor` {
    private static let books = Data(#"[{"id": 1, "title": "The Dispossessed"}]"#.utf8)

    @Test func `a request awaited on the main actor returns its value`() async throws {
        let request = BooksRequest(author: "Le Guin")
        request.dataTaskPipeline = request.stubJSONResponse(data: Self.books)
        let books = try await request.start().value
        MainActor.assertIsolated()
        #expect(books.map(\.title) == ["The Dispossessed"])
        #expect(request.request?.url?.query == "author=Le%20Guin")
    }

    @Test(.timeLimit(.minutes(5))) func `a sink on the main actor receives the value on the main actor`() async throws {
        let request = BooksRequest(author: "Le Guin")
        request.dataTaskPipeline = request.stubJSONResponse(data: Self.books)
        var token: CancellationToken?
        let count = await withCheckedContinuation { continuation in
            token = request.start().sink { _ in
            } receiveValue: { books in
                MainActor.assertIsolated()
                continuation.resume(returning: books.count)
            }
        }
        #expect(count == 1)
        token?.cancel()
    }

    @Test func `a struct request is sent from the main actor to a service with an interceptor`() async throws {
        let stubs = RouteStubs()
        stubs.on(.get, "/v1/books/7") { request in
            request.headers["X-Tag"] == "staging"
                ? .json(Data(#"{"id": 7, "title": "Always Coming Home"}"#.utf8)) : .init(statusCode: 400)
        }
        let book = try await stubs.run { try await BookRequest(id: 7).schedule(with: library).value }
        #expect(book.title == "Always Coming Home")
    }

    @Test func `values of tasks and streams are collected on the main actor`() async throws {
        let stubs = RouteStubs()
        stubs.on(.get, "/v1/books/:id") { request in
            .json(Data(#"{"id": \#(request.parameters["id"] ?? "0"), "title": "Always Coming Home"}"#.utf8))
        }
        let titles = try await stubs.run {
            try await withThrowingTaskGroup(of: String.self) { group in
                for id in 1...3 {
                    let pipeline = BookRequest(id: id).schedule(with: library)
                    group.addTask { try await pipeline.value.title }
                }
                var titles: [String] = []
                for try await title in group { titles.append(title) }
                return titles
            }
        }
        #expect(titles.count == 3)

        let request = BooksRequest(author: "Le Guin")
        request.dataTaskPipeline = request.stubStream(
            headers: [.contentType: "application/json"], [#"[{"id": 1, "title": "Lav"#, #"inia"}]"#])
        var pieces = 0
        for try await piece in request.sendStream() { pieces += piece.isEmpty ? 0 : 1 }
        #expect(pieces == 2)
    }

    @Test(arguments: ["README.md", "Sources/Errand/Errand.docc/Requests.md"])
    func `the first sample of each page compiles with only nonisolated added`(_ page: String) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let file = folder.appendingPathComponent("../../\(page)").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        let sample = try #require(
            text.components(separatedBy: "```swift\n").dropFirst().first?.components(separatedBy: "\n```").first)
        let compiled = try String(contentsOf: folder.appendingPathComponent("LibraryAPI.swift"), encoding: .utf8)
            .replacing("nonisolated ", with: "")
        for paragraph in sample.components(separatedBy: "\n\n") {
            #expect(compiled.contains(paragraph), "\(paragraph)")
        }
    }
}
