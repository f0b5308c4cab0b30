import Errand
import TestSupport
import Testing

struct `An endpoint with JSON` {
    struct Book: Codable, Equatable, Sendable {
        var shelfNumber: Int
    }

    struct AddBook: EndpointRequest {
        let draft: Book
        var endpoint: Endpoint<Book> { .post("/books", body: .json(draft), settings: Self.settings) }

        private static let settings = RequestSettings(
            decoder: FastJSONDecoder(keys: .convertFromSnakeCase), encoder: FastJSONEncoder(keys: .convertToSnakeCase))
    }

    private let transport = RecordingTransport(
        response: DataResponse(statusCode: 201, data: Data(#"{"shelf_number":8}"#.utf8)))

    private var shelf: APIService<any Error> { APIService(baseURL: "shelf.example.com", session: transport) }

    @Test func `encodes its body and decodes the response with its own coders`() async throws {
        #expect(try await AddBook(draft: Book(shelfNumber: 7)).schedule(with: shelf).value == Book(shelfNumber: 8))
        let sent = try #require(transport.sent.elements.first?.urlRequest)
        #expect(sent.httpBody == Data(#"{"shelf_number":7}"#.utf8))
        #expect(sent.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(sent.value(forHTTPHeaderField: "Accept") == "application/json")
    }

    @Test func `encodes its body with the encoder of its service`() async throws {
        let service = APIService(
            baseURL: "shelf.example.com", session: transport, encoder: FastJSONEncoder(keys: .convertToSnakeCase))
        try await service.send(.patch(body: .json(Book(shelfNumber: 1)))).value
        #expect(transport.sent.elements.first?.urlRequest.httpBody == Data(#"{"shelf_number":1}"#.utf8))
    }

    private static let accepts: [(Endpoint<Book>, HeaderFields, String?)] = [
        (.get(), [:], "application/json"),
        (.get(), ["accept": "application/hal+json"], "application/hal+json"),
        (.get(headers: ["X-Tag": "own"]), [:], "application/json"),
        (.get(headers: ["accept": "application/hal+json"]), ["Accept": "text/plain"], "application/hal+json"),
        (.get(settings: RequestSettings(decoder: JSONDecoder())), [:], "application/json"),
        (.get(settings: RequestSettings(decoder: PropertyListDecoder())), [:], nil),
        (Endpoint(.get) { _ in Book(shelfNumber: 1) }, [:], nil),
    ]

    @Test(arguments: accepts) func `accepts JSON unless something else is accepted`(
        _ endpoint: Endpoint<Book>, _ headers: HeaderFields, _ accept: String?
    ) async throws {
        let service = APIService(baseURL: "shelf.example.com", headers: headers, session: transport)
        _ = await service.send(endpoint).result
        #expect(transport.sent.elements.first?.urlRequest.value(forHTTPHeaderField: "Accept") == accept)
    }

    @Test func `can decode a string from a JSON string`() async throws {
        let endpoint = Endpoint(.get, "/word") { try $0.decode(String.self) }
        let stub = endpoint.stubJSONResponse(data: Data(#""a\"b""#.utf8))
        #expect(try await shelf.send(endpoint, stub: stub).value == "a\"b")
    }

    @Test func `is not sent if its body cannot be encoded`() async {
        let error = await expectFailure(.bodyEncodingFailed) {
            try await shelf.send(.post(body: .json([Double.nan]))).value
        }
        #expect(error?.underlyingError is EncodingError)
        #expect(transport.sent.elements.isEmpty)
    }

    @Test func `fails with the place of a decoding error`() async {
        let request = AddBook(draft: Book(shelfNumber: 7))
        let stub = request.stubJSONResponse(data: Data(#"{"shelf_number": "planted"}"#.utf8))
        let error = await expectFailure(.decodingFailed) { try await request.schedule(with: shelf, stub: stub).value }
        #expect(error?.reason == "shelfNumber is a string, not Int, at line 1, column 18")
        #expect(error?.statusCode == 200)
    }
}
