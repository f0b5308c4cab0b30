import Errand

/// The README's first sample, whose names the other samples have too.
enum FirstScreen {
    class LibraryAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com/v1")
            acceptedStatusCodes = 200..<300
        }
    }

    struct Book: Codable, Sendable {
        var id: Int
        var title: String
    }

    final class BooksRequest: LibraryAPI, Request {
        init(author: String) {
            super.init()
            path = "/books"
            query = ["author": author]
        }

        func start() -> Pipeline<[Book], any Error> { sendRequest().decode([Book].self) }
    }

    /// Compiled but not run, because it would send requests to a real host.
    static func send() async throws {
        let books = try await BooksRequest(author: "Le Guin").start().value
        print(books)
    }
}
