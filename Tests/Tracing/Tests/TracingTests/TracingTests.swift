import Errand
import ErrandTesting
import Foundation
import Hummingbird
import InMemoryTracing
import Metrics
import MetricsTestKit
import Synchronization
import Testing
import Tracing

private let tracer = InMemoryTracer(idGenerator: .incrementing)
private let metrics = TestMetrics()
private let isReady: Bool = {
    InstrumentationSystem.bootstrap(tracer)
    MetricsSystem.bootstrap(metrics)
    return true
}()

/// A server with a span for each request, as long as a closure runs. It responds to `/v1/books/:id` with status 503,
/// then with a redirect, and then with 200; `/token` responds with 200, and `/v1/slow` never.
private func withServer(
    onSlow: @Sendable @escaping () -> Void = {}, _ body: @Sendable @escaping (URL) async throws -> Void
) async throws {
    let calls = Mutex(0)
    let router = Router()
    router.add(middleware: TracingMiddleware())
    router.get("/v1/books/:id") { _, _ in
        let call = calls.withLock { calls in
            calls += 1
            return calls
        }
        switch call {
        case 1: return Response(status: .serviceUnavailable)
        case 2: return Response(status: .found, headers: [.location: "/v1/novels/7"])
        default: return Response(status: .ok)
        }
    }
    router.get("/v1/novels/:id") { _, _ in Response(status: .ok) }
    router.get("/v1/closed") { request, _ in
        Response(status: request.headers[.authorization] == "Bearer new" ? .ok : .unauthorized)
    }
    router.get("/token") { _, _ in Response(status: .ok) }
    router.get("/v1/slow") { _, _ in
        onSlow()
        // Ends when the task is cancelled.
        let (events, event) = AsyncStream.makeStream(of: Void.self)
        for await _ in events {}
        event.finish()
        return Response(status: .ok)
    }
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let application = Application(
        router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { port.yield($0.localAddress?.port ?? 0) })
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await application.run() }
        for await port in ports {
            try await body(try #require(URL(string: "http://127.0.0.1:\(port)")))
            break
        }
        group.cancelAll()
    }
}

private final class Leaf: APIBase, Errand.Request {
    init(_ server: URL, _ path: RequestPath, _ transport: any Transport, _ observers: [any ExchangeObserver]) {
        super.init()
        baseURL = server
        self.path = path
        session = transport
        self.observers = observers
        retryPolicy = .immediate
    }

    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}

/// The finished spans as a tree, in the order of their beginning.
private func tree(_ spans: [FinishedInMemorySpan], below parent: String? = nil, depth: Int = 0) -> [String] {
    let known = Set(spans.map(\.spanID))
    return
        spans.filter { $0.parentSpanID == parent || (parent == nil && !known.contains($0.parentSpanID ?? "")) }
        .sorted { $0.startInstant.nanosecondsSinceEpoch < $1.startInstant.nanosecondsSinceEpoch }
        .flatMap { span -> [String] in
            var words = [span.operationName + (span.kind == .server ? "" : " ")]
            if span.kind == .server { words[0] = "GET \(span.operationName) " }
            if case .int64(let status)? = span.attributes.get("http.response.status_code") { words.append("\(status)") }
            if span.status?.code == .error { words.append("error") }
            if case .int64(let count)? = span.attributes.get("http.request.resend_count") {
                words.append("resend \(count)")
            }
            let line = String(repeating: "  ", count: depth) + words.joined(separator: " ")
            return [line] + tree(spans, below: span.spanID, depth: depth + 1)
        }
}

/// Waits until the spans of the server have ended too, after their responses: the tracer reports it by no event.
private func spans(_ count: Int) async throws -> [FinishedInMemorySpan] {
    while tracer.finishedSpans.count < count { try await Task.sleep(for: .milliseconds(1)) }
    return tracer.popFinishedSpans()
}

@Suite(.serialized) struct `The guide to observing` {
    private static let transports: [any Transport] = [CurlTransport(), URLSessionTransport()]

    init() {
        #expect(isReady)
        tracer.clearAll(includingActive: true)
    }

    @Test(arguments: [0, 1])
    func `shows the trace of a retry and a redirect`(_ transport: Int) async throws {
        try await withServer { server in
            _ = try await Leaf(server, "/v1/books/\(7, as: "id")", Self.transports[transport], [Spans()]).start().value
        }
        let picture = tree(try await spans(6))
        #expect(picture == guidePicture)
        print(picture.joined(separator: "\n"))
    }

    @Test(arguments: [0, 1])
    func `has the task's span as the parent, also of a redirect and a refresh`(_ transport: Int) async throws {
        try await withServer { server in
            try await withSpan("work") { _ in
                let session = Self.transports[transport]
                let leaf = Leaf(server, "/v1/closed", session, [Spans()])
                let token = Leaf(server, "/token", session, [Spans()]).start()
                leaf.interceptors = [
                    TokenAuthentication(token: AccessToken("old")) { _ in
                        _ = try await token.value
                        return AccessToken("new")
                    }
                ]
                _ = try await leaf.start().value
            }
        }
        #expect(
            tree(try await spans(7)) == [
                "work ", "  GET /v1/closed  401 error", "    GET /v1/closed  401", "  GET /token  200",
                "    GET /token  200", "  GET /v1/closed  200 resend 1", "    GET /v1/closed  200",
            ])
    }

    @Test func `has no error for a cancellation`() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let arrive: @Sendable () -> Void = { arrival.yield() }
        try await withServer(onSlow: arrive) { server in
            let start = Leaf(server, "/v1/slow", CurlTransport(), [Spans()]).start()
            let task = Task { try await start.value }
            for await _ in arrivals { break }
            task.cancel()
            _ = await task.result
        }
        let span = try #require(try await spans(1).first { $0.kind == .client })
        #expect(span.operationName == "GET /v1/slow")
        #expect(span.status == nil)
        #expect(span.attributes.get("error.type") == nil)
    }

    @Test func `counts and measures`() async throws {
        let request = APIBase()
        request.baseURL = URL(string: "https://api.example.com")
        request.path = "/books/\(7, as: "id")"
        request.observers = [RequestMetrics()]
        request.dataTaskPipeline = request.stubResponse(data: Data("abc".utf8))
        _ = try await request.sendRequest().value
        let labels = [
            ("http.request.method", "GET"), ("http.response.status_code", "200"),
            ("server.address", "api.example.com"), ("server.port", "443"), ("url.scheme", "https"),
            ("url.template", "/books/{id}"),
        ]
        #expect(try metrics.expectRecorder("http.client.request.duration", labels).values.count == 1)
        #expect(try metrics.expectRecorder("http.client.response.body.size", labels).values == [3])
        let active = try metrics.expectMeter("http.client.active_requests", labels.filter { !$0.0.contains("status") })
        #expect(active.values == [1, 0] || active.values.last == 0)
    }

    @Test func `limits the number of labels`() async throws {
        let observer = RequestMetrics()
        for number in 1...2_001 { _ = observer.labels(["server.address": .text("h\(number)")]) }
        #expect(observer.labels(["server.address": .text("h2001")]).map(\.1) == ["_OTHER"])
        #expect(observer.labels(["server.address": .text("h7")]).map(\.1) == ["h7"])
    }
}
