import Errand
import TestSupport
import Testing

/// The factory functions of an endpoint, and the ways to send one in one line.
struct `A single call` {
    struct Book: Codable, Equatable, Sendable { var id: Int }

    class LibraryAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com/v1")
            headers = ["X-Tag": "class", "X-Class": "class"]
            query = ["key": "k"]
        }

        override func startRequest() -> Pipeline<DataResponse, any Error> {
            super.startRequest().hasContentType("application/json")
        }

        override class func mapError(_ error: any Error) -> any Error { LibraryError(error: error) }
    }

    struct LibraryError: Error { var error: any Error }

    private let transport = RecordingTransport(
        response: DataResponse(
            statusCode: 200, headers: ["Content-Type": "application/json"], data: Data(#"{"id": 7}"#.utf8)))

    private var service: APIService<any Error> { APIService(baseURL: "shelf.example.com/v1", session: transport) }

    private func sent<Output>(_ endpoint: Endpoint<Output>) async throws -> TransportRequest {
        _ = try await service.send(endpoint).value
        return try #require(transport.sent.elements.last)
    }

    private static let decoded: [(Endpoint<Book>, String)] = [
        (.get("/books/7"), "GET"), (.post("/books/7"), "POST"), (.put("/books/7"), "PUT"),
        (.patch("/books/7"), "PATCH"), (.delete("/books/7"), "DELETE"), (Endpoint(.options, "/books/7"), "OPTIONS"),
    ]

    @Test(arguments: decoded) func `decodes its output`(_ endpoint: Endpoint<Book>, _ method: String) async throws {
        #expect(try await service.send(endpoint).value == Book(id: 7))
        let sent = try #require(transport.sent.elements.last?.urlRequest)
        #expect(sent.httpMethod == method)
        #expect(sent.url?.absoluteString == "https://shelf.example.com/v1/books/7")
        #expect(sent.value(forHTTPHeaderField: "Accept") == "application/json")
    }

    private static let silent: [(Endpoint<Void>, String)] = [
        (.get("/x"), "GET"), (.post("/x"), "POST"), (.put("/x"), "PUT"), (.patch("/x"), "PATCH"),
        (.delete("/x"), "DELETE"), (Endpoint(RequestMethod(rawValue: "PURGE"), "/x"), "PURGE"),
    ]

    @Test(arguments: silent) func `can have no output`(_ endpoint: Endpoint<Void>, _ method: String) async throws {
        let request = try await sent(endpoint)
        #expect(request.description == "\(method) https://shelf.example.com/v1/x")
        #expect(request.urlRequest.value(forHTTPHeaderField: "Accept") == nil)
    }

    @Test(arguments: [RequestMethod.get, .post, .put, .patch, .delete])
    func `can have an output that a closure creates`(_ method: RequestMethod) async throws {
        #expect(try await service.send(Endpoint(method, "/x") { $0.data.count }).value == 9)
        #expect(transport.sent.elements.map(\.urlRequest.httpMethod) == [method.rawValue])
    }

    @Test func `a HEAD request has the header fields as its output`() async throws {
        let headers = try await service.send(.head("/x")).value
        #expect(headers[.contentType] == "application/json")
        #expect(transport.sent.elements.last?.urlRequest.httpMethod == "HEAD")
    }

    @Test func `sends each of its parts`() async throws {
        let request = try await sent(
            .post(
                "/books/\("a/b")", query: ["page": 2], headers: ["X-Tag": "own"], body: .json(Book(id: 1)),
                as: Book.self))
        #expect(request.urlRequest.url?.absoluteString == "https://shelf.example.com/v1/books/a%2Fb?page=2")
        #expect(request.urlRequest.value(forHTTPHeaderField: "X-Tag") == "own")
        #expect(request.urlRequest.httpBody == Data(#"{"id":1}"#.utf8))
        #expect(request.urlRequest.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test func `is sent with the settings and the checks of a class`() async throws {
        let api = LibraryAPI()
        api.session = transport
        let endpoint = Endpoint.get("/shelves/7", query: ["page": 2], headers: ["X-Tag": "own"], as: Book.self)
        #expect(try await api.send(endpoint).value == Book(id: 7))
        let sent = try #require(transport.sent.elements.last?.urlRequest)
        #expect(sent.url?.absoluteString == "https://library.example.com/v1/shelves/7?key=k&page=2")
        #expect(sent.value(forHTTPHeaderField: "X-Tag") == "own")
        #expect(sent.value(forHTTPHeaderField: "X-Class") == "class")
        // The object is not changed, so that it can send other endpoints.
        #expect(api.path == "")
        #expect(api.headers.count == 2)
        try await api.send(.delete("/shelves/7")).value
        #expect(transport.sent.elements.last?.description == "DELETE https://library.example.com/v1/shelves/7?key=***")
        api.dataTaskPipeline = api.stubResponse(data: Data("x".utf8), headers: ["Content-Type": "text/html"])
        let error = await #expect(throws: LibraryError.self) { try await api.send(endpoint).value }
        #expect((error?.error as? ErrandError)?.code == .unacceptableContentType)
        api.dataTaskPipeline = api.stubJSONResponse(statusCode: 404, data: Data(#"{"detail": "gone"}"#.utf8))
        let documented = Endpoint.get(
            "/shelves/7", settings: RequestSettings(errorDocument: ProblemDetails.self), as: Book.self)
        let missing = await #expect(throws: LibraryError.self) { try await api.send(documented).value }
        #expect((missing?.error as? ErrandError)?.payload(as: ProblemDetails.self)?.detail == "gone")
    }

    @Test func `can go to a complete URL without a service or a class`() async throws {
        let url = try #require(URL(string: "https://example.com/next?cursor=a"))
        let settings = RequestSettings(session: transport)
        #expect(try await Endpoint.get(url: url, settings: settings, as: Book.self).schedule().value == Book(id: 7))
        #expect(transport.sent.elements.last?.urlRequest.url == url)
        let appended = Endpoint.get("/more", url: url, query: ["page": 2], settings: settings, as: Book.self)
        #expect(try await appended.schedule().value == Book(id: 7))
        let sent = transport.sent.elements.last?.urlRequest.url?.absoluteString
        #expect(sent == "https://example.com/next/more?cursor=a&page=2")
        await expectFailure(.missingBaseURL) { try await Endpoint.get("/x", as: Book.self).schedule().value }
    }

    @Test func `a body with a method that has none is not sent`() async throws {
        let body = RequestBody.json(Book(id: 1))
        for method in [RequestMethod.get, .head, .delete] {
            await expectFailure(.unexpectedBody) {
                try await service.send(Endpoint<Void>(method, "/x", body: body)).value
            }
        }
        #expect(transport.sent.elements.isEmpty)
        try await service.send(Endpoint<Void>(.delete, "/x", body: body.withAnyMethod())).value
        try await service.send(Endpoint<Void>(.delete, "/x", body: body.withAnyMethod().gzipped())).value
        try await service.send(Endpoint<Void>(.delete, "/x", body: body.gzipped().withAnyMethod())).value
        #expect(transport.sent.elements.count == 3)
    }

    @Test func `its descriptions show no secret`() {
        let secret = URL(string: "https://ursula:planted@example.com/a?token=planted")
        let endpoint = Endpoint<Void>(
            .post, "/b", url: secret, query: ["token": "planted"], headers: ["Authorization": "planted"],
            body: .text("planted"))
        #expect("\(endpoint)" == "POST https://example.com/a?token=***/b")
        var dumped = ""
        dump(endpoint, to: &dumped)
        dump(APIService(baseURL: "https://ursula:planted@example.com", headers: ["A": "planted"]), to: &dumped)
        #expect(!dumped.contains("planted"))
    }
}
