import Errand

/// The API of the guides' samples.
class LibraryAPI: APIBase {
    override init() {
        super.init()
        baseURL = URL(string: "https://library.example.com/v1")
        headers["Accept"] = "application/json"
    }

    override func startRequest() -> Pipeline<DataResponse, any Error> {
        super.startRequest().validateStatusCode(in: 200..<300)
    }
}

struct Book: Codable, Equatable, Sendable {
    var id: Int
    var title: String
}

final class BooksRequest: LibraryAPI, Request {
    init(author: String, page: Int? = nil) {
        super.init()
        path = "/books"
        query = ["author": author, "page": page]
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

final class EventsRequest: LibraryAPI, StreamingRequest {
    override init() {
        super.init()
        path = "/events"
    }

    func startStream() -> EventSource {
        sendStream().eventSource()
    }
}
