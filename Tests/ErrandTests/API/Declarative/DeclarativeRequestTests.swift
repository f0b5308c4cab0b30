import Errand
import TestSupport
import Testing

struct `A declarative request` {
    struct Book: Codable, Equatable { var id: Int }

    struct BookRequest: DeclarativeRequest {
        typealias Output = Book
        let id: Int
        var path: RequestPath { "/books/\(id)" }
    }

    struct Whole: DeclarativeRequest {
        typealias Output = Data
        let method = RequestMethod.put
        let path: RequestPath = "/books"
        let query: URLQuery = ["page": 2]
        let headers: HeaderFields = ["X-Tag": "own"]
        let body = RequestBody.text("content")
        let acceptedStatusCodes = 200..<400
        let priority = RequestPriority.high
        let timeoutInterval: TimeInterval = 7
        let resourceTimeout: Duration? = .seconds(8)
        let maximumBodySize = 9
        let redirectPolicy = RedirectPolicy.ignore
    }

    struct Shelf: APIService {
        let baseURL = URL(string: "https://shelf.example.com/v1")
        var headers: HeaderFields = ["X-Tag": "service", "X-Tenant": "service"]
        var transport = RecordingTransport(response: DataResponse(statusCode: 200, data: Data(#"{"id": 7}"#.utf8)))
        var noting: (any Interceptor)?
        var token: String?
        var session: (any Transport)? { transport }
        var interceptors: [any Interceptor]? { noting.map { [$0] } }

        func asynchronousHeaders() async throws -> HeaderFields {
            await Task.yield()
            return token.map { ["Authorization": $0, "X-Tag": "awaited"] } ?? [:]
        }
    }

    @Test func `a declarative request with only an output type is a GET of the base URL`() async throws {
        struct Bare: DeclarativeRequest { typealias Output = Void }
        let service = Shelf()
        try await Bare().schedule(with: service).value
        let sent = try #require(service.transport.sent.elements.first)
        #expect(sent.description == "GET https://shelf.example.com/v1")
        #expect(sent.urlRequest.httpBody == nil)
        #expect(sent.urlRequest.timeoutInterval == 60)
        #expect(sent.priority == .normal)
        #expect(sent.maximumBodySize == APIBase.defaultMaximumBodySize)
    }

    @Test func `a declarative request sends all of its properties`() async throws {
        let service = Shelf()
        _ = try await Whole().schedule(with: service).value
        let sent = try #require(service.transport.sent.elements.first)
        #expect(sent.urlRequest.url?.absoluteString == "https://shelf.example.com/v1/books?page=2")
        #expect(sent.urlRequest.httpMethod == "PUT")
        #expect(sent.urlRequest.value(forHTTPHeaderField: "X-Tag") == "own")
        #expect(sent.urlRequest.value(forHTTPHeaderField: "X-Tenant") == "service")
        #expect(sent.urlRequest.httpBody == Data("content".utf8))
        #expect(sent.urlRequest.value(forHTTPHeaderField: "Content-Type") == "text/plain; charset=utf-8")
        #expect(sent.urlRequest.timeoutInterval == 7)
        #expect(sent.resourceTimeout == .seconds(8))
        #expect(sent.maximumBodySize == 9)
        #expect(sent.priority == .high)
        guard case .ignore = sent.redirectPolicy else {
            Issue.record("redirects would be followed")
            return
        }
    }

    @Test func `a declarative request is sent once for any number of waiting tasks`() async throws {
        let service = Shelf()
        let response = BookRequest(id: 7).schedule(with: service)
        #expect(service.transport.sent.elements.isEmpty)
        #expect(try await response.value == Book(id: 7))
        #expect(try await response.value == Book(id: 7))
        #expect(service.transport.sent.elements.count == 1)
    }

    @Test func `the whole URL of a declarative request replaces base URL and path`() async throws {
        struct Linked: DeclarativeRequest {
            typealias Output = Void
            let url = URL(string: "https://elsewhere.example/next?cursor=a%20b#top")
            let path: RequestPath = "/ignored"
            let query: URLQuery = ["page": 2]
        }
        let service = Shelf()
        try await Linked().schedule(with: service).value
        let sent = try #require(service.transport.sent.elements.first?.urlRequest)
        #expect(sent.url?.absoluteString == "https://elsewhere.example/next?cursor=a%20b&page=2")
        #expect(sent.value(forHTTPHeaderField: "X-Tenant") == "service")
    }

    @Test func `a declarative request with a whole URL does not need a service`() async throws {
        struct Ping: DeclarativeRequest {
            typealias Output = String
            var url: URL?
        }
        let ping = Ping(url: URL(string: "https://example.com/ping"))
        let response = ping.schedule(stub: ping.stubResponse(data: Data("pong".utf8)))
        #expect(try await response.value == "pong")
        #expect(try await response.head?.url?.absoluteString == "https://example.com/ping")
        await expectFailure(.missingBaseURL) { try await Ping().schedule(stub: ping.stubResponse()).value }
    }

    @Test func `a declarative request rejects a status code that it does not accept`() async throws {
        let request = BookRequest(id: 7)
        let stub = request.stubJSONResponse(statusCode: 404, data: Data(#"{"id": 7}"#.utf8))
        let error = await expectFailure(.unacceptableStatusCode) {
            try await request.schedule(with: Shelf(), stub: stub).value
        }
        #expect(error?.statusCode == 404)
        #expect(error?.url?.path == "/v1/books/7")
        #expect(try await Whole().schedule(with: Shelf(), stub: Whole().stubResponse(statusCode: 304)).value.isEmpty)
    }

    @Test func `a declarative request decodes JSON, text, data, Void or a custom output`() async throws {
        struct Text: DeclarativeRequest { typealias Output = String }
        struct Bytes: DeclarativeRequest { typealias Output = Data }
        struct Nothing: DeclarativeRequest { typealias Output = Void }
        struct Counted: DeclarativeRequest {
            func decode(_ response: DataResponse) throws -> Int { response.data.count }
        }
        let service = Shelf()
        let content = Data("\"caf\u{E9}\"".unicodeScalars.map { UInt8($0.value) })
        let stub = Text().stubResponse(data: content, headers: ["Content-Type": "text/plain; charset=ISO-8859-1"])
        #expect(try await Text().schedule(with: service, stub: stub).value == "\"caf\u{E9}\"")
        #expect(try await Bytes().schedule(with: service, stub: stub).value == content)
        #expect(try await Counted().schedule(with: service, stub: stub).value == 6)
        try await Nothing().schedule(with: service, stub: stub).value
        let request = BookRequest(id: 7)
        await expectFailure(.decodingFailed) { try await request.schedule(with: service, stub: stub).value }
        #expect(try await request.schedule(with: service).value == Book(id: 7))
    }

    @Test func `a declarative request that fails its validation is not sent, and its error is mapped`() async throws {
        struct Checked: DeclarativeRequest {
            typealias Output = Void
            let prepares: Bool
            func validate() throws { if !prepares { throw Fault.first } }
            func prepare(_ request: inout URLRequest) throws { throw Fault.second }
        }
        struct Mapping: APIService {
            struct Failure: Error { var cause: String }
            let baseURL = "shelf.example.com"
            let transport = RecordingTransport()
            var session: (any Transport)? { transport }
            func mapError(_ error: any Error) -> Failure { Failure(cause: "\(error)") }
        }
        let service = Mapping()
        for (prepares, fault) in [(false, Fault.first), (true, Fault.second)] {
            do throws(Mapping.Failure) {
                try await Checked(prepares: prepares).schedule(with: service).value
                Issue.record("nothing was thrown")
            } catch {
                #expect(error.cause == "\(fault)")
            }
        }
        #expect(service.transport.sent.elements.isEmpty)
    }

    @Test func `a declarative request can change the URL request in prepare, which is then checked`() async throws {
        struct Touched: DeclarativeRequest {
            typealias Output = Void
            let value: String
            func prepare(_ request: inout URLRequest) throws {
                request.allHTTPHeaderFields = ["X-Tag": value]
                request.httpMethod = "PURGE"
            }
        }
        let service = Shelf()
        try await Touched(value: "last").schedule(with: service).value
        let sent = try #require(service.transport.sent.elements.first?.urlRequest)
        #expect(sent.value(forHTTPHeaderField: "X-Tag") == "last")
        #expect(sent.httpMethod == "PURGE")
        await expectFailure(.invalidHeaderField) { try await Touched(value: "a\r\nb").schedule(with: service).value }
        #expect(service.transport.sent.elements.count == 1)
    }

    @Test func `validate and prepare of a declarative request can be asynchronous`() async throws {
        struct Signed: DeclarativeRequest {
            typealias Output = Void
            let gate: Gate
            var isValid = true
            let method = RequestMethod.post
            let body = "text"
            func validate() async throws {
                try await gate.pass()
                if !isValid { throw Fault.first }
            }
            func prepare(_ request: inout URLRequest) async throws {
                try await gate.pass()
                request.setValue("\(request.httpBody?.count ?? 0)", forHTTPHeaderField: "X-Signature")
            }
        }
        let service = Shelf()
        let gate = Gate()
        gate.open()
        try await Signed(gate: gate).schedule(with: service).value
        let sent = try #require(service.transport.sent.elements.first?.urlRequest)
        #expect(sent.value(forHTTPHeaderField: "X-Signature") == "4")
        let invalid = Signed(gate: gate, isValid: false).schedule(with: service)
        await #expect(throws: Fault.first) { try await invalid.value }
        #expect(service.transport.sent.elements.count == 1)
    }

    @Test func `a body stream that is set in prepare is rejected`() async throws {
        struct Streaming: DeclarativeRequest {
            typealias Output = Void
            func prepare(_ request: inout URLRequest) { request.httpBodyStream = InputStream(data: Data("x".utf8)) }
        }
        let service = Shelf()
        await expectFailure(.invalidSetting) { try await Streaming().schedule(with: service).value }
        #expect(service.transport.sent.elements.isEmpty)
    }

    @Test func `a declarative request passes the interceptors of its service`() async throws {
        struct Again: Interceptor {
            let journal: Recorder<String>
            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                journal.record(request.description)
                if let response = try? await next(request) { return response }
                return try await next(request)
            }
        }
        let journal = Recorder<String>()
        let request = BookRequest(id: 7)
        let stub = request.stub(inTurn: [
            request.stub(error: URLError(.networkConnectionLost)),
            request.stubJSONResponse(data: Data(#"{"id": 7}"#.utf8)),
        ])
        let response = request.schedule(with: Shelf(noting: Again(journal: journal)), stub: stub)
        #expect(try await response.value == Book(id: 7))
        #expect(try await response.head?.attempts == 2)
        #expect(journal.elements == ["GET https://shelf.example.com/v1/books/7"])
    }

    @Test func `asynchronous service fields do not override fields of a declarative request`() async throws {
        let service = Shelf(token: "Bearer planted")
        _ = try await Whole().schedule(with: service).value
        let sent = try #require(service.transport.sent.elements.first?.urlRequest)
        #expect(sent.value(forHTTPHeaderField: "Authorization") == "Bearer planted")
        #expect(sent.value(forHTTPHeaderField: "X-Tag") == "own")
    }

    @Test func `the head of a declarative request is available even if the response is rejected`() async throws {
        let request = BookRequest(id: 7)
        let stub = request.stubJSONResponse(statusCode: 503, data: Data(), headers: ["Retry-After": "5"])
        let head = try #require(try await request.schedule(with: Shelf(), stub: stub).head)
        #expect(head.statusCode == 503)
        #expect(head.headers["retry-after"] == "5")
    }

    @Test func `cancelling the waiting task cancels a declarative request at once`() async throws {
        let (gate, cancelled) = (Gate(), Gate())
        let stub = Pipeline<DataResponse, any Error> {
            do {
                try await gate.pass()
                return DataResponse(statusCode: 200)
            } catch {
                cancelled.open()
                throw error
            }
        }
        let response = BookRequest(id: 7).schedule(with: Shelf(), stub: stub)
        let task = Task { try await response.value }
        try await gate.waitForArrivals(1)
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        try await cancelled.pass()
    }

    @Test func `a declarative request with an invalid path or query fails`() async {
        struct Named: DeclarativeRequest {
            typealias Output = Void
            let name: String
            let ratio: Double
            var path: RequestPath { "/names/\(name)" }
            var query: URLQuery { ["ratio": ratio] }
        }
        await expectFailure(.invalidURL) { try await Named(name: "..", ratio: 1).schedule(with: Shelf()).value }
        await expectFailure(.invalidURL) { try await Named(name: "a", ratio: .nan).schedule(with: Shelf()).value }
    }
}
