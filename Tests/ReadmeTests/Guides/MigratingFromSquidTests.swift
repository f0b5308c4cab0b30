import Errand
import Testing

/// The samples with Errand of the guide to migrating from Squid.
struct `Migrating from Squid` {
    struct Book: Codable, Hashable, Sendable {
        var title: String
    }

    struct Follower: Codable, Hashable, Sendable {
        var name: String
    }

    struct LibraryError: Error {
        init(_ error: any Error) {}
    }

    struct Keychain: Sendable {
        func authorization() async throws -> String { "Bearer mF_9.B5f-4.1JqM" }
    }

    struct Library: APIService {
        let keychain: Keychain
        let baseURL = "library.example.com"
        let headers: HeaderFields = [.acceptLanguage: "de"]
        let retryPolicy: RetryPolicy? = .exponential(base: .seconds(1))

        func asynchronousHeaders() async throws -> HeaderFields {
            [.authorization: try await keychain.authorization()]
        }

        func mapError(_ error: any Error) -> LibraryError { LibraryError(error) }
    }

    struct BooksRequest: JSONRequest {
        typealias Output = [Book]
        let shelf: Int
        let author: String

        var path: RequestPath { ["shelves", shelf, "books"] }
        var query: URLQuery { ["author": author] }
    }

    struct FollowersRequest: JSONRequest {
        typealias Output = [Follower]
        var pagePosition: PagePosition?

        let path: RequestPath = "/followers"
    }

    actor Persistent: Retrier {
        private var remaining = 3

        func decide(after attempt: FailedAttempt) async -> RetryDecision {
            guard attempt.response?.statusCode == 409, remaining > 0 else { return .stop }
            remaining -= 1
            return .retry(after: .seconds(1))
        }
    }

    struct PersistentLibrary: APIService {
        let baseURL = "library.example.com"
        let interceptors: [any Interceptor]? = [RetryInterceptor { _ in Persistent() }]
    }

    final class EchoRequest: APIBase, WebSocketRequest {
        func startWebSocket() -> WebSocket<String, String> {
            webSocket(.text)
        }
    }

    let library = Library(keychain: Keychain())

    /// Compiled but not run, because these would send requests to real hosts.
    final class Screen {
        var shown: [Follower] = []

        func show(_ error: any Error) {}

        func load(_ library: Library) async throws -> [Book] {
            let books = try await BooksRequest(shelf: 7, author: "Le Guin").schedule(with: library).value
            return books
        }

        func follow(_ library: Library, _ reachedEnd: AsyncStream<Void>) async {
            let pages = Pages(.pageNumber(size: 20, sizeName: "chunk")) { page in
                try await FollowersRequest(pagePosition: page).schedule(with: library).value
            }
            for await page in pages.driven(by: reachedEnd) {
                switch page {
                case .success(let followers): shown += followers
                case .failure(let error): show(error)
                }
            }
        }

        func echo(_ service: PersistentLibrary) async throws {
            let socket = EchoRequest().startWebSocket(with: service)
            try await socket.send("hello")
            for try await message in socket {
                print(message)
            }
        }
    }

    @Test func `the books of a shelf are loaded`() async throws {
        let request = BooksRequest(shelf: 7, author: "Le Guin")
        let stub = request.stubJSONResponse(data: Data(#"[{"title": "Malafrena"}]"#.utf8))
        let response = request.schedule(with: library, stub: stub)
        #expect(try await response.value == [Book(title: "Malafrena")])
        #expect(try await response.head?.url?.path == "/shelves/7/books")
    }

    struct SnakeBook: Decodable, Equatable {
        var firstTitle: String
    }

    struct SnakeRequest: LibraryRequest {
        typealias Output = SnakeBook
    }

    @Test func `a protocol configures the decoder of its requests`() async throws {
        let stub = SnakeRequest().stubJSONResponse(data: Data(#"{"first_title": "Malafrena"}"#.utf8))
        let response = SnakeRequest().schedule(with: library, stub: stub)
        #expect(try await response.value == SnakeBook(firstTitle: "Malafrena"))
    }
}

protocol LibraryRequest: JSONRequest {}

extension LibraryRequest {
    var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}
