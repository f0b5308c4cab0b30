import Errand
import TestSupport
import Testing

/// The samples of `Services.md`.
struct `The guide to services` {
    struct Book: Codable, Equatable, Sendable {
        var title: String
    }

    struct LibraryError: Error, Equatable {
        var status: Int?
    }

    struct Keychain: Sendable {
        let transport = RecordingTransport(response: DataResponse(statusCode: 200, data: Data("[]".utf8)))

        func token() async throws -> String { "planted" }
    }

    struct Library: APIService {
        let baseURL = "library.example.com/v1"
        let headers: HeaderFields = [.userAgent: "Shelf/1.0"]
        let keychain: Keychain

        func asynchronousHeaders() async throws -> HeaderFields {
            [.authorization: "Bearer \(try await keychain.token())"]
        }

        func mapError(_ error: any Error) -> LibraryError {
            LibraryError(status: (error as? ErrandError)?.statusCode)
        }
    }

    struct BooksRequest: DeclarativeRequest {
        typealias Output = [Book]
        var author: String
        var page = 1

        let path: RequestPath = "/books"
        var query: URLQuery { ["author": author, "page": page] }
    }

    struct AddBook: JSONRequest {
        typealias Output = Book
        let payload: Book
        let method = RequestMethod.post
        let path: RequestPath = "/books"
    }

    struct CoverSize: DeclarativeRequest {
        let book: Int
        var path: RequestPath { "/books/\(book)/cover" }

        func validate() throws {
            if book < 1 { throw LibraryError(status: nil) }
        }

        func prepare(_ request: inout URLRequest) throws {
            request.networkServiceType = .background
        }

        func decode(_ response: DataResponse) throws -> Int {
            response.data.count
        }
    }

    struct Download: DeclarativeRequest {
        typealias Output = Data
        var url: URL?
    }

    struct Search: JSONRequest {
        typealias Output = [Book]
        var tags: [String]
        var since: Date?

        var path: RequestPath { ["search", "books"] }
        var query: URLQuery { URLQuery(["tag": tags, "since": since], lists: .commas, dates: .secondsSince1970) }
    }

    let library = Library(keychain: Keychain())

    @Test func `the guide: requests send their properties`() async throws {
        let books = try await BooksRequest(author: "Le Guin").schedule(with: library).value
        #expect(books.isEmpty)
        let search = Search(tags: ["a", "b"], since: Date(timeIntervalSince1970: 5))
        #expect(try await search.schedule(with: library).value.isEmpty)
        #expect(try await CoverSize(book: 7).schedule(with: library).value == 2)
        let sent = library.keychain.transport.sent.elements.map(\.urlRequest)
        #expect(
            sent.map(\.url?.absoluteString) == [
                "https://library.example.com/v1/books?author=Le%20Guin&page=1",
                "https://library.example.com/v1/search/books?tag=a,b&since=5",
                "https://library.example.com/v1/books/7/cover",
            ])
        #expect(sent.allSatisfy { $0.value(forHTTPHeaderField: "Authorization") == "Bearer planted" })
        #expect(sent.allSatisfy { $0.value(forHTTPHeaderField: "User-Agent") == "Shelf/1.0" })
    }

    @Test func `the guide: two requests are sent concurrently`() async throws {
        let shelf = BooksRequest(author: "Le Guin").schedule(with: library)
        let other = BooksRequest(author: "Lem").schedule(with: library)
        async let first = shelf.value
        async let second = other.value
        print(try await first.count, try await second.count)
        #expect(library.keychain.transport.sent.elements.count == 2)
    }

    @Test func `the guide: requests fail with the error of the service`() async throws {
        let request = AddBook(payload: Book(title: "Malafrena"))
        let stub = request.stubJSONResponse(statusCode: 409, data: Data())
        await #expect(throws: LibraryError(status: 409)) { try await request.schedule(with: library, stub: stub).value }
        await #expect(throws: LibraryError(status: nil)) { try await CoverSize(book: 0).schedule(with: library).value }
    }

    @Test func `the guide: a request with a whole URL does not need a service`() async throws {
        let link = URL(string: "http://127.0.0.1:1/refused")
        await expectTransportFailure(.cannotConnectToHost) {
            let page = try await Download(url: link).schedule().value
            Issue.record("\(page)")
        }
    }

    /// Compiled but not run, because no server listens at that host.
    private func sendToStaging() async throws -> [Book] {
        let staging = PlainService(baseURL: "staging.example.com", headers: ["X-Tenant": "acme"])
        let books = try await BooksRequest(author: "Le Guin").schedule(with: staging).value
        return books
    }

    @Test func `the guide: a request is tested with a stub`() async throws {
        let request = BooksRequest(author: "Le Guin")
        let stub = request.stubJSONResponse(data: Data(#"[{"title": "Malafrena"}]"#.utf8))
        let response = request.schedule(with: library, stub: stub)
        #expect(try await response.value == [Book(title: "Malafrena")])
    }
}

extension `The guide to services`.Library {
    var session: (any Transport)? { keychain.transport }
}
