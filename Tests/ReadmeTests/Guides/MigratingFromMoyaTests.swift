import Errand
import Testing

/// The samples with Errand of the guide to migrating from Moya.
struct `Migrating from Moya` {
    struct Book: Codable, Hashable, Sendable {
        var title: String
    }

    let library = APIService(baseURL: "library.example.com/v1")

    struct FindBooks: EndpointRequest {
        let author: String
        var endpoint: Endpoint<[Book]> { .get("/books", query: ["author": author]) }
    }

    struct AddBook: EndpointRequest {
        let book: Book
        var endpoint: Endpoint<Book> { .post("/books", body: .json(book)) }
    }

    actor Activity {
        private(set) var count = 0
        private(set) var most = 0

        func begin() {
            count += 1
            most = max(most, count)
        }

        func end() { count -= 1 }
    }

    func hook(_ activity: Activity) -> RequestHook {
        RequestHook(
            willSend: { _ in
                await activity.begin()
                return nil
            },
            didEnd: { _ in await activity.end() })
    }

    func patientLibrary() -> APIService<any Error> {
        let authentication = BearerAuthentication(token: "mF_9.B5f-4.1JqM")
        let patient = APIService(
            baseURL: "library.example.com/v1", interceptors: [authentication, LoggingInterceptor()],
            retryPolicy: .exponential(maximumAttempts: 3))
        return patient
    }

    /// Compiled but not run, because it would send requests to a real host.
    func send() async throws -> [Book] {
        let books = try await FindBooks(author: "Le Guin").schedule(with: library).value
        return books
    }

    @Test func `a book is added`() async throws {
        let request = AddBook(book: Book(title: "Malafrena"))
        let stub = request.stubJSONResponse(statusCode: 201, data: Data(#"{"title": "Malafrena"}"#.utf8))
        #expect(try await request.schedule(with: library, stub: stub).value == Book(title: "Malafrena"))
    }

    @Test func `activity begins and ends with each request, whatever its outcome is`() async throws {
        let activity = Activity()
        let request = FindBooks(author: "Le Guin")
        let service = APIService(baseURL: "library.example.com/v1", hook: hook(activity))
        _ = await request.schedule(with: service, stub: request.stubJSONResponse(data: Data("[]".utf8))).result
        _ = await request.schedule(with: service, stub: request.stub(error: URLError(.cannotFindHost))).result
        #expect(await activity.most == 1)
        #expect(await activity.count == 0)
    }
}
