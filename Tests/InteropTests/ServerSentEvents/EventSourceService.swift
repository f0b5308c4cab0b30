import Errand
import ErrandMockServer
import ErrandTesting

/// The test service of `sse-contract-tests`: it opens an ``EventSource`` for each stream that the tests request, and
/// reports its events.
final class EventSourceService: Sendable {
    /// The stream that a test requests.
    private struct Order: Decodable, Sendable {
        var streamUrl: URL
        var callbackUrl: String
        var initialDelayMs: Int?
        var readTimeoutMs: Int?
        var lastEventId: String?
        var headers: [String: String]?
        var method: String?
        var body: String?
    }

    private static let capabilities: JSONValue = [
        "bom", "headers", "last-event-id", "post", "report", "read-timeout", "server-directed-shutdown-request",
    ]

    private let server: MockServer
    private let readers = Locked<[Task<Void, Never>]>([])

    init() throws {
        server = try MockServer()
        server.on(.get, "/", .json(["capabilities": Self.capabilities]))
        server.on(.post, "/") { [readers, url = server.url] request in
            let order = try FastJSONDecoder().decode(Order.self, from: request.body)
            let reader = Task { await Self.read(order) }
            let number = readers.withLock { readers in
                readers.append(reader)
                return readers.count - 1
            }
            return MockResponse(statusCode: 201, headers: ["Location": "\(url)/streams/\(number)"])
        }
        server.on(.delete, "/streams/:number") { [readers] request in
            guard let number = request.parameters["number"].flatMap(Int.init) else { return .status(404) }
            readers.withLock { $0[number] }.cancel()
            return .status(204)
        }
    }

    var url: URL { server.url }

    /// The number of streams that the tests have requested.
    var streams: Int { readers.withLock { $0.count } }

    /// Reads a stream to its end and reports each event, each reconnection and the final error.
    private static func read(_ order: Order) async {
        let reports = Reports(order.callbackUrl)
        var policy = EventSourceReconnection()
        if let milliseconds = order.initialDelayMs { policy.backoff = .constant(.milliseconds(milliseconds)) }
        policy.maximumSilence = order.readTimeoutMs.map { .milliseconds($0) }
        let request = StreamRequest(order.streamUrl, reports)
        if let method = order.method { request.method = RequestMethod(rawValue: method) }
        for (name, value) in order.headers ?? [:] { request.headers[name] = value }
        if let body = order.body { request.body = .text(body) }
        do {
            let events = request.startStream().eventSource(
                lastEventID: order.lastEventId ?? "", reconnection: policy, maximumSize: 32 << 20)
            for try await event in events {
                let content: JSONValue = [
                    "type": .string(event.event), "data": .string(event.data), "id": .string(event.id),
                ]
                try await reports.send(["kind": "event", "event": content])
            }
        } catch {
            try? await reports.send(["kind": "error", "comment": .string("\(error)")])
        }
    }

    /// The request of a stream.
    private final class StreamRequest: APIBase, StreamingRequest {
        init(_ url: URL, _ reports: Reports) {
            super.init()
            baseURL = url
            interceptors = [ReconnectionReporter(reports)]
        }

        func startStream() -> ResponseStream { sendStream() }
    }

    /// Reports each reconnection as an error, since the reader of an ``EventSource`` does not notice it.
    private final class ReconnectionReporter: Interceptor {
        private let reports: Reports
        private let requests = Locked(0)

        init(_ reports: Reports) {
            self.reports = reports
        }

        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            let isFirst = requests.withLock { requests in
                requests += 1
                return requests == 1
            }
            if !isFirst { try await reports.send(["kind": "error", "comment": "reconnects"]) }
            return try await next(request)
        }
    }

    /// The reports on one stream, numbered in their order.
    private actor Reports {
        private let url: String
        private var count = 0

        init(_ url: String) {
            self.url = url
        }

        func send(_ report: JSONValue) async throws {
            count += 1
            _ = try await ReportRequest("\(url)/\(count)", report).start().value
        }
    }

    private final class ReportRequest: APIBase, Request {
        init(_ url: String, _ report: JSONValue) {
            super.init()
            baseURL = URL(string: url)
            method = .post
            body = .json(report)
        }

        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
    }
}
