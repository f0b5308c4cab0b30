/// An event of a request, which a ``LoggingInterceptor`` reports.
///
/// Secrets are already replaced by `***`, and no text contains control characters, so an entry can be printed
/// unchanged. ``description`` is one line; ``fields`` is for a structured log.
public struct LogEntry: Sendable {
    /// The kind of event.
    public enum Event: String, Hashable, Sendable {
        /// The request was passed on to be sent.
        case request
        /// A response arrived; for a stream, its head.
        case response
        /// The body of a stream was read to its end, or was released before.
        case bodyEnd
        /// The request failed without a complete response.
        case failure
        /// A fault was injected on purpose; ``errorDescription`` names it.
        case fault
    }

    /// The importance of the event.
    public internal(set) var level: LogLevel
    /// The kind of event.
    public internal(set) var event: Event
    /// The identifier that the entries of one request share.
    public internal(set) var requestID: String
    /// The number of the attempt, from 1; `nil` if the entry is about the request as a whole.
    public internal(set) var attempt: Int?
    /// The method.
    public internal(set) var method: String
    /// The URL without user info and fragment, and with `***` for hidden query values.
    public internal(set) var url: String
    /// The name of the operation; see ``TransportRequest/operation``.
    public internal(set) var operation: String?
    /// The template of the path; see ``TransportRequest/template``.
    public internal(set) var template: String?
    /// The time since the request was passed on; `nil` for the event `request`.
    public internal(set) var duration: Duration?

    /// The status code of the response.
    public internal(set) var statusCode: Int?
    /// The source of the response.
    public internal(set) var source: ResponseSource?
    /// The number of bytes of the body, if known: of the request for the event `request`, otherwise of the response.
    public internal(set) var bodySize: Int64?
    /// The timings of the transfer, if the transport provides them.
    public internal(set) var metrics: TransferMetrics?
    /// The code that the failure has as an ``ErrandError``; for an error of an unknown type, the name of the type.
    public internal(set) var errorCode: String?
    /// The description of the failure.
    public internal(set) var errorDescription: String?

    /// The header fields, with `***` for hidden values; `nil` unless ``LoggingInterceptor/level`` is `trace`.
    public internal(set) var headers: HeaderFields?
    /// The body, if it is shown and is text; `nil` unless ``LoggingInterceptor/level`` is `trace`.
    public internal(set) var body: String?
    /// The request as a `curl` command, for the event `request` if ``LogDisclosure/showsCurlCommand`` is set.
    public internal(set) var curlCommand: String?
}

extension LogEntry {
    /// The facts by name, for a structured log: `request_id`, `event`, `method` and `url`; and, if known, `attempt`,
    /// `operation`, `template`, `status`, `source`, `duration_ms`, `bytes`, `error` and `error_description`.
    public var fields: [String: String] {
        var fields = ["request_id": requestID, "event": event.rawValue, "method": method, "url": url]
        fields["attempt"] = attempt.map(String.init)
        fields["operation"] = operation
        fields["template"] = template
        fields["status"] = statusCode.map(String.init)
        fields["source"] = source.map { "\($0)" }
        fields["duration_ms"] = duration.map { String(format: "%.3f", $0 / .milliseconds(1)) }
        fields["bytes"] = bodySize.map(String.init)
        fields["error"] = errorCode
        fields["error_description"] = errorDescription
        return fields
    }
}

extension LogEntry {
    /// Creates the entry of an injected fault, with the identifier of the request's other entries.
    ///
    /// - Parameter fault: The fault, without a value that could be secret.
    package init(fault: String, in request: TransportRequest) {
        self.init(
            level: .notice, event: .fault,
            requestID: request[LogContext.self]?.id ?? LoggingInterceptor.randomID(), attempt: request.attempt,
            method: (request.urlRequest.httpMethod ?? "GET").onOneLogLine,
            url: request.urlRequest.url.map { LogDisclosure().url($0, of: request) } ?? "",
            operation: request.operation, template: request.template)
        errorDescription = "injected fault: \(fault)"
    }
}

extension LogEntry: CustomStringConvertible {
    /// One line: `[3f2a91c0] <- 200 GET https://api.example.com/users?page=*** (Users, 12.3 ms, 5645 bytes)`.
    ///
    /// `->` marks a request, `<-` a response, `--` the end of a stream, `!!` a failure, and `~~` an injected fault.
    public var description: String {
        let outcome = errorDescription.map { ": \($0)" } ?? ""
        let line = ["[\(requestID)]", mark, statusCode.map(String.init), method, url].compactMap(\.self)
        return line.joined(separator: " ") + outcome + details + appendix
    }

    private var mark: String {
        switch event {
        case .request: "->"
        case .response: "<-"
        case .bodyEnd: "--"
        case .failure: "!!"
        case .fault: "~~"
        }
    }

    private var details: String {
        let sourceText = source.flatMap { $0 == .network ? nil : "from \($0)" }
        let details = [
            operation, attempt.map { "attempt \($0)" },
            duration.map { String(format: "%.1f ms", $0 / .milliseconds(1)) },
            bodySize.flatMap { event == .request && $0 == 0 ? nil : "\($0) bytes" }, sourceText,
        ].compactMap(\.self)
        return details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
    }

    private var appendix: String {
        let fields = headers.flatMap { $0.isEmpty ? nil : $0.map { "\($0.name): \($0.value)" }.joined(separator: ", ") }
        return [fields.map { " {\($0)}" }, body.map { " \($0)" }, curlCommand.map { " \($0)" }]
            .compactMap(\.self).joined()
    }
}

/// The importance of a log entry, in the order of syslog (RFC 5424) and of common logging libraries.
public enum LogLevel: Int, Comparable, Sendable, CaseIterable, CustomStringConvertible {
    /// Each attempt when it is sent. If this is the minimum level, all entries of requests and responses also have
    /// header fields, and bodies if they are shown.
    case trace
    /// Each request when it is sent, an attempt's response with a status code below 500, the end of a stream, and
    /// cancellation.
    case debug
    /// Responses with a status code below 400.
    case info
    /// Responses with a status code from 400 to 499, and attempts that failed or got a status code of 500 or higher.
    case notice
    /// Responses with a status code of 500 or higher.
    case warning
    /// Requests that failed without a complete response.
    case error

    /// `trace`, `debug`, `info`, `notice`, `warning` or `error`.
    public var description: String { Self.names[rawValue] }

    /// Returns `true` if `one` is less important than `other`.
    public static func < (one: LogLevel, other: LogLevel) -> Bool { one.rawValue < other.rawValue }

    private static let names = ["trace", "debug", "info", "notice", "warning", "error"]
}

/// The identifier and attempt count that all ``LoggingInterceptor``s of a request share.
final class LogContext: Sendable {
    let id: String
    private let attempts = Locked(0)

    init(id: String) {
        self.id = id
    }

    /// Returns the number of the next attempt.
    func nextAttempt() -> Int {
        attempts.withLock { attempts in
            attempts += 1
            return attempts
        }
    }
}
