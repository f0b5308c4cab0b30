import Errand
import ErrandTesting
import TestSupport
import Testing

/// The samples of the guide to caching that have conditions.
struct `The page on conditional requests` {
    class CatalogueAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://catalogue.example.com")
        }
    }

    struct Book: Codable, Sendable {
        var id: Int
        var title: String
    }

    struct NoVersion: Error {}

    final class BookRequest: CatalogueAPI, Request {
        init(id: Int) {
            super.init()
            path = "/books/\(id)"
        }

        func start() -> Pipeline<DecodedResponse<Book>, any Error> {
            sendRequest().validateStatusCode(in: 200..<300).decodeWithResponse(Book.self)
        }
    }

    final class SaveBookRequest: CatalogueAPI, Request {
        init(_ book: Book, ifStill tag: EntityTag) {
            super.init()
            method = .put
            path = "/books/\(book.id)"
            body = .json(book)
            headers.ifMatch = [tag]
        }

        func start() -> Pipeline<DataResponse, any Error> {
            sendRequest().validateStatusCode(in: 200..<300)
        }
    }

    func changeBook(_ id: Int, _ change: (inout Book) -> Void) async throws {
        for _ in 1...5 {
            let current = try await BookRequest(id: id).start().value
            guard let tag = current.response.headers.entityTag else { throw NoVersion() }
            var book = current.value
            change(&book)
            do {
                _ = try await SaveBookRequest(book, ifStill: tag).start().value
                return
            } catch let error as ErrandError where error.statusCode == 412 {
                // Another client was faster: read again, and change the new version.
            }
        }
        throw NoVersion()
    }

    final class CreateRequest: CatalogueAPI, Request {
        override init() {
            super.init()
            method = .put
            headers.byteRanges = [.bytes(0...499)]
            headers.byteRanges = nil
            headers.ifNoneMatch = .any
        }

        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
    }

    /// A server with one book, which another client changes during the first write.
    private struct Store {
        var version = 1
        var book = Book(id: 7, title: "Malafrena")
        var writes = 0
    }

    @Test func `the guide: a conditional write loses no update`() async throws {
        let store = Locked(Store())
        let stubs = RouteStubs()
        stubs.on(.get, "/books/7") { _ in
            try store.withLock { store in
                try .json(encodable: store.book).with(header: "ETag", "\"\(store.version)\"")
            }
        }
        stubs.on(.put, "/books/7") { request in
            try store.withLock { store in
                store.writes += 1
                if store.writes == 1 {
                    store.book.title += ", a novel"
                    store.version += 1
                }
                guard request.headers.ifMatch == [try #require(EntityTag("\(store.version)"))] else {
                    return .status(412)
                }
                store.book = try JSONDecoder().decode(Book.self, from: request.body)
                store.version += 1
                return .status(204)
            }
        }
        try await stubs.run { try await changeBook(7) { $0.title += " by Le Guin" } }
        #expect(store.withLock { $0.book.title } == "Malafrena, a novel by Le Guin")
        #expect(store.withLock { $0.writes } == 2)
    }

    @Test func `the guide: If-None-Match creates a resource without overwriting one`() async throws {
        let stubs = RouteStubs()
        stubs.on(.put, "/", where: [.header("If-None-Match", "*")], .status(201))
        let response = try await stubs.run { try await CreateRequest().start().value }
        #expect(response.statusCode == 201)
    }
}
