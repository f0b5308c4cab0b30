import Errand
import TestSupport
import Testing

/// Every natural spelling of a property works, or fails with an error that names the property. No property is ignored.
struct `A property of a struct` {
    private struct Doubling: Interceptor {
        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            var request = request
            request.urlRequest.setValue("yes", forHTTPHeaderField: "X-Intercepted")
            return try await next(request)
        }
    }

    private struct Responding: RequestHook {
        func willSend(_ request: TransportRequest) async throws -> DataResponse? {
            DataResponse(statusCode: 200, data: Data("hooked".utf8))
        }
    }

    private struct Home: APIService {
        let baseURL = "https://api.example.com/v1"
        let session: any Transport
    }

    private struct Draft: Codable, Equatable {
        var title: String
    }

    private let transport = RecordingTransport(
        response: DataResponse(
            statusCode: 200, headers: ["Content-Type": "application/json"], data: Data(#"{"title": "a"}"#.utf8)))

    private func sent(_ request: some DeclarativeRequest) async throws -> TransportRequest {
        _ = try await request.schedule(with: Home(session: transport)).value
        return try #require(transport.sent.elements.last)
    }

    private final class Probe: APIBase, Request {
        func start() -> Pipeline<Data, any Error> { sendRequest().map(\.data) }
    }

    private func sent(to service: some APIService) async throws -> TransportRequest {
        let probe = Probe()
        probe.session = transport
        _ = try await probe.schedule(with: service).value
        return try #require(transport.sent.elements.last)
    }

    @Test func `a request property can be a literal`() async throws {
        struct Literal: JSONRequest {
            typealias Output = Draft
            let path = "/x"
            let method = "POST"
            let query = ["q": "1", "a": "2"]
            let headers = ["X-A": "b"]
            let body = "hello"
            let timeoutInterval = 5
            let resourceTimeout = 7
            let acceptedStatusCodes = [200, 404]
            let acceptedContentTypes = ["application/json", "*/*+json"]
        }
        let request = try await sent(Literal())
        #expect(request.description == "POST https://api.example.com/v1/x?a=***&q=***")
        #expect(request.urlRequest.url?.query == "a=2&q=1")
        #expect(request.urlRequest.value(forHTTPHeaderField: "X-A") == "b")
        #expect(request.urlRequest.value(forHTTPHeaderField: "Accept") == "application/json")
        #expect(request.urlRequest.httpBody == Data("hello".utf8))
        #expect(request.urlRequest.timeoutInterval == 5)
        #expect(request.resourceTimeout == .seconds(7))
        let missing = Literal().stubJSONResponse(statusCode: 404, data: Data(#"{"title": "b"}"#.utf8))
        #expect(try await Literal().schedule(with: Home(session: transport), stub: missing).value == Draft(title: "b"))
        let text = Literal().stubResponse(data: Data("b".utf8), headers: ["Content-Type": "text/plain"])
        await expectFailure(.unacceptableContentType) {
            try await Literal().schedule(with: Home(session: transport), stub: text).value
        }
    }

    @Test func `a request property can be computed, optional, a wrapper or an encodable value`() async throws {
        struct Computed: DeclarativeRequest {
            typealias Output = Void
            var path: String { "/books/\(7)" }
            var method: RequestMethod? { .put }
            var url: String? { nil }
            var query: [String: Int] { ["page": 2] }
            var headers: HeaderFields? { ["X-A": "b"] }
            var body: Draft { Draft(title: "new") }
            var timeoutInterval: Duration { .milliseconds(1_500) }
            var acceptedStatusCodes: ClosedRange<Int> { 200...204 }
        }
        let request = try await sent(Computed())
        #expect(request.urlRequest.url?.absoluteString == "https://api.example.com/v1/books/7?page=2")
        #expect(request.urlRequest.httpMethod == "PUT")
        #expect(request.urlRequest.value(forHTTPHeaderField: "X-A") == "b")
        #expect(request.urlRequest.value(forHTTPHeaderField: "Content-Type") == "application/json")
        let body = try #require(request.urlRequest.httpBody)
        #expect(try JSONDecoder().decode(Draft.self, from: body) == Draft(title: "new"))
        #expect(request.urlRequest.timeoutInterval == 1.5)
    }

    @Test func `base URL, session, interceptors and retry policy work in a request and in a service`() async throws {
        struct Own: DeclarativeRequest {
            typealias Output = Data
            let baseURL = "https://own.example.com"
            let session: any Transport
            let interceptors: [any Interceptor] = [Doubling()]
            let retryPolicy = RetryPolicy.exponential()
        }
        _ = try await Own(session: transport).schedule().value
        let request = try #require(transport.sent.elements.last)
        #expect(request.description == "GET https://own.example.com")
        #expect(request.urlRequest.value(forHTTPHeaderField: "X-Intercepted") == "yes")

        struct Everything: APIService {
            let baseURL = URL(string: "https://service.example.com")!
            let headers = ["X-A": "b"]
            let interceptors = [Doubling()]
            let retryPolicy = RetryPolicy.exponential()
            let acceptedStatusCodes = 200..<300
        }
        let other = try await sent(to: Everything())
        #expect(other.description == "GET https://service.example.com")
        #expect(other.urlRequest.value(forHTTPHeaderField: "X-A") == "b")
        #expect(other.urlRequest.value(forHTTPHeaderField: "X-Intercepted") == "yes")
    }

    @Test func `the hook of a service is called`() async throws {
        struct Hooked: APIService {
            let baseURL = "api.example.com"
            let hook: any RequestHook = Responding()
        }
        struct Concrete: APIService {
            let baseURL = "api.example.com"
            let hook = Responding()
        }
        struct Probe: DeclarativeRequest { typealias Output = String }
        #expect(try await Probe().schedule(with: Hooked()).value == "hooked")
        #expect(try await Probe().schedule(with: Concrete()).value == "hooked")
    }

    @Test func `the retry policy of a service repeats the request`() async throws {
        struct Patient: APIService {
            let baseURL = "api.example.com"
            let retryPolicy = RetryPolicy.exponential(base: .zero)
        }
        struct Probe: DeclarativeRequest { typealias Output = Void }
        let request = Probe()
        let stub = request.stub(inTurn: [request.stubResponse(statusCode: 503), request.stubResponse()])
        try await request.schedule(with: Patient(), stub: stub).value
    }

    private struct WrongPath: DeclarativeRequest {
        typealias Output = Void
        let path = 5
    }
    private struct WrongQuery: DeclarativeRequest {
        typealias Output = Void
        var query: Bool { true }
    }
    private struct WrongPriority: DeclarativeRequest {
        typealias Output = Void
        let priority = 3
    }
    private struct WrongCodes: DeclarativeRequest {
        typealias Output = Void
        let acceptedStatusCodes = "2xx"
    }

    @Test func `a property of the wrong type fails with its name, its type and the required type`() async throws {
        func reason(_ request: some DeclarativeRequest) async -> String? {
            await expectFailure(.invalidSetting) { try await request.schedule(with: Home(session: transport)).value }?
                .reason
        }
        #expect(
            await reason(WrongPath())
                == "the property `path` of WrongPath is of type Int, which is not a RequestPath or a String")
        #expect(await reason(WrongQuery())?.hasPrefix("the property `query` of WrongQuery is of type Bool") == true)
        #expect(
            await reason(WrongPriority())
                == "the property `priority` of WrongPriority is of type Int, which is not a RequestPriority")
        #expect(await reason(WrongCodes())?.contains("a range, an array or a set of Int") == true)
        #expect(transport.sent.elements.isEmpty)
    }

    @Test func `a service property of the wrong type fails with its name, its type and the required type`() async throws
    {
        struct Mistaken: APIService {
            let baseURL = "api.example.com"
            let interceptors = "none"
        }
        let error = await expectFailure(.invalidSetting) { try await sent(to: Mistaken()) }
        #expect(
            error?.reason
                == "the property `interceptors` of Mistaken is of type String, which is not an array of interceptors")
        #expect(transport.sent.elements.isEmpty)
    }
}
