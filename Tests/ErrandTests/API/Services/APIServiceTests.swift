import Errand
import ErrandTesting
import TestSupport
import Testing

struct `A service` {
    enum Failure: Error {
        case server(status: Int?)
        case elsewhere(String)

        init(_ error: any Error) {
            guard let error = error as? ErrandError else {
                self = .elsewhere("\(error)")
                return
            }
            self = .server(status: error.statusCode)
        }
    }

    private let transport = RecordingTransport()
    private let journal = Recorder<String>()

    private var full: APIService<Failure> {
        APIService(
            baseURL: "api.example.com/v1",
            headers: ["X-Tenant": "service", "X-Token": "service", "X-Only": "service"], session: transport,
            interceptors: [Noting(journal: journal)],
            asynchronousHeaders: {
                await Task.yield()
                return ["X-Tenant": "awaited", "X-Token": "awaited"]
            },
            mapError: { Failure($0) })
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
        let request = Probe()
        request.headers["X-Tenant"] = "request"
        _ = try await request.schedule(with: full).value
        let sent = try #require(transport.sent.elements.first?.urlRequest)
        #expect(sent.value(forHTTPHeaderField: "X-Tenant") == "request")
        #expect(sent.value(forHTTPHeaderField: "X-Token") == "awaited")
        #expect(sent.value(forHTTPHeaderField: "X-Only") == "service")
    }

    @Test func `a request can be sent with a service for its response`() async throws {
        let response = try await Probe().sendRequest(with: full).value
        #expect(response.statusCode == 200)
        #expect(transport.sent.elements.map { $0.urlRequest.value(forHTTPHeaderField: "X-Only") } == ["service"])
        let failing = Probe()
        failing.headers["X Y"] = "no token"
        await #expect(throws: Failure.self) { try await failing.sendRequest(with: full).value }
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
        _ = try await Hooked().schedule(with: full).value
        #expect(transport.sent.elements.first?.urlRequest.value(forHTTPHeaderField: "X-Token") == "hook")
    }

    @Test func `the interceptors of a service run after those of the request`() async throws {
        let request = Probe()
        request.interceptors = [Noting(journal: journal, name: "request")]
        _ = try await request.schedule(with: full).value
        #expect(journal.elements == ["request", "GET https://api.example.com/v1"])
    }

