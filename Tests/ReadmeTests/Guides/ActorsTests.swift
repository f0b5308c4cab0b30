import Errand
import ErrandTesting
import Testing

/// The samples of the guide to concurrency.
struct `Actors and Sendable` {
    struct Book: Codable, Sendable {
        var title: String
    }

    private static let library = APIService(baseURL: "https://library.example.com")

    struct BookRequest: EndpointRequest {
        let id: Int
        var endpoint: Endpoint<Book> { .get(["books", id]) }
    }

    final class BooksRequest: APIBase, Request {
        init(author: String) {
            super.init()
            baseURL = URL(string: "https://library.example.com")
            path = "/books"
            query = ["author": author]
        }

        func start() -> Pipeline<[Book], any Error> { sendRequest().decode([Book].self) }
    }

    actor Shelf {
        private let library: APIService<any Error>
        private var books: [Int: Book] = [:]

        init(_ library: APIService<any Error>) {
            self.library = library
        }

        func book(_ id: Int) async throws -> Book {
            if let book = books[id] { return book }
            let book = try await BookRequest(id: id).schedule(with: library).value
            books[id] = book
            return book
        }
    }

    actor SharedShelf {
        private let library: APIService<any Error>
        private var requests: [Int: ScheduledRequest<Book, any Error>] = [:]

        init(_ library: APIService<any Error>) {
            self.library = library
        }

        func book(_ id: Int) async throws -> Book {
            let request = requests[id] ?? BookRequest(id: id).schedule(with: library)
            requests[id] = request
            do {
                return try await request.value
            } catch {
                requests[id] = nil
                throw error
            }
        }
    }

    func titles(of authors: [String]) async throws -> [String] {
        try await withThrowingTaskGroup(of: [Book].self) { group in
            for author in authors {
                let books = BooksRequest(author: author).start()
                group.addTask { try await books.value }
            }
            return try await group.reduce(into: []) { $0 += $1.map(\.title) }
        }
    }

    @Test func `an actor sends a request once and keeps its value`() async throws {
        let stubs = RouteStubs()
        stubs.on(.get, "/books/7", times: .exactly(1)) { _ in .json(Data(#"{"title": "Kindred"}"#.utf8)) }
        let shelf = Shelf(Self.library)
        try await stubs.run { () async throws in
            #expect(try await shelf.book(7).title == "Kindred")
            #expect(try await shelf.book(7).title == "Kindred")
        }
    }

    @Test func `concurrent calls of an actor wait for one request`() async throws {
        let stubs = RouteStubs()
        stubs.on(.get, "/books/7", times: .once) { _ in .json(Data(#"{"title": "Kindred"}"#.utf8)) }
        let shelf = SharedShelf(Self.library)
        try await stubs.run { () async throws in
            async let first = shelf.book(7)
            async let second = shelf.book(7)
            #expect(try await [first.title, second.title] == ["Kindred", "Kindred"])
        }
    }

    @Test func `an actor sends a failed request again`() async throws {
        let stubs = RouteStubs()
        stubs.on(.get, "/books/7", inTurn: [.status(500), .json(Data(#"{"title": "Kindred"}"#.utf8))])
        let shelf = SharedShelf(Self.library)
        try await stubs.run { () async throws in
            await #expect(throws: ErrandError.self) { try await shelf.book(7) }
            #expect(try await shelf.book(7).title == "Kindred")
        }
    }

    @Test func `a task group awaits pipelines of class requests`() async throws {
        let stubs = RouteStubs()
        stubs.on(.get, "/books") { request in
            .json(Data(#"[{"title": "By \#(request.queryItems.first { $0.name == "author" }?.value ?? "?")"}]"#.utf8))
        }
        let titles = try await stubs.run { try await self.titles(of: ["Butler", "Le Guin"]) }
        #expect(titles.sorted() == ["By Butler", "By Le Guin"])
    }
}
