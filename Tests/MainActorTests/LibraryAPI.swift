import Errand

// The first samples of the README and of the guide to requests, in a module whose default isolation is the main actor.
// The API class and the model are `nonisolated`; nothing else differs.

nonisolated class LibraryAPI: APIBase {
    override init() {
        super.init()
        baseURL = URL(string: "https://library.example.com/v1")
        acceptedStatusCodes = 200..<300
    }
}

nonisolated struct Book: Codable, Sendable {
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

final class AddBookRequest: LibraryAPI, Request {
    init(_ book: Book) {
        super.init()
        method = .post
        path = "/books"
        body = .json(book)
    }

    func start() -> Pipeline<Book, any Error> {
        sendRequest().decode(Book.self)
    }
}

/// Compiled but not run, because it would send a request to a real host.
func sendBooksRequest() async throws {
    let books = try await BooksRequest(author: "Le Guin").start().value
    print(books)
}
