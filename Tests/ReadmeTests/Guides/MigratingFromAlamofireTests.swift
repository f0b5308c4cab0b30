import Errand
import Testing

/// The samples with Errand of the guide to migrating from Alamofire.
struct `Migrating from Alamofire` {
    struct Book: Codable, Sendable {
        var title: String
    }

    struct Grant: Codable, Sendable {
        var accessToken: String
        var lifetime: TimeInterval
    }

    class LibraryAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com/v1")
            headers[.accept] = "application/json"
        }

        override func startRequest() -> Pipeline<DataResponse, any Error> {
            super.startRequest().validateStatusCode(in: 200..<300).hasContentType("application/json")
        }
    }

    final class BooksRequest: LibraryAPI, Request {
        init(author: String) {
            super.init()
            path = "/books"
            query = ["author": author]
        }

        func start() -> Pipeline<[Book], any Error> {
            sendRequest().decode([Book].self)
        }
    }

    final class GrantRequest: LibraryAPI, Request {
        func start() -> Pipeline<Grant, any Error> { sendRequest().decode(Grant.self) }
    }

    struct Versioned: Interceptor {
        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            var request = request
            request.urlRequest.setValue("2026-11-01", forHTTPHeaderField: "API-Version")
            return try await next(request)
        }
    }

    class VersionedAPI: LibraryAPI {
        override init() {
            super.init()
            retryPolicy = .exponential(base: .milliseconds(500), maximumAttempts: 3)
            interceptors.append(Versioned())
        }
    }

    static let authentication = TokenAuthentication { old in
        let grant = try await GrantRequest().start().value
        return AccessToken(grant.accessToken, expiresAt: Date() + grant.lifetime)
    }

    final class Shelf {
        var books: [Book] = []

        /// Compiled but not run, because it would send requests to a real host.
        func load(author: String) async throws {
            books = try await BooksRequest(author: author).start().value
        }

        func loadAndTell(author: String) async throws {
            do {
                books = try await BooksRequest(author: author).start().value
            } catch let error as ErrandError {
                switch error.code {
                case .unacceptableStatusCode: print(error.statusCode ?? 0, error.bodyPrefix.count)
                case .decodingFailed: print(error.reason ?? "")
                case .timedOut, .transportFailed: print((error.underlyingError as? URLError)?.code ?? .unknown)
                default: print(error)
                }
            }
        }

        func sendThings(to request: BooksRequest, photo: URL) {
            request.body = .multipart([.text("title", "Summer"), .file("photo", photo)])
            request.body = .file(photo)
            request.body = .json("value").gzipped()
        }
    }

    @Test func `books are decoded`() async throws {
        let request = BooksRequest(author: "Le Guin")
        request.dataTaskPipeline = request.stubJSONResponse(data: Data(#"[{"title": "Malafrena"}]"#.utf8))
        #expect(try await request.start().value.map(\.title) == ["Malafrena"])
    }
}
