import Errand

// The first samples of the README in a module whose default isolation is the main actor. The API class and the model are
// `nonisolated`; nothing else differs.

nonisolated class LibraryAPI: APIBase {
    override init() {
        super.init()
        baseURL = URL(string: "https://library.example.com/v1")
        headers["Accept"] = "application/json"
    }

    override func startRequest() -> Pipeline<DataResponse, any Error> {
        super.startRequest()
            .validateStatusCode(in: 200..<300)
            .hasContentType("application/json")
            .decodeError(ProblemDetails.self)
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

    func start() -> Pipeline<[Book], any Error> {
        sendRequest().decode([Book].self)
    }
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
