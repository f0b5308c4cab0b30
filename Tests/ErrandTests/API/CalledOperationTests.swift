import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `The operation and the template of a request` {
    private enum Shelf: String { case new }

    private class LibraryAPI: APIBase {
        let seen = Recorder<[String?]>()
        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com/v1/")
            interceptors.append(Watching(seen: seen))
            dataTaskPipeline = stubJSONResponse(data: Data("[]".utf8))
        }
    }

    private struct Watching: Interceptor {
        let seen: Recorder<[String?]>
        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            seen.record([request.operation, request.template])
            return try await next(request)
        }
    }

    private final class Books: LibraryAPI, Request {
        init(_ path: RequestPath) {
            super.init()
            self.path = path
        }
        func start() -> Pipeline<[Int], any Error> { sendRequest().decode([Int].self) }
    }

    private struct BookPages: EndpointRequest {
        let id: Int
        var endpoint: Endpoint<[Int]> { .get("/books/\(id, as: "id")/pages") }
    }

    /// Sends a leaf, and returns its template.
    private func template(_ path: RequestPath, _ change: (Books) -> Void = { _ in }) async throws -> String? {
        let leaf = Books(path)
        change(leaf)
        _ = try await leaf.start().value
        #expect(leaf.seen.elements.first?[0] == "Books")
        return try #require(leaf.seen.elements.first)[1]
    }

    @Test func `a template has the literals of a path, and names in place of its values`() async throws {
        let id = UUID()
        let (number, name, share, shelf) = (7, "a/b c", 0.25, Shelf.new)
        #expect(try await template("/books") == "/v1/books")
        #expect(try await template("books") == "/v1/books")
        #expect(try await template("") == "/v1/")
        #expect(try await template("") { $0.baseURL = URL(string: "https://library.example.com") } == "/")
        #expect(try await template("/größe") == "/v1/gr%C3%B6%C3%9Fe")
        #expect(try await template("/books/\(number)/pages/\(name)") == "/v1/books/{}/pages/{}")
        #expect(try await template("/books/\(number, as: "id")") == "/v1/books/{id}")
        #expect(
            try await template("/\(id, as: "a")/\(name, as: "b")/\(share, as: "c")/\(shelf, as: "d")")
                == "/v1/{a}/{b}/{c}/{d}")
        #expect(try await template("/\(id)/\(share)/\(shelf),\(number)") == "/v1/{}/{}/{},{}")
        #expect(try await template("/größe/\(number)") == "/v1/gr%C3%B6%C3%9Fe/{}")
    }

    @Test func `a part of a path that is not a literal is a value`() async throws {
        let name = "secret"
        #expect(try await template(RequestPath("/books/\(name)" as String)) == nil)
        #expect(try await template(["books", name]) == nil)
        #expect(try await template(RequestPath(segments: ["books", name])) == nil)
        #expect(try await template(RequestPath(escaping: "books/secret")) == nil)
        #expect(try await template("/files/\(RequestPath(escaping: "a/secret"))/x") == "/v1/files/{}/x")
        #expect(try await template("/files/\(RequestPath("a/secret" as String))") == "/v1/files/{}")
    }

    @Test func `paths that are joined keep their names`() async throws {
        let user: RequestPath = "/users/\(7, as: "user")"
        #expect(try await template(user.appending("posts/\(9, as: "post")/x")) == "/v1/users/{user}/posts/{post}/x")
        #expect(try await template(user.appending("/posts/\("größe")")) == "/v1/users/{user}/posts/{}")
        #expect(try await template("\(user)/posts/\(9)") == "/v1/users/{user}/posts/{}")
        #expect(try await template(user.appending(segment: "secret")) == "/v1/users/{user}/{}")
        #expect(try await template(RequestPath("/secret" as String).appending("posts")) == nil)
        let empty = ""
        #expect(user.appending("\(empty)/posts").template == "/users/{user}/{}posts")
        #expect(user.appending("\(RequestPath(escaping: ""))/posts").template == "/users/{user}/{}posts")
        #expect(user == "/users/7" && user.hashValue == ("/users/7" as RequestPath).hashValue)
        #expect(user.appending("posts/\(9)").description == "/users/7/posts/9")
    }

    @Test func `a template has no part of a complete URL, a query or a link`() async throws {
        #expect(try await template("/books") { $0.url = URL(string: "https://library.example.com/secret") } == nil)
        #expect(try await template("/books") { $0.query = ["q": "secret"] } == "/v1/books")
        #expect(
            try await template("/books") {
                let link = URL(string: "https://library.example.com/secret?page=2")
                $0.pagePosition = PaginationStyle.link(startingAt: link).firstPosition
            } == nil)
    }

    @Test func `an endpoint has the name of its request`() async throws {
        let api = LibraryAPI()
        _ = try await api.send(.get("/books/\(7)", as: [Int].self)).value
        #expect(api.seen.elements == [[nil, "/v1/books/{}"]])

        let seen = Recorder<[String?]>()
        let service = APIService(baseURL: "https://staging.example.com/v2", interceptors: [Watching(seen: seen)])
        let stub = api.stubJSONResponse(data: Data("[]".utf8))
        _ = try await BookPages(id: 7).schedule(with: service, stub: stub).value
        _ = try await BookPages(id: 7).start(with: service, stub: stub).value
        _ = try await BookPages(id: 7).endpoint.schedule(with: service, stub: stub).value
        _ = try await BookPages(id: 7).startStream(with: service, stub: stub).open()
        let named: [String?] = ["BookPages", "/v2/books/{id}/pages"]
        #expect(seen.elements == [named, named, [nil, "/v2/books/{id}/pages"], named])
    }

    @Test func `a hook and a log see both, for each attempt`() async throws {
        let outcomes = Recorder<RequestOutcome>()
        let entries = Recorder<LogEntry>()
        let leaf = Books("/books/\(7, as: "id")")
        leaf.hook = RequestHook(didEnd: { outcomes.record($0) })
        leaf.interceptors.append(LoggingInterceptor(level: .debug, sink: { entries.record($0) }))
        leaf.retryPolicy = .immediate
        leaf.acceptedStatusCodes = .successful
        leaf.dataTaskPipeline = leaf.stub(inTurn: [
            leaf.stubResponse(statusCode: 503), leaf.stubJSONResponse(data: Data("[]".utf8)),
        ])
        _ = try await leaf.schedule().value
        let outcome = try #require(outcomes.elements.first)
        #expect(outcome.request?.operation == "Books" && outcome.request?.template == "/v1/books/{id}")
        #expect(entries.elements.count == 4)
        for entry in entries.elements {
            #expect(entry.fields["operation"] == "Books" && entry.fields["template"] == "/v1/books/{id}")
        }
    }

    @Test func `a request outside of a run has neither`() {
        let request = TransportRequest(URLRequest(url: URL(fileURLWithPath: "/")))
        #expect(request.operation == nil && request.template == nil)
    }

    @Test func `an override that builds the request alone has no template`() async throws {
        final class Alone: LibraryAPI, Request {
            override func buildURLRequest() throws -> URLRequest {
                URLRequest(url: try #require(URL(string: "https://library.example.com/secret")))
            }
            func start() -> Pipeline<[Int], any Error> { sendRequest().decode([Int].self) }
        }
        let leaf = Alone()
        _ = try await leaf.start().value
        #expect(leaf.seen.elements == [["Alone", nil]])
    }
}
