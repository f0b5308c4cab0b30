import Errand

struct FindBooks: EndpointRequest {
    var author: String

    var endpoint: Endpoint<[Book]> { .get("/books", query: ["author": author]) }
}

func useServices() async throws {
    let books = BooksRequest(author: "Le Guin").schedule(with: .staging)
    let found = FindBooks(author: "Le Guin").schedule(with: .staging)
    print(try await books.value.count, try await found.value.count)

    let head = try await books.head
    print(head?.statusCode ?? 0, head?.headers[.etag] ?? "none", head?.source == .cache, head?.attempts ?? 0)
}

final class ShelfRequest: LibraryAPI, Request {
    override init() {
        super.init()
        path = "/shelf"
    }

    func start() -> Pipeline<[Book], any Error> {
        sendRequest().decode([Book].self)
    }
}

func goThroughPages() async throws {
    let pages = Pages(.pageNumber(size: 50), prefetch: true) { _ in ShelfRequest() }
    for try await page in pages { print(page.count) }
    for try await book in pages.items { print(book.title) }
}
