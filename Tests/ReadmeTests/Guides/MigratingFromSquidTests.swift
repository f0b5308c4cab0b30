import Errand
import ErrandTesting
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
        let interceptors: [any Interceptor]? = [RetryInterceptor(maximumAttempts: 4) { _ in Persistent() }]
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

    /// The server refuses requests for 20 seconds, as in Squid's own test.
    @Test func `a policy is as patient as the backoff retrier of Squid`() async throws {
        var patient = RetryPolicy.exponential(base: .seconds(1), maximumAttempts: 11)
        patient.maximumWait = .seconds(600)
        patient.maximumTotalWait = .seconds(1200)
        let clock = ManualClock()
        patient.clock = clock
        patient.random = { 1 }
        let request = APIBase()
        request.baseURL = URL(string: "https://squid.example.com/throttle")
        request.retryPolicy = patient
        let (busy, done) = (request.stubResponse(statusCode: 429), request.stubResponse(statusCode: 204))
        request.dataTaskPipeline = .deferred { clock.now.offset < .seconds(20) ? busy : done }
        let pipeline = request.sendRequest()
        #expect(try await clock.run { try await pipeline.value.statusCode } == 204)
        #expect(clock.now.offset == .seconds(31))
    }

    @Test func `a retrier that always repeats a request ends after ten attempts by default`() async throws {
        struct Stubborn: Retrier {
            func decide(after attempt: FailedAttempt) async -> RetryDecision { .retry }
        }
        let attempts = Locked(0)
        let next = Next { _ in
            attempts.withLock { $0 += 1 }
            return DataResponse(statusCode: 503)
        }
        let url = try #require(URL(string: "https://squid.example.com"))
        for (interceptor, count) in [
            (RetryInterceptor { _ in Stubborn() }, 10), (RetryInterceptor(maximumAttempts: 2) { _ in Stubborn() }, 12),
        ] {
            let response = try await interceptor.intercept(TransportRequest(URLRequest(url: url)), next: next)
            #expect(response.statusCode == 503)
            #expect(attempts.withLock { $0 } == count)
        }
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
