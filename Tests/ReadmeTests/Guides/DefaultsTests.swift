#if canImport(CCurl)
import Errand
import ErrandWebSocket
import Testing

/// The guide to defaults, compared with the values of the library.
struct `The guide to defaults` {
    private static let pages = [
        "Errand/Errand.docc/Defaults.md", "ErrandWebSocket/ErrandWebSocket.docc/ErrandWebSocket.md",
    ].map {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/\($0)").standardized
    }

    /// The first two columns of the tables' rows, by the name of the property.
    private static func rows() throws -> [String: String] {
        let text = try pages.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        let rows = text.matches(of: #/(?m)^\| ``(\S+)`` \| ([^|]+) \|/#).map { (String($0.1), String($0.2)) }
        return Dictionary(rows) { first, _ in
            Issue.record("\(first) is twice in the guide")
            return first
        }
    }

    private static func seconds(_ duration: Duration) -> String { "\(duration.components.seconds) s" }

    private static func size(_ bytes: Int) -> String {
        bytes % (1 << 20) == 0 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB"
    }

    private static var values: [String: String] {
        let request = APIBase()
        request.baseURL = URL(string: "https://api.example.com")
        let built = try? request.buildURLRequest()
        let connections = CurlConfiguration()
        let webSocket = WebSocketOptions()
        let retries = RetryPolicy.exponential()
        let events = EventSourceReconnection()
        let pages = PageLimits()
        return [
            "APIBase/timeoutInterval": seconds(.seconds(built?.timeoutInterval ?? 0)),
            "APIBase/resourceTimeout": request.resourceTimeout.map(seconds) ?? "that of the transport",
            "APIBase/maximumBodySize": size(APIBase.defaultMaximumBodySize),
            "CurlConfiguration/connectTimeout": seconds(connections.connectTimeout),
            "CurlConfiguration/resourceTimeout": seconds(connections.resourceTimeout),
            "CurlConfiguration/keepAliveInterval": seconds(connections.keepAliveInterval),
            "CurlConfiguration/unacknowledgedTimeout": seconds(connections.unacknowledgedTimeout),
            "CurlConfiguration/idleConnectionLifetime": seconds(connections.idleConnectionLifetime),
            "CurlConfiguration/maximumHeadSize": size(connections.maximumHeadSize),
            "CurlConfiguration/maximumConnectionsPerHost": "\(connections.maximumConnectionsPerHost)",
            "CurlConfiguration/maximumConnections": "\(connections.maximumConnections)",
            "CurlConfiguration/executorThreads": "\(connections.executorThreads)",
            "WebSocketOptions/closeTimeout": seconds(webSocket.closeTimeout),
            "WebSocketOptions/maximumMessageSize": size(webSocket.maximumMessageSize),
            "WebSocketOptions/maximumFrameSize": size(webSocket.maximumFrameSize),
            "WebSocketOptions/maximumFragmentSize": size(webSocket.maximumFragmentSize),
            "WebSocketOptions/incomingBufferSize": size(webSocket.incomingBufferSize),
            "LogDisclosure/bodyLimit": size(LogDisclosure().bodyLimit),
            "RetryPolicy/maximumAttempts": "\(retries.maximumAttempts)",
            "RetryPolicy/maximumWait": seconds(retries.maximumWait),
            "RetryPolicy/maximumServerWait": seconds(retries.maximumServerWait),
            "RetryPolicy/maximumTotalWait": seconds(retries.maximumTotalWait),
            "EventSourceReconnection/maximumWait": seconds(events.maximumWait),
            "EventSourceReconnection/maximumServerWait": seconds(events.maximumServerWait),
            "EventSourceReconnection/maximumAttempts": "\(events.maximumAttempts)",
            "WebSocketReconnection/maximumWait": seconds(WebSocketReconnection().maximumWait),
            "PageLimits/pages": "\(pages.pages)",
            "PageLimits/emptyPagesInARow": "\(pages.emptyPagesInARow)",
            "/ErrandJSON/FastJSONDecoder/maximumDepth": "\(FastJSONDecoder().maximumDepth)",
            "/ErrandJSON/FastJSONEncoder/maximumDepth": "\(FastJSONEncoder().maximumDepth)",
        ]
    }

    @Test func `the guide to defaults has the value of each property`() throws {
        let rows = try Self.rows()
        let values = Self.values
        #expect(rows.count == values.count)
        for (name, value) in values { #expect(rows[name] == value, "\(name)") }
    }
}
#endif
