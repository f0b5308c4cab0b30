import Errand
import ErrandTesting
import Testing

/// The samples of the guide about bodies that set a class's coders.
struct `The guide about bodies: coders` {
    class LibraryAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com")
            decoder = FastJSONDecoder(keys: .convertFromSnakeCase, dates: .iso8601)
            encoder = FastJSONEncoder(keys: .convertToSnakeCase, dates: .iso8601)
        }
    }

    final class BooksRequest: LibraryAPI, StreamingRequest {
        func startStream() -> ResponseStream { sendStream() }
    }

    struct Book: Codable, Equatable {
        var title: String
        var publishedAt: Date
    }

    private let book = Book(title: "Malafrena", publishedAt: Date(timeIntervalSince1970: 308_620_800))

    @Test func `the guide's coding options apply to requests and responses`() async throws {
        let request = BooksRequest()
        request.method = .post
        request.body = .json(book)
        let sent = try #require(try request.buildURLRequest().httpBody)
        #expect(
            String(decoding: sent, as: UTF8.self) == #"{"title":"Malafrena","published_at":"1979-10-13T00:00:00Z"}"#)
        request.dataTaskPipeline = request.stubJSONResponse(data: sent)
        #expect(try await request.sendRequest().decode(Book.self).value == book)
    }

    @Test func `the guide's sample reads a large array element by element`() async throws {
        let request = BooksRequest()
        request.dataTaskPipeline = request.stubStream([
            #"[{"title":"A","published_at":"1979-10-13T00:00:00Z"},{"title":"#,
            #""B","published_at":"1979-10-13T00:00:00Z"}]"#,
        ])
        var titles: [String] = []
        for try await book in request.sendStream().values(of: Book.self, framing: .array) {
            titles.append(book.title)
        }
        #expect(titles == ["A", "B"])
    }
}
