import Errand
import ErrandTesting
import TestSupport
import Testing

struct `A service` {
    struct Full: APIService {
        let transport = RecordingTransport()
        let journal = Recorder<String>()
        let baseURL = "api.example.com/v1"
        let headers: HeaderFields = ["X-Tenant": "service", "X-Token": "service", "X-Only": "service"]
        var session: (any Transport)? { transport }
        var interceptors: [any Interceptor]? { [Noting(journal: journal)] }

        enum Failure: Error {
            case server(status: Int?)
            case elsewhere(String)
        }

        func asynchronousHeaders() async throws -> HeaderFields {
            await Task.yield()
            return ["X-Tenant": "awaited", "X-Token": "awaited"]
        }

        func mapError(_ error: any Error) -> Failure {
            guard let error = error as? ErrandError else { return .elsewhere("\(error)") }
            return .server(status: error.statusCode)
        }
    }

    struct Noting: Interceptor {
        let journal: Recorder<String>
        var name: String?

        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            journal.record(name ?? request.description)
            return try await next(request)
        }
    }

    final class Probe: APIBase, Request {
        func start() -> Pipeline<Data, any Error> { sendRequest().validateStatusCode(in: 200..<300).map(\.data) }
    }

    @Test func `request fields override asynchronous service fields, which override static ones`() async throws {
        let service = Full()
        let request = Probe()
        request.headers["X-Tenant"] = "request"
        _ = try await request.schedule(with: service).value
        let sent = try #require(service.transport.sent.elements.first?.urlRequest)
        #expect(sent.value(forHTTPHeaderField: "X-Tenant") == "request")
        #expect(sent.value(forHTTPHeaderField: "X-Token") == "awaited")
        #expect(sent.value(forHTTPHeaderField: "X-Only") == "service")
    }

    @Test func `fields set in buildURLRequest override the asynchronous fields of a service`() async throws {
        final class Hooked: APIBase, Request {
            override func buildURLRequest() throws -> URLRequest {
                var request = try super.buildURLRequest()
                request.setValue("hook", forHTTPHeaderField: "X-Token")
                return request
            }
            func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
        }
        let service = Full()
        _ = try await Hooked().schedule(with: service).value
        #expect(service.transport.sent.elements.first?.urlRequest.value(forHTTPHeaderField: "X-Token") == "hook")
    }

    @Test func `the interceptors of a service run after those of the request`() async throws {
        let service = Full()
        let request = Probe()
        request.interceptors = [Noting(journal: service.journal, name: "request")]
        _ = try await request.schedule(with: service).value
        #expect(service.journal.elements == ["request", "GET https://api.example.com/v1"])
    }

    @Test func `a service can replace the interceptors of a request with .replacing`() async throws {
        let journal = Recorder<String>()
        let service = PlainService(
            baseURL: "api.example.com", session: RecordingTransport(),
            interceptors: .replacing([Noting(journal: journal, name: "service")]))
        let request = Probe()
        request.interceptors = [Noting(journal: journal, name: "request")]
        _ = try await request.schedule(with: service).value
        #expect(journal.elements == ["service"])
    }

    @Test(arguments: [
        ("staging.example.com", true, "https://staging.example.com"),
        ("localhost:8080", false, "http://localhost:8080"), ("http://a.example/v1", true, "http://a.example/v1"),
        ("ursula:planted@a.example", true, "https://a.example"),
    ])
    func `the description of a service contains its base URL without user info`(
        _ baseURL: String, _ isSecure: Bool, _ shown: String
    ) {
        let service = PlainService(baseURL: baseURL, isSecure: isSecure)
        #expect("\(service)".hasPrefix("PlainService(\(shown), headers: "))
    }

    @Test func `the asynchronous fields of a service override those of the class`() async throws {
        let transport = RecordingTransport()
        let service = PlainService(
            baseURL: "api.example.com", headers: ["X-Static": "service"], session: transport,
            asynchronousHeaders: { ["X-Both": "service"] })
        let request = Probe()
        request.asynchronousHeaders = { ["X-Both": "class", "X-Static": "class", "Authorization": "class"] }
        _ = try await request.schedule(with: service).value
        let sent = try #require(transport.sent.elements.first?.urlRequest)
        #expect(sent.value(forHTTPHeaderField: "Authorization") == "class")
        #expect(sent.value(forHTTPHeaderField: "X-Both") == "service")
        #expect(sent.value(forHTTPHeaderField: "X-Static") == "service")
    }

    @Test func `a service replaces session, retry policy and hook only if it has its own`() async throws {
        struct Responding: RequestHook {
            let text: String
            func willSend(_ request: TransportRequest) async throws -> DataResponse? {
                DataResponse(statusCode: 200, data: Data(text.utf8))
            }
        }
        let request = Probe()
        request.baseURL = URL(string: "https://api.example.com")
        request.hook = Responding(text: "class")
        let kept = try await request.schedule(with: PlainService()).value
        #expect(String(decoding: kept, as: UTF8.self) == "class")
        let replaced = try await request.schedule(with: PlainService(hook: Responding(text: "service"))).value
        #expect(String(decoding: replaced, as: UTF8.self) == "service")
        request.hook = nil
        request.retryPolicy = .exponential(base: .zero)
        let stub = request.stub(inTurn: [request.stubResponse(statusCode: 503), request.stubResponse()])
        request.dataTaskPipeline = stub
        await expectFailure(.unacceptableStatusCode) {
            try await request.schedule(with: PlainService(retryPolicy: .never)).value
        }
    }

    class LibraryAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://production.example.com")
        }
    }

    final class Second: LibraryAPI, Request {
        func start() -> Pipeline<String, any Error> {
            path = "/second"
            return sendRequest().decodeText()
        }
    }

    final class Room: LibraryAPI, WebSocketRequest {
        func startWebSocket() -> WebSocket<String, String> {
            path = "/room"
            return webSocket(.text)
        }
    }

    @Test func `an invalid setting of a service is reported with the method and the path`() async {
        struct Invalid: APIService {
            let baseURL = 7
        }
        let request = Second()
        request.method = .delete
        let error = await expectFailure(.invalidSetting) { try await request.schedule(with: Invalid()).value }
        #expect(error?.method == .delete)
        #expect(error?.url?.path == "/second")
        let socket = await expectFailure(.invalidSetting) {
            try await Room().startWebSocket(with: Invalid()).open()
        }
        #expect(socket?.url?.path == "/room")
    }

    @Test func `a request started with a service can be retried as a pipeline`() async throws {
        let request = Probe()
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stub(error: URLError(.networkConnectionLost)), request.stubResponse(data: Data("x".utf8)),
        ])
        let service = PlainService(baseURL: "api.example.com")
        #expect(try await request.start(with: service).retry(1).value == Data("x".utf8))
    }

    @Test func `a service maps the failures of streams and WebSockets`() async throws {
        final class Feed: LibraryAPI, StreamingRequest, WebSocketRequest {
            func startStream() -> ResponseStream { sendStream() }
            func startWebSocket() -> WebSocket<String, String> { webSocket(.text) }
        }
        struct Own: APIService {
            struct Failure: Error { var status: Int? }
            let baseURL = "api.example.com"
            let acceptedStatusCodes = 200..<300
            func mapError(_ error: any Error) -> Failure { Failure(status: (error as? ErrandError)?.statusCode) }
        }
        let feed = Feed()
        feed.dataTaskPipeline = feed.stubResponse(statusCode: 500)
        let error = await #expect(throws: Own.Failure.self) {
            for try await _ in feed.startStream(with: Own()) {}
        }
        #expect(error?.status == 500)
        feed.session = RecordingTransport()
        await #expect(throws: Own.Failure.self) { try await feed.startWebSocket(with: Own()).open() }
    }

    @Test func `a service decodes its error document before mapError is called`() async throws {
        struct Problems: APIService {
            struct Failure: Error { var title: String? }
            typealias ErrorDocument = ProblemDetails
            let baseURL = "api.example.com"
            func mapError(_ error: any Error) -> Failure {
                Failure(title: (error as? ErrandError)?.payload(as: ProblemDetails.self)?.title)
            }
        }
        let request = Probe()
        request.dataTaskPipeline = request.stubJSONResponse(
            statusCode: 409, data: Data(#"{"title": "taken"}"#.utf8))
        let error = await #expect(throws: Problems.Failure.self) {
            try await request.schedule(with: Problems()).value
        }
        #expect(error?.title == "taken")
    }

    @Test func `a service type can replace the interceptors of a request`() async throws {
        struct Bare: APIService {
            let journal: Recorder<String>
            let transport = RecordingTransport()
            let baseURL = "api.example.com"
            var session: (any Transport)? { transport }
            var interceptors: InterceptorList { .replacing([Noting(journal: journal, name: "service")]) }
        }
        let journal = Recorder<String>()
        let request = Probe()
        request.interceptors = [Noting(journal: journal, name: "request")]
        _ = try await request.schedule(with: Bare(journal: journal)).value
        #expect(journal.elements == ["service"])
    }

    @Test func `an invalid property of a service fails a request that overrides buildURLRequest`() async throws {
        struct Broken: APIService {
            let baseURL = "api.example.com"
            let headers = 5
        }
        final class Own: APIBase, Request {
            override func buildURLRequest() throws -> URLRequest {
                URLRequest(url: try #require(URL(string: "https://elsewhere.example.com")))
            }
            func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
        }
        let request = Own()
        let transport = RecordingTransport()
        request.session = transport
        let error = await expectFailure(.invalidSetting) { try await request.schedule(with: Broken()).value }
        #expect(error?.reason?.contains("headers") == true)
        #expect(transport.sent.elements.isEmpty)
    }

    @Test func `a service maps every failure to its own error type`() async throws {
        let service = Full()
        let request = Probe()
        request.dataTaskPipeline = request.stubResponse(statusCode: 503)
        do throws(Full.Failure) {
            _ = try await request.schedule(with: service).value
            Issue.record("nothing was thrown")
        } catch {
            guard case .server(status: 503) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test(arguments: [true, false])
    func `isSecure selects the scheme of a service base URL without one`(_ isSecure: Bool) async throws {
        struct Local: APIService {
            let baseURL = "localhost:8080"
            let isSecure: Bool
            let transport = RecordingTransport()
            var session: (any Transport)? { transport }
        }
        let service = Local(isSecure: isSecure)
        _ = try await Probe().schedule(with: service).value
        let url = service.transport.sent.elements.first?.urlRequest.url?.absoluteString
        #expect(url == (isSecure ? "https://localhost:8080" : "http://localhost:8080"))
    }

    @Test func `the query of a service base URL may contain a URL`() async throws {
        let transport = RecordingTransport()
        let gate = PlainService(baseURL: "api.example.com/login?next=https://x", session: transport)
        _ = try await Probe().schedule(with: gate).value
        let url = transport.sent.elements.first?.urlRequest.url?.absoluteString
        #expect(url == "https://api.example.com/login?next=https://x")
    }

    @Test func `a service with an invalid base URL fails its requests`() async throws {
        struct Broken: APIService {
            let baseURL = "not a host"
        }
        await expectFailure(.invalidURL) { try await Probe().schedule(with: Broken()).value }
    }

    @Test func `asynchronous fields of a service can be a dictionary, and other types are rejected`() async throws {
        struct Guarded<Fields: Sendable>: APIService {
            let baseURL = URL(string: "https://api.example.com")
            let session = RecordingTransport()
            let fields: Fields
            func asynchronousHeaders() async throws -> Fields { fields }
        }
        let service = Guarded(fields: ["Authorization": "Bearer x"])
        _ = try await Probe().schedule(with: service).value
        let sent = try #require(service.session.sent.elements.first?.urlRequest)
        #expect(sent.value(forHTTPHeaderField: "Authorization") == "Bearer x")
        let other = Guarded(fields: 5)
        let error = await expectFailure(.invalidSetting) { try await Probe().schedule(with: other).value }
        #expect(
            error?.reason == "the property `asynchronousHeaders` of Guarded<Int> is of type Int, "
                + "which is not a HeaderFields or a [String: String]")
        #expect(other.session.sent.elements.isEmpty)
    }

    @Test func `an any APIService value can be used as a service`() async throws {
        let session = RecordingTransport()
        let service: any APIService<any Error> = PlainService(baseURL: "api.example.com", session: session)
        _ = try await Probe().schedule(with: service).value
        #expect(session.sent.elements.count == 1)
    }

    @Test func `a request is not sent if the asynchronous fields of its service fail`() async throws {
        struct Locked: Error {}
        struct Guarded: APIService {
            let baseURL = URL(string: "https://api.example.com")
            let transport = RecordingTransport()
            var session: (any Transport)? { transport }
            func asynchronousHeaders() async throws -> HeaderFields { throw Locked() }
        }
        let service = Guarded()
        await #expect(throws: Locked.self) { try await Probe().schedule(with: service).value }
        #expect(service.transport.sent.elements.isEmpty)
    }

    @Test func `asynchronous fields of a class are added to its requests`() async throws {
        let transport = RecordingTransport()
        let request = Probe()
        request.baseURL = URL(string: "https://api.example.com")
        request.session = transport
        request.headers["X-Own"] = "request"
        request.asynchronousHeaders = { ["X-Own": "awaited", "X-Token": "awaited"] }
        _ = try await request.start().value
        let sent = try #require(transport.sent.elements.first?.urlRequest)
        #expect(sent.value(forHTTPHeaderField: "X-Own") == "request")
        #expect(sent.value(forHTTPHeaderField: "X-Token") == "awaited")
    }
}
