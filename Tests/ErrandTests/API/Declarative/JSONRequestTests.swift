import Errand
import TestSupport
import Testing

struct `A JSON request` {
    struct Book: Codable, Equatable, Sendable {
        var shelfNumber: Int
    }

    struct AddBook: JSONRequest {
        typealias Output = Book
        let payload: Book
        let method = RequestMethod.post
        let path: RequestPath = "/books"

        var encoder: JSONEncoder {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            return encoder
        }

        var decoder: JSONDecoder {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return decoder
        }
    }

    struct Change: JSONRequest {
        typealias Output = Void
        var payload: Book?
        let method = RequestMethod.patch
    }

    struct Shelf: APIService {
        let baseURL = "shelf.example.com"
        let headers: HeaderFields = ["Accept": "text/plain"]
        let transport = RecordingTransport(
            response: DataResponse(statusCode: 201, data: Data(#"{"shelf_number":8}"#.utf8)))
        var session: (any Transport)? { transport }
    }

    @Test func `a JSON request encodes its payload and decodes the response with its own coders`() async throws {
        let service = Shelf()
        #expect(try await AddBook(payload: Book(shelfNumber: 7)).schedule(with: service).value == Book(shelfNumber: 8))
        let sent = try #require(service.transport.sent.elements.first?.urlRequest)
        #expect(sent.httpBody == Data(#"{"shelf_number":7}"#.utf8))
        #expect(sent.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(sent.value(forHTTPHeaderField: "Accept") == "application/json")
    }

    @Test func `a JSON request without a payload has no body`() async throws {
        struct Bare: JSONRequest { typealias Output = Data }
        let service = Shelf()
        _ = try await Bare().schedule(with: service).value
        try await Change(payload: nil).schedule(with: service).value
        try await Change(payload: Book(shelfNumber: 1)).schedule(with: service).value
        let sent = service.transport.sent.elements.map(\.urlRequest)
        #expect(sent.map(\.httpBody) == [nil, nil, Data(#"{"shelfNumber":1}"#.utf8)])
        #expect(sent.map { $0.value(forHTTPHeaderField: "Content-Type") } == [nil, nil, "application/json"])
        #expect(sent.allSatisfy { $0.value(forHTTPHeaderField: "Accept") == "application/json" })
    }

    @Test func `a JSON request accepts JSON unless it sets its own Accept field`() async throws {
        struct CustomAccept: JSONRequest {
            typealias Output = Void
            let headers: HeaderFields
        }
        let service = Shelf()
        try await CustomAccept(headers: ["X-Tag": "own"]).schedule(with: service).value
        try await CustomAccept(headers: ["accept": "application/hal+json"]).schedule(with: service).value
        let sent = service.transport.sent.elements.map(\.urlRequest)
        #expect(
            sent.map { $0.value(forHTTPHeaderField: "Accept") } == ["application/json", "application/hal+json"])
        #expect(sent.first?.value(forHTTPHeaderField: "X-Tag") == "own")
    }

    @Test func `a JSON request decodes a string from a JSON string`() async throws {
        struct Word: JSONRequest { typealias Output = String }
        struct Whole: JSONRequest { typealias Output = Data }
        let stub = Word().stubJSONResponse(data: Data(#""a\"b""#.utf8))
        #expect(try await Word().schedule(with: Shelf(), stub: stub).value == "a\"b")
        #expect(try await Whole().schedule(with: Shelf(), stub: stub).value == Data(#""a\"b""#.utf8))
    }

    @Test func `a JSON request whose payload cannot be encoded is not sent`() async {
        struct Ratio: JSONRequest {
            typealias Output = Void
            let method = RequestMethod.post
            let payload: [Double]
        }
        let service = Shelf()
        let error = await expectFailure(.bodyEncodingFailed) {
            try await Ratio(payload: [.nan]).schedule(with: service).value
        }
        #expect(error?.underlyingError is EncodingError)
        #expect(service.transport.sent.elements.isEmpty)
    }

    @Test func `a JSON request fails with the place of a decoding error`() async {
        let request = AddBook(payload: Book(shelfNumber: 7))
        let stub = request.stubJSONResponse(data: Data(#"{"shelf_number": "planted"}"#.utf8))
        let error = await expectFailure(.decodingFailed) { try await request.schedule(with: Shelf(), stub: stub).value }
        #expect(error?.reason == "shelfNumber is not Int")
        #expect(error?.statusCode == 200)
    }
}