    @Test func `a service can replace the interceptors of a request with .replacing`() async throws {
        let journal = Recorder<String>()
        let service = APIService(
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
        let service = APIService(baseURL: BaseURL(baseURL, isSecure: isSecure))
        #expect("\(service)".hasPrefix("APIService(\(shown), headers: "))
    }

    @Test func `the asynchronous fields of a service override those of the class`() async throws {
        let transport = RecordingTransport()
        let service = APIService(
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
        func responding(_ text: String) -> RequestHook {
            RequestHook(willSend: { _ in DataResponse(statusCode: 200, data: Data(text.utf8)) })
        }
        let request = Probe()
        request.baseURL = URL(string: "https://api.example.com")
        request.hook = responding("class")
        let kept = try await request.schedule(with: APIService()).value
        #expect(String(decoding: kept, as: UTF8.self) == "class")
        let replaced = try await request.schedule(with: APIService(hook: responding("service"))).value
        #expect(String(decoding: replaced, as: UTF8.self) == "service")
        request.hook = nil
        request.retryPolicy = .exponential(base: .zero)
        let stub = request.stub(inTurn: [request.stubResponse(statusCode: 503), request.stubResponse()])
        request.dataTaskPipeline = stub
        await expectFailure(.unacceptableStatusCode) {
            try await request.schedule(with: APIService(retryPolicy: .never)).value
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

    @Test func `an invalid setting of a service is reported with the method and the path`() async {
        let invalid = APIService(baseURL: "not a host")
        let request = Second()
        request.method = .delete
        let error = await expectFailure(.invalidURL) { try await request.schedule(with: invalid).value }
        #expect(error?.method == .delete)
        #expect(error?.url?.path == "/second")
    }

    @Test func `a request started with a service can be retried as a pipeline`() async throws {
        let request = Probe()
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stub(error: URLError(.networkConnectionLost)), request.stubResponse(data: Data("x".utf8)),
        ])
        let service = APIService(baseURL: "api.example.com")
        #expect(try await request.start(with: service).retry(1).value == Data("x".utf8))
    }

    @Test func `a service maps the failures of streams`() async throws {
        final class Feed: LibraryAPI, StreamingRequest {
            func startStream() -> ResponseStream { sendStream() }
        }
        struct Own: Error { var status: Int? }
        let own = APIService(
            baseURL: "api.example.com", acceptedStatusCodes: 200..<300,
            mapError: { Own(status: ($0 as? ErrandError)?.statusCode) })
        let feed = Feed()
        feed.dataTaskPipeline = feed.stubResponse(statusCode: 500)
        let error = await #expect(throws: Own.self) {
            for try await _ in feed.startStream(with: own) {}
        }
        #expect(error?.status == 500)
    }

    @Test func `a service decodes its error document before mapError is called`() async throws {
        struct Problem: Error { var title: String? }
        let problems = APIService(
            baseURL: "api.example.com", errorDocument: ProblemDetails.self,
            mapError: { Problem(title: ($0 as? ErrandError)?.payload(as: ProblemDetails.self)?.title) })
        let request = Probe()
        request.dataTaskPipeline = request.stubJSONResponse(
            statusCode: 409, data: Data(#"{"title": "taken"}"#.utf8))
        let error = await #expect(throws: Problem.self) {
            try await request.schedule(with: problems).value
        }
        #expect(error?.title == "taken")
    }

    @Test func `a service maps every failure to its own error type`() async throws {
        let request = Probe()
        request.dataTaskPipeline = request.stubResponse(statusCode: 503)
        do throws(Failure) {
            _ = try await request.schedule(with: full).value
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
        let service = APIService(baseURL: BaseURL("localhost:8080", isSecure: isSecure), session: transport)
        _ = try await Probe().schedule(with: service).value
        let url = transport.sent.elements.first?.urlRequest.url?.absoluteString
        #expect(url == (isSecure ? "https://localhost:8080" : "http://localhost:8080"))
    }

    @Test(
        arguments: [
            ("localhost", "http://localhost"), ("LOCALHOST:80/v1", "http://LOCALHOST:80/v1"),
            ("127.0.0.1:8080", "http://127.0.0.1:8080"), ("[::1]?a=b", "http://[::1]?a=b"),
            ("localhost.example", "https://localhost.example"), ("127.0.0.10", "https://127.0.0.10"),
            ("a.example/localhost", "https://a.example/localhost"), ("https://localhost", "https://localhost"),
            ("", "https://"),
        ])
    func `a base URL of the machine itself gets http, and another one https`(_ text: String, _ url: String) {
        #expect(BaseURL(text).url == URL(string: url))
    }

    @Test func `the query of a service base URL may contain a URL`() async throws {
        let transport = RecordingTransport()
        let gate = APIService(baseURL: "api.example.com/login?next=https://x", session: transport)
        _ = try await Probe().schedule(with: gate).value
        let url = transport.sent.elements.first?.urlRequest.url?.absoluteString
        #expect(url == "https://api.example.com/login?next=https://x")
    }

    @Test func `a service with an invalid base URL fails its requests`() async throws {
        let broken = APIService(baseURL: "not a host")
        await expectFailure(.invalidURL) { try await Probe().schedule(with: broken).value }
    }

    @Test func `a service can be chosen at run time`() async throws {
        let session = RecordingTransport()
        let services: [String: APIService<any Error>] = [
            "test": APIService(baseURL: "test.example.com", session: session),
            "production": APIService(baseURL: "api.example.com", session: session),
        ]
        for name in ["production", "test"] {
            _ = try await Probe().schedule(with: try #require(services[name])).value
        }
        #expect(
            session.sent.elements.map(\.description) == ["GET https://api.example.com", "GET https://test.example.com"])
    }

    @Test func `a service can be made from settings and be changed`() async throws {
        var service = APIService(RequestSettings(baseURL: "api.example.com", session: transport))
        service.settings.headers["X-Tenant"] = "blue"
        _ = try await Probe().schedule(with: service).value
        #expect(transport.sent.elements.last?.urlRequest.value(forHTTPHeaderField: "X-Tenant") == "blue")
    }

    @Test func `a request is not sent if the asynchronous fields of its service fail`() async throws {
        struct Locked: Error {}
        let guarded = APIService(
            baseURL: "api.example.com", session: transport, asynchronousHeaders: { throw Locked() })
        await #expect(throws: Locked.self) { try await Probe().schedule(with: guarded).value }
        #expect(transport.sent.elements.isEmpty)
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
