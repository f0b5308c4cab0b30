/// One thing that happened to a request, as a ``LoggingInterceptor`` tells it.
///
/// What may be secret is `***` in it already, and no text in it has a control character, whatever the server sent: it can
/// be printed as it is. ``description`` is one line; ``fields`` are the same facts for a structured log.
public struct LogEntry: Sendable {
    /// What happened.
    public enum Event: String, Hashable, Sendable {
        /// It was sent on.
        case request
        /// An answer came; of a stream, its head.
        case response
        /// The body of a stream was read to its end, or is not wanted any more.
        case bodyEnd
        /// No whole answer came.
        case failure
    }

    /// How much it matters.
    public internal(set) var level: LogLevel
    /// What happened.
    public internal(set) var event: Event
    /// What ties the entries of one request together.
    public internal(set) var requestID: String
    /// Which sending of the request this is about, from 1 on; nil where it is about the request as a whole.
    public internal(set) var attempt: Int?
    /// The method.
    public internal(set) var method: String
    /// The URL without user info and fragment, and with `***` for what is hidden of its query.
    public internal(set) var url: String
    /// How long it took until now; nil as it is sent.
    public internal(set) var duration: Duration?

    /// The status code of the answer.
    public internal(set) var statusCode: Int?
    /// Who answered.
    public internal(set) var source: ResponseSource?
    /// How many bytes the body has, where that is known: of the request as it is sent, of the answer afterwards.
    public internal(set) var bodySize: Int64?
    /// Where the time went, as far as the transport tells.
    public internal(set) var metrics: TransferMetrics?
    /// The code of the failure, or the type of an error that is not an ``ErrandError``.
    public internal(set) var errorCode: String?
    /// The failure in words.
    public internal(set) var errorDescription: String?

    /// The header fields, at level `trace`; values that are hidden are `***`.
    public internal(set) var headers: HeaderFields?
    /// The body, at level `trace`, where it is shown and is text.
    public internal(set) var body: String?
    /// The request as a `curl` command, where that was asked for.
    public internal(set) var curlCommand: String?
}

extension LogEntry {
    /// The facts by name, for a structured log: `request_id`, `event`, `method`, `url`, and where they are known
    /// `attempt`, `status`, `source`, `duration_ms`, `bytes`, `error`, `error_description`.
    public var fields: [String: String] {
        var fields = ["request_id": requestID, "event": event.rawValue, "method": method, "url": url]
        fields["attempt"] = attempt.map(String.init)
        fields["status"] = statusCode.map(String.init)
        fields["source"] = source.map { "\($0)" }
        fields["duration_ms"] = duration.map { String(format: "%.3f", $0 / .milliseconds(1)) }
        fields["bytes"] = bodySize.map(String.init)
        fields["error"] = errorCode
        fields["error_description"] = errorDescription
        return fields
    }
}

extension LogEntry: CustomStringConvertible {
    /// One line: `[3f2a91c0] <- 200 GET https://api.example.com/users?page=*** (12.3 ms, 5645 bytes)`.
    ///
    /// `->` stands before what was sent, `<-` before an answer, `--` before the end of a stream and `!!` before a failure.
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
        }
    }

    private var details: String {
        let answerer = source.flatMap { $0 == .network ? nil : "from \($0)" }
        let details = [
            attempt.map { "attempt \($0)" }, duration.map { String(format: "%.1f ms", $0 / .milliseconds(1)) },
            bodySize.flatMap { event == .request && $0 == 0 ? nil : "\($0) bytes" }, answerer,
        ].compactMap(\.self)
        return details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
    }

    private var appendix: String {
        let fields = headers.flatMap { $0.isEmpty ? nil : $0.map { "\($0.name): \($0.value)" }.joined(separator: ", ") }
        return [fields.map { " {\($0)}" }, body.map { " \($0)" }, curlCommand.map { " \($0)" }]
            .compactMap(\.self).joined()
    }
}
