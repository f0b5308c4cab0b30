import Errand

/// Prints the requests that were sent and their responses: `→ GET /users  200 (4.0 KB, 1.3 ms)`.
struct WireLog: Sendable {
    var output: Output
    var showsTimes = true
    var showsCurl = false
    var showsTimings = false

    func record(_ exchange: Exchange) {
        if showsCurl { output.line(Self.curlCommand(of: exchange.request)) }
        let status = exchange.response.map { "\($0.statusCode)" } ?? "no response"
        output.line("→ \(exchange.target)  \(status)\(exchange.details(showsTimes: showsTimes))")
        if showsTimings, let metrics = exchange.metrics {
            for line in Waterfall(metrics: metrics).lines { output.line(line) }
        }
    }

    private static func curlCommand(of request: URLRequest) -> String {
        // The body of a token request contains a password.
        let hasPassword = request.url?.lastPathComponent == "tokens"
        return request.curlCommand(revealingQuery: Exchange.ownQuery, body: !hasPassword)
    }
}
