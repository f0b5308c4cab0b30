import Errand

/// Prints the requests that were sent and their responses: `→ GET /users  200 (4.0 KB, 1.3 ms)`.
struct WireLog: Sendable {
    var output: Output
    var showsTimes = true
    var showsCurl = false

    func record(_ exchange: Exchange) {
        if showsCurl { output.line(Self.curlCommand(of: exchange.request)) }
        let status = exchange.response.map { "\($0.statusCode)" } ?? "no response"
        output.line("→ \(exchange.target)  \(status)\(exchange.details(showsTimes: showsTimes))")
    }

    private static func curlCommand(of request: URLRequest) -> String {
        // The body of a token request contains a password.
        let hasPassword = request.url?.lastPathComponent == "tokens"
        return request.curlCommand(revealingQuery: Exchange.ownQuery, body: !hasPassword)
    }
}

extension Exchange {
    /// The query items whose values are shown: only those of the program. Those of a base URL may be secret.
    static let ownQuery: Set = ["id", "userId", "postId", "albumId", "completed", "_page", "_limit"]

    /// The request without secrets: `GET /posts?userId=1`.
    var target: String {
        let url = response?.url ?? request.url
        let components = url.flatMap {
            URLComponents(url: $0.redacted(revealingQuery: Self.ownQuery), resolvingAgainstBaseURL: true)
        }
        let target = [components?.percentEncodedPath, components?.percentEncodedQuery].compactMap(\.self)
        return "\(request.httpMethod ?? "GET") \(target.joined(separator: "?"))"
    }

    /// The size and the duration: ` (4.0 KB, 1.3 ms)`; empty if neither is shown.
    func details(showsTimes: Bool) -> String {
        let size = response.map { Self.size(of: $0.data.count) }
        let time = showsTimes ? String(format: "%.1f ms", duration / .milliseconds(1)) : nil
        let details = [size, time].compactMap(\.self).joined(separator: ", ")
        return details.isEmpty ? "" : " (\(details))"
    }

    private static func size(of count: Int) -> String {
        count < 1000 ? "\(count) bytes" : String(format: "%.1f KB", Double(count) / 1000)
    }
}
