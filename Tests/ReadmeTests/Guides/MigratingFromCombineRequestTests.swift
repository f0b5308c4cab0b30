import Errand
import Testing

/// The samples with Errand of the guide to migrating from CombineRequest.
struct `Migrating from CombineRequest` {
    struct Book: Codable, Hashable, Sendable {
        var title: String
    }

    class ShelfAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://shelf.example.com")
        }

        override func buildURLRequest() throws -> URLRequest {
            var urlRequest = try super.buildURLRequest()
            urlRequest.setValue("application/json", forHTTPHeaderField: "Accept")
            return urlRequest
        }

        override func startRequest() -> Pipeline<DataResponse, any Error> {
            super.startRequest()
                .validateStatusCode(in: 200..<300)
                .hasContentType("application/json")
        }
    }

    final class BooksRequest: ShelfAPI, Request {
        init(author: String) {
            super.init()
            path = "/books"
            query = ["author": author]
        }

        func start() -> Pipeline<[Book], any Error> {
            sendRequest().decode([Book].self)
        }
    }

    /// Compiled but not run, because it would send requests to a real host.
    @MainActor
    final class Shelf {
        var cancellable: CancellationToken?
        var fraction = 0.0

        func show(_ books: [Book]) {}
        func show(_ error: any Error) {}

        func sink(author: String) {
            cancellable = BooksRequest(author: author).start()
                .sink { [weak self] completion in
                    if case .failure(let error) = completion { self?.show(error) }
                } receiveValue: { [weak self] books in
                    self?.show(books)
                }
        }

        func load(author: String) async {
            do {
                show(try await BooksRequest(author: author).start().value)
            } catch {
                show(error)
            }
        }

        func watch(_ request: BooksRequest) async {
            for await progress in request.uploadProgress {
                fraction = progress.fractionCompleted ?? 0
            }
        }

        func send(_ data: Data, _ stream: sending InputStream, to request: BooksRequest) {
            request.query = URLQuery([URLQueryItem(name: "author", value: "Le Guin")])
            request.body = .data(data, type: .json)
            request.body = .stream(BodyStream(stream, count: data.count))
        }
    }

    @Test func `stubs can be used under the names of CombineRequest`() async throws {
        let json = Data(#"[{"title": "Malafrena"}]"#.utf8)
        let request = BooksRequest(author: "Le Guin")
        request.dataTaskPipeline = request.stubJSONResponse(statusCode: 200, data: json)
        #expect(try await request.start().value == [Book(title: "Malafrena")])
        #expect(request.request?.value(forHTTPHeaderField: "Accept") == "application/json")

        request.dataTaskPipeline = request.stubResponse(statusCode: 503, data: json)
        await #expect(throws: ErrandError.self) { try await request.start().value }
    }

    @Test func `a stub has the length of its data, and the class has a base URL`() async throws {
        let json = Data("[]".utf8)
        let request = APIBase()
        request.baseURL = URL(string: "https://test.example.com")
        request.dataTaskPipeline = request.stubResponse(statusCode: 200, data: json)
        let response = try await request.sendRequest().value
        #expect(response.headers["Content-Length"] == "2")
        #expect(response.data == json)
    }
}
