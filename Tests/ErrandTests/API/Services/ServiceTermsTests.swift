import Errand
import TestSupport
import Testing

/// Time limits and similar properties, which a service can set for all of its requests.
struct `The terms of a service` {
    private struct Strict: APIService {
        let baseURL = "api.example.com"
        let session: any Transport
        let timeoutInterval = 5
        let resourceTimeout = 7
        let maximumBodySize = 1_000
        let redirectPolicy = RedirectPolicy.ignore
        let priority = RequestPriority.high
        let cachePolicy = URLRequest.CachePolicy.reloadIgnoringLocalCacheData
    }

    private final class PlainRequest: APIBase, Request {
        func start() -> Pipeline<Data, any Error> { sendRequest().map(\.data) }
    }

    private let transport = RecordingTransport(response: DataResponse(statusCode: 200))

    private func sent(_ request: PlainRequest) async throws -> TransportRequest {
        _ = try await request.schedule(with: Strict(session: transport)).value
        return try #require(transport.sent.elements.last)
    }

    @Test func `the settings of a service apply to a class with default settings`() async throws {
        let request = try await sent(PlainRequest())
        #expect(request.urlRequest.timeoutInterval == 5)
        #expect(request.resourceTimeout == .seconds(7))
        #expect(request.maximumBodySize == 1_000)
        #expect(request.priority == .high)
        #expect(request.urlRequest.cachePolicy == .reloadIgnoringLocalCacheData)
        guard case .ignore = request.redirectPolicy else {
            Issue.record("\(request.redirectPolicy)")
            return
        }
    }

    @Test func `the settings of a class override those of the service`() async throws {
        let own = PlainRequest()
        own.timeoutInterval = 90
        own.resourceTimeout = .seconds(100)
        own.maximumBodySize = 5
        own.priority = .low
        own.cachePolicy = .returnCacheDataElseLoad
        own.redirectPolicy = .decide { _, _ in true }
        let request = try await sent(own)
        #expect(request.urlRequest.timeoutInterval == 90)
        #expect(request.resourceTimeout == .seconds(100))
        #expect(request.maximumBodySize == 5)
        #expect(request.priority == .low)
        #expect(request.urlRequest.cachePolicy == .returnCacheDataElseLoad)
        guard case .decide = request.redirectPolicy else {
            Issue.record("\(request.redirectPolicy)")
            return
        }
    }

    @Test func `the settings of a declarative request override those of the service`() async throws {
        struct Plain: DeclarativeRequest { typealias Output = Void }
        struct Own: DeclarativeRequest {
            typealias Output = Void
            let timeoutInterval = 60.0
            var maximumBodySize: Int? { 5 }
        }
        try await Plain().schedule(with: Strict(session: transport)).value
        var request = try #require(transport.sent.elements.last)
        #expect(request.urlRequest.timeoutInterval == 5)
        #expect(request.maximumBodySize == 1_000)
        try await Own().schedule(with: Strict(session: transport)).value
        request = try #require(transport.sent.elements.last)
        #expect(request.urlRequest.timeoutInterval == 60)
        #expect(request.maximumBodySize == 5)
        #expect(request.resourceTimeout == .seconds(7))
    }

    @Test func `the settings of a service apply to streams`() async throws {
        final class Streaming: APIBase, StreamingRequest {
            func startStream() -> ResponseStream { sendStream() }
        }
        let stream = Streaming().startStream(with: Strict(session: transport))
        for try await _ in stream {}
        #expect(try #require(transport.sent.elements.last).urlRequest.timeoutInterval == 5)
    }

    @Test func `isSecure of a declarative request selects HTTP for a base URL without a scheme`() async throws {
        struct Local: DeclarativeRequest {
            typealias Output = Void
            let session: any Transport
            let baseURL = "localhost:8080"
            let isSecure = false
        }
        try await Local(session: transport).schedule().value
        #expect(transport.sent.elements.last?.urlRequest.url?.absoluteString == "http://localhost:8080")
    }
}
