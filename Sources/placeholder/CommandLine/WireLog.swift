import Errand

/// Says which requests went over the wire, and what came back: `→ GET /users  200 (4.0 KB, 1.3 ms)`.
struct WireLog: Sendable {
    /// The query items whose values are shown: the program's own, while those of a base URL may be secret.
    private static let ownQuery: Set = ["id", "userId", "postId", "albumId", "completed"]

    let output: Output
    var showsTimes = true
    var showsCurl = false
    var showsTimings = false

    func record(_ exchange: Exchange) {
        if showsCurl { output.line(exchange.request.curlCommand(revealingQuery: Self.ownQuery, body: true)) }
        output.line("→ \(target(of: exchange))  \(outcome(of: exchange))")
        if showsTimings, let metrics = exchange.metrics {
            for line in Waterfall(metrics: metrics).lines { output.line(line) }
        }
    }

    private func target(of exchange: Exchange) -> String {
        let url = exchange.response?.url ?? exchange.request.url
        let components = url.flatMap {
            URLComponents(url: $0.redacted(revealingQuery: Self.ownQuery), resolvingAgainstBaseURL: true)
        }
        let target = [components?.percentEncodedPath, components?.percentEncodedQuery].compactMap(\.self)
        return "\(exchange.request.httpMethod ?? "GET") \(target.joined(separator: "?"))"
    }

    private func outcome(of exchange: Exchange) -> String {
        let status = exchange.response.map { "\($0.statusCode)" } ?? "no answer"
        let size = exchange.response.map { Self.size(of: $0.data.count) }
        let time = showsTimes ? String(format: "%.1f ms", exchange.duration / .milliseconds(1)) : nil
        let details = [size, time].compactMap(\.self).joined(separator: ", ")
        return details.isEmpty ? status : "\(status) (\(details))"
    }

    private static func size(of count: Int) -> String {
        count < 1000 ? "\(count) bytes" : String(format: "%.1f KB", Double(count) / 1000)
    }
}
