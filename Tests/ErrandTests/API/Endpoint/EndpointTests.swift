import Errand
import TestSupport
import Testing

struct `A struct request` {
    struct Book: Codable, Equatable { var id: Int }

    struct BookRequest: EndpointRequest {
        let id: Int
        var endpoint: Endpoint<Book> { .get("/books/\(id)") }
    }

    struct Whole: EndpointRequest {
        var endpoint: Endpoint<Data> {
            .put(
                "/books", query: ["page": 2], headers: ["X-Tag": "own"], body: .text("content"),
                settings: RequestSettings(
                    acceptedStatusCodes: 200..<400, timeoutInterval: 7, resourceTimeout: .seconds(8),
                    maximumBodySize: 9, redirectPolicy: .ignore, priority: .high))
        }
    }

    private let transport = RecordingTransport(
        response: DataResponse(statusCode: 200, data: Data(#"{"id": 7}"#.utf8)))

    private var shelf: APIService<any Error> {
        APIService(
            baseURL: "https://shelf.example.com/v1", headers: ["X-Tag": "service", "X-Tenant": "service"],
            session: transport)
    }

    @Test func `an endpoint with only a method is a request for the base URL`() async throws {
        try await shelf.send(.get()).value
        let sent = try #require(transport.sent.elements.first)
        #expect(sent.description == "GET https://shelf.example.com/v1")
        #expect(sent.urlRequest.httpBody == nil)
        #expect(sent.urlRequest.timeoutInterval == 60)
        #expect(sent.priority == .normal)
        #expect(sent.maximumBodySize == APIBase.defaultMaximumBodySize)
    }

    @Test func `a struct request sends all of its properties`() async throws {
        _ = try await Whole().schedule(with: shelf).value
        let sent = try #require(transport.sent.elements.first)
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

    @Test func `a struct request is sent once for any number of waiting tasks`() async throws {
        let response = BookRequest(id: 7).schedule(with: shelf)
        #expect(transport.sent.elements.isEmpty)
        #expect(try await response.value == Book(id: 7))
        #expect(try await response.value == Book(id: 7))
        #expect(transport.sent.elements.count == 1)
    }

    @Test func `the whole URL of an endpoint replaces the base URL`() async throws {
        let url = URL(string: "https://elsewhere.example/next?cursor=a%20b#top")
        try await shelf.send(.get("/more", url: url, query: ["page": 2])).value
        let sent = try #require(transport.sent.elements.first?.urlRequest)
        #expect(sent.url?.absoluteString == "https://elsewhere.example/next/more?cursor=a%20b&page=2")
        #expect(sent.value(forHTTPHeaderField: "X-Tenant") == nil)
    }

    @Test func `a body that is prepared beside a stream fails the request`() async throws {
        let pieces = AsyncStream { $0.finish() } as AsyncStream<Data>
        let endpoint = Endpoint<Void>(.post, "/books", body: .stream(BodyStream(pieces)))
            .prepare { $0.httpBody = Data("other".utf8) }
        await expectFailure(.bodyCountMismatch) { try await shelf.send(endpoint).value }
        #expect(transport.sent.elements.isEmpty)
    }

    @Test func `the query of a class and that of an endpoint keep their styles`() async throws {
        let api = APIBase()
        api.baseURL = URL(string: "https://shelf.example.com")
        api.session = transport
        let own: URLQuery = ["tag": ["a,b", "c"], "on": true, "f": QueryValue.flag]
        api.query = URLQuery(own, lists: .commas, booleans: .digits)
        try await api.send(.get("/books", query: ["id": [1, 2], "all": true])).value
        let query = transport.sent.elements.last?.urlRequest.url?.query(percentEncoded: true)
        #expect(query == "tag=a%2Cb,c&on=1&f&id=1&id=2&all=true")
        api.query = URLQuery(["ratio": Double.nan], lists: .commas)
        let error = await expectFailure(.invalidURL) { try await api.send(.get("/books")).value }
        #expect(error?.reason == "the query item ratio is not a finite number")
    }

    @Test func `a struct request with a whole URL does not need a service`() async throws {
        struct Ping: EndpointRequest {
            var url: URL?
            var endpoint: Endpoint<String> { .get(url: url) }
        }
        let ping = Ping(url: URL(string: "https://example.com/ping"))
        let response = ping.schedule(stub: ping.stubResponse(data: Data("pong".utf8)))
        #expect(try await response.value == "pong")
        #expect(try await response.head?.url?.absoluteString == "https://example.com/ping")
        await expectFailure(.missingBaseURL) { try await Ping().schedule(stub: ping.stubResponse()).value }
    }

    @Test func `a struct request rejects a status code that it does not accept`() async throws {
        let request = BookRequest(id: 7)
        let stub = request.stubJSONResponse(statusCode: 404, data: Data(#"{"id": 7}"#.utf8))
        let error = await expectFailure(.unacceptableStatusCode) {
            try await request.schedule(with: shelf, stub: stub).value
        }
        #expect(error?.statusCode == 404)
        #expect(error?.url?.path == "/v1/books/7")
        #expect(try await Whole().schedule(with: shelf, stub: Whole().stubResponse(statusCode: 304)).value.isEmpty)
    }

    @Test func `a struct request decodes JSON, text, data, Void or a custom output`() async throws {
        let content = Data("\"caf\u{E9}\"".unicodeScalars.map { UInt8($0.value) })
        let request = BookRequest(id: 7)
        let stub = request.stubResponse(data: content, headers: ["Content-Type": "text/plain; charset=ISO-8859-1"])
        #expect(try await shelf.send(.get(as: String.self), stub: stub).value == "\"caf\u{E9}\"")
        #expect(try await shelf.send(.get(as: Data.self), stub: stub).value == content)
        #expect(try await shelf.send(Endpoint(.get, decode: \.data.count), stub: stub).value == 6)
        let coded = request.stubJSONResponse(data: Data(#""AA==""#.utf8))
        #expect(try await shelf.send(.get(as: Data?.self), stub: coded).value == Data([0]))
        try await shelf.send(.get(), stub: stub).value
        await expectFailure(.decodingFailed) { try await request.schedule(with: shelf, stub: stub).value }
        #expect(try await request.schedule(with: shelf).value == Book(id: 7))
    }

    @Test func `a struct request that fails its validation is not sent, and its error is mapped`() async throws {
        struct Checked: EndpointRequest {
            let prepares: Bool
            var endpoint: Endpoint<Void> {
                .get().validate { [prepares] in if !prepares { throw Fault.first } }
                    .prepare { _ in throw Fault.second }
            }
        }
        struct Failure: Error { var cause: String }
        let service = APIService(
            baseURL: "shelf.example.com", session: transport, mapError: { Failure(cause: "\($0)") })
        for (prepares, fault) in [(false, Fault.first), (true, Fault.second)] {
            do throws(Failure) {
                try await Checked(prepares: prepares).schedule(with: service).value
                Issue.record("nothing was thrown")
            } catch {
                #expect(error.cause == "\(fault)")
            }
        }
        #expect(transport.sent.elements.isEmpty)
    }

    @Test func `a struct request can change the URL request in prepare, which is then checked`() async throws {
        struct Touched: EndpointRequest {
            let value: String
            var endpoint: Endpoint<Void> {
                .get().prepare { [value] request in
                    request.allHTTPHeaderFields = ["X-Tag": value]
                    request.httpMethod = "PURGE"
                }
            }
        }
        try await Touched(value: "last").schedule(with: shelf).value
        let sent = try #require(transport.sent.elements.first?.urlRequest)
        #expect(sent.value(forHTTPHeaderField: "X-Tag") == "last")
        #expect(sent.httpMethod == "PURGE")
        await expectFailure(.invalidHeaderField) { try await Touched(value: "a\r\nb").schedule(with: shelf).value }
        #expect(transport.sent.elements.count == 1)
    }

    @Test func `validate and prepare of a struct request can be asynchronous`() async throws {
        struct Signed: EndpointRequest {
            let gate: Gate
            var isValid = true
            var endpoint: Endpoint<Void> {
                .post(body: .text("text"))
                    .validate { [gate, isValid] in
                        try await gate.pass()
                        if !isValid { throw Fault.first }
                    }
                    .prepare { [gate] request in
                        try await gate.pass()
                        request.setValue("\(request.httpBody?.count ?? 0)", forHTTPHeaderField: "X-Signature")
                    }
            }
        }
        let gate = Gate()
        gate.open()
        try await Signed(gate: gate).schedule(with: shelf).value
        let sent = try #require(transport.sent.elements.first?.urlRequest)
        #expect(sent.value(forHTTPHeaderField: "X-Signature") == "4")
        let invalid = Signed(gate: gate, isValid: false).schedule(with: shelf)
        await #expect(throws: Fault.first) { try await invalid.value }
        #expect(transport.sent.elements.count == 1)
    }

    @Test func `a body stream that is set in prepare is rejected`() async throws {
        let streaming = Endpoint<Void>(.post).prepare { $0.httpBodyStream = InputStream(data: Data("x".utf8)) }
        await expectFailure(.invalidSetting) { try await shelf.send(streaming).value }
        #expect(transport.sent.elements.isEmpty)
    }

    @Test func `a struct request passes the interceptors of its service`() async throws {
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
        let service = APIService(
            baseURL: "https://shelf.example.com/v1", interceptors: [Again(journal: journal)])
        let response = request.schedule(with: service, stub: stub)
        #expect(try await response.value == Book(id: 7))
        #expect(try await response.head?.attempts == 2)
        #expect(journal.elements == ["GET https://shelf.example.com/v1/books/7"])
    }

    @Test func `asynchronous service fields do not override fields of a struct request`() async throws {
        let service = APIService(
            baseURL: "shelf.example.com", session: transport,
            asynchronousHeaders: {
                await Task.yield()
                return ["Authorization": "Bearer planted", "X-Tag": "awaited"]
            })
        _ = try await Whole().schedule(with: service).value
        let sent = try #require(transport.sent.elements.first?.urlRequest)
        #expect(sent.value(forHTTPHeaderField: "Authorization") == "Bearer planted")
        #expect(sent.value(forHTTPHeaderField: "X-Tag") == "own")
    }

    @Test func `the head of a struct request is available even if the response is rejected`() async throws {
        let request = BookRequest(id: 7)
        let stub = request.stubJSONResponse(statusCode: 503, data: Data(), headers: ["Retry-After": "5"])
        let head = try #require(try await request.schedule(with: shelf, stub: stub).head)
        #expect(head.statusCode == 503)
        #expect(head.headers["retry-after"] == "5")
    }

    @Test func `cancelling the waiting task cancels a struct request at once`() async throws {
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
        let response = BookRequest(id: 7).schedule(with: shelf, stub: stub)
        let task = Task { try await response.value }
        try await gate.waitForArrivals(1)
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        try await cancelled.pass()
    }

    @Test func `a struct request with an invalid path or query fails`() async {
        struct Named: EndpointRequest {
            let name: String
            let ratio: Double
            var endpoint: Endpoint<Void> { .get("/names/\(name)", query: ["ratio": ratio]) }
        }
        await expectFailure(.invalidURL) { try await Named(name: "..", ratio: 1).schedule(with: shelf).value }
        await expectFailure(.invalidURL) { try await Named(name: "a", ratio: .nan).schedule(with: shelf).value }
    }
}
