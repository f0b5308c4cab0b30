import Errand

/// Prints the requests that were sent and their responses: `→ GET /users  200 (4.0 KB, 1.3 ms)`.
struct WireLog {
    var output: Output
    var showsTimes = true
    var showsCurl = false

    /// The interceptor that prints. As the last interceptor, it sees all that is sent.
    func interceptor(clock: any Clock<Duration>) -> LoggingInterceptor {
        // At this level, it also logs what is sent below another logging interceptor.
        LoggingInterceptor(
            level: .trace, disclosure: LogDisclosure(showsCurl: showsCurl), clock: clock, sink: { record($0) })
    }

    private func record(_ entry: LogEntry) {
        if let command = entry.curlCommand { output.line(command) }
        if let status = entry.statusCode.map(String.init) ?? (entry.hasNoResponse ? "no response" : nil) {
            output.line("→ \(entry.target)  \(status)\(entry.details(showsTimes: showsTimes))")
        }
    }
}

extension LogDisclosure {
    /// The rules of all logs of the program. Of a query, they show only the items of the program, because those of a
    /// base URL may be secret.
    init(showsCurl: Bool) {
        self.init()
        queryNames = ["id", "userId", "postId", "albumId", "completed", "_page", "_limit"]
        showsBodies = true
        showsCurlCommand = showsCurl
    }
}

extension LogEntry {
    /// Whether the request was sent, and no complete response arrived.
    fileprivate var hasNoResponse: Bool {
        [ErrandError.Code.transportFailed, .timedOut].contains { $0.rawValue == errorCode }
    }

    /// The request without secrets: `GET /posts?userId=1`.
    var target: String {
        let components = URLComponents(string: url)
        let target = [components?.percentEncodedPath, components?.percentEncodedQuery].compactMap(\.self)
        return "\(method) \(target.joined(separator: "?"))"
    }

    /// The size and the duration: ` (4.0 KB, 1.3 ms)`; empty if neither is shown.
    func details(showsTimes: Bool) -> String {
        let size = bodySize.map { $0 < 1000 ? "\($0) bytes" : String(format: "%.1f KB", Double($0) / 1000) }
        let time = showsTimes ? duration.map { String(format: "%.1f ms", $0 / .milliseconds(1)) } : nil
        let details = [size, time].compactMap(\.self).joined(separator: ", ")
        return details.isEmpty ? "" : " (\(details))"
    }
}
