import Errand
import TestSupport
import Testing

extension RequestSettings {
    static let export = RequestSettings(errorDocument: ProblemDetails.self, timeoutInterval: 300)
}

/// The samples of `Services.md`.
struct `The guide to services` {
    struct Book: Codable, Equatable, Sendable {
        var title: String
    }

    struct Shelf: Decodable, Sendable {}

    struct LibraryError: Error, Equatable {
        var status: Int?

        static let noSuchBook = LibraryError(status: nil)

        init(status: Int?) { self.status = status }
        init(_ error: any Error) { status = (error as? ErrandError)?.statusCode }
    }

    struct Keychain: Sendable {
        func token() async throws -> String { "planted" }
    }

    struct BooksRequest: EndpointRequest {
        var author: String
        var page = 1

        var endpoint: Endpoint<[Book]> { .get("/books", query: ["author": author, "page": page]) }
    }

    struct AddBook: EndpointRequest {
        let draft: Book

        var endpoint: Endpoint<Book> { .post("/books", body: .json(draft)) }
    }

    struct CoverSize: EndpointRequest {
        let book: Int

        var endpoint: Endpoint<Int> {
            Endpoint(.get, "/books/\(book)/cover") { $0.data.count }
                .validate { [book] in if book < 1 { throw LibraryError.noSuchBook } }
                .prepare { $0.networkServiceType = .background }
        }
    }

    private let transport = RecordingTransport(response: DataResponse(statusCode: 200, data: Data("[]".utf8)))

    private var library: APIService<LibraryError> {
        var library = APIService.production(Keychain())
        library.settings.session = transport
        return library
    }

    @Test func `the guide: requests send their parts`() async throws {
        let books = try await BooksRequest(author: "Le Guin").schedule(with: library).value
        #expect(books.isEmpty)
        #expect(try await CoverSize(book: 7).schedule(with: library).value == 2)
        let (tags, since) = (["a", "b"], Date(timeIntervalSince1970: 5))
        let query = URLQuery(["tag": tags, "since": since], lists: .commas, dates: .secondsSince1970)
        try await library.send(.get(["search", "books"], query: query)).value
        let sent = transport.sent.elements.map(\.urlRequest)
        #expect(
            sent.map(\.url?.absoluteString) == [
                "https://library.example.com/v1/books?author=Le%20Guin&page=1",
                "https://library.example.com/v1/books/7/cover",
                "https://library.example.com/v1/search/books?tag=a,b&since=5",
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
        #expect(transport.sent.elements.count == 2)
    }

    @Test func `the guide: requests fail with the error of the service`() async throws {
        let request = AddBook(draft: Book(title: "Malafrena"))
        let stub = request.stubJSONResponse(statusCode: 409, data: Data())
        await #expect(throws: LibraryError(status: 409)) { try await request.schedule(with: library, stub: stub).value }
        await #expect(throws: LibraryError.noSuchBook) { try await CoverSize(book: 0).schedule(with: library).value }
        let broken = CoverSize(book: 1).stubResponse(statusCode: 500)
        await #expect(throws: ErrandError.self) {
            try await CoverSize(book: 1).schedule(with: .staging, stub: broken).value
        }
    }

    @Test(arguments: ["local", "elsewhere"])
    func `the guide: a service is chosen at run time`(_ name: String) throws {
        let services: [String: APIService<any Error>] = ["staging": .staging, "local": .local]
        let service = services[name] ?? .staging
        let host = try #require(service.settings.baseURL?.url?.host())
        #expect(host == (name == "local" ? "build-7" : "staging.example.com"))
    }

    @Test func `the guide: settings that several requests share are a value`() async throws {
        let export = Endpoint.get("/export", settings: .export, as: Data.self)
        let stub = export.stubJSONResponse(statusCode: 422, data: Data(#"{"title": "invalid"}"#.utf8))
        let error = await expectFailure(.unacceptableStatusCode) {
            try await APIService.staging.send(export, stub: stub).value
        }
        #expect(error?.payload(as: ProblemDetails.self)?.title == "invalid")
    }

    @Test func `the guide: a request is tested with a stub`() async throws {
        let request = BooksRequest(author: "Le Guin")
        let stub = request.stubJSONResponse(data: Data(#"[{"title": "Malafrena"}]"#.utf8))
        let response = request.schedule(with: library, stub: stub)
        #expect(try await response.value == [Book(title: "Malafrena")])
    }

    /// Compiled but not run, because no server listens at that host.
    private func sendToLibrary() async throws {
        let books = try await BooksRequest(author: "Le Guin").schedule(with: library).value
        let shelf = try await library.send(.get("/shelves/7", as: Shelf.self)).value
        print(books, shelf)
    }
}

typealias LibraryError = `The guide to services`.LibraryError
typealias Keychain = `The guide to services`.Keychain

extension APIService<LibraryError> {
    static func production(_ keychain: Keychain) -> APIService {
        APIService(
            baseURL: "library.example.com/v1", headers: [.userAgent: "Shelf/1.0"],
            asynchronousHeaders: { [.authorization: "Bearer \(try await keychain.token())"] },
            mapError: { LibraryError($0) })
    }
}

extension APIService<any Error> {
    static let staging = APIService(baseURL: "staging.example.com", headers: ["X-Tenant": "acme"])
}

extension APIService<any Error> {
    static let local = APIService(baseURL: BaseURL("build-7:8080", isSecure: false))
}
