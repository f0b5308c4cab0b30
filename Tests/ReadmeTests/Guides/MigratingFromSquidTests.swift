import Errand
import ErrandTesting
import ErrandWebSocket
import Testing

private let keychain = `Migrating from Squid`.Keychain()

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

    let library = APIService(
        baseURL: "library.example.com", headers: [.acceptLanguage: "de"], retryPolicy: .exponential(base: .seconds(1)),
        asynchronousHeaders: { [.authorization: try await keychain.authorization()] }, mapError: { LibraryError($0) })

    struct BooksRequest: EndpointRequest {
        let shelf: Int
        let author: String
        var endpoint: Endpoint<[Book]> { .get(["shelves", shelf, "books"], query: ["author": author]) }
    }

    let catalogue = APIService(
        baseURL: "library.example.com", decoder: FastJSONDecoder(keys: .convertFromSnakeCase),
        encoder: FastJSONEncoder(keys: .convertToSnakeCase))

    actor Persistent: Retrier {
        private var remaining = 3

        func decide(after attempt: FailedAttempt) async -> RetryDecision {
            guard attempt.response?.statusCode == 409, remaining > 0 else { return .stop }
            remaining -= 1
            return .retry(after: .seconds(1))
        }
    }

    let persistent = APIService(
        baseURL: "library.example.com", interceptors: [RetryInterceptor(maximumAttempts: 4) { _ in Persistent() }])

    /// Compiled but not run, because these would send requests to real hosts.
    final class Screen {
        var shown: [Follower] = []

        func show(_ error: any Error) {}

        func load(_ library: APIService<LibraryError>) async throws -> [Book] {
            let books = try await BooksRequest(shelf: 7, author: "Le Guin").schedule(with: library).value
            return books
        }

        func add(_ book: Book, _ link: URL, to library: APIService<LibraryError>) async throws -> [Book] {
            let added = try await library.send(.post("/books", body: .json(book), as: Book.self)).value
            let next = try await Endpoint.get(url: link, as: [Book].self).schedule().value
            return next + [added]
        }

        func follow(_ library: APIService<LibraryError>, _ reachedEnd: AsyncStream<Void>) async {
            let pages = Pages(.pageNumber(size: 20, sizeName: "chunk")) { page in
                library.send(.get("/followers", as: [Follower].self).page(page))
            }
            var followers = pages.makeAsyncIterator()
            var ticks = reachedEnd.makeAsyncIterator()
            repeat {
                do {
                    guard let page = try await followers.next() else { break }
                    shown += page
                } catch {
                    show(error)
                }
            } while await ticks.next() != nil
        }

        func echo(_ library: APIService<LibraryError>) async throws {
            let socket = WebSocketEndpoint("/echo", coding: .text).startWebSocket(with: library)
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

    struct SnakeBook: Codable, Equatable {
        var firstTitle: String
    }

    @Test func `a service configures the decoder and the encoder of its requests`() async throws {
        let book = SnakeBook(firstTitle: "Malafrena")
        let stubs = RouteStubs()
        stubs.on(.post, "/books") { .json($0.body) }
        stubs.on(.get, "/books/7") { _ in .json(#"{"first_title": "Malafrena"}"#) }
        let (added, found) = try await stubs.run {
            let added = try await catalogue.send(.post("/books", body: .json(book), as: Data.self)).value
            return (added, try await catalogue.send(.get("/books/7", as: SnakeBook.self)).value)
        }
        #expect(added == Data(#"{"first_title":"Malafrena"}"#.utf8))
        #expect(found == book)
    }

    @Test func `the URL of a request replaces that of the service, and the path is appended to it`() async throws {
        let url = try #require(URL(string: "https://mirror.example.com/v2"))
        for endpoint in [
            Endpoint<Void>.get("/books", url: url),
            .get("/books", settings: RequestSettings(baseURL: "mirror.example.com/v2")),
        ] {
            let response = library.send(endpoint, stub: endpoint.stubResponse())
            #expect(try await response.head?.url?.absoluteString == "https://mirror.example.com/v2/books")
        }
    }
}
