import Errand

/// A piece of a stream of server-sent events (WHATWG HTML, section 9.2) that a `MockServer` sends.
///
/// ```swift
/// .serverSentEvents(["one", .event("two", name: "update", id: "2"), .pause { try await gate.pass() }, "three"])
/// ```
///
/// A string literal is an event with that data.
public enum MockEvent: Sendable {
    /// An event. Each line of its data is sent in a separate field.
    ///
    /// Line breaks in a name or an ID are not allowed and are sent as spaces. The retry time is sent in whole
    /// milliseconds; a negative one counts as zero.
    case event(_ data: String, name: String? = nil, id: String? = nil, retry: Duration? = nil)
    /// The time that a client must wait before it reconnects, without an event.
    case retry(Duration)
    /// A comment, which clients ignore. It keeps a connection active.
    case comment(String)
    /// Sends nothing until the pause returns. If it throws, the connection is closed.
    case pause(MockFault.Pause)
    /// Any text, sent unchanged.
    case raw(String)
}

extension MockEvent: ExpressibleByStringLiteral {
    /// Creates an event with this data.
    public init(stringLiteral data: String) {
        self = .event(data)
    }
}

extension MockEvent {
    /// The bytes to send, as text; empty for a pause.
    var text: String {
        switch self {
        case .event(let data, let name, let id, let retry):
            var text = ""
            if let name { text += "event: \(name.onOneLine)\n" }
            if let id { text += "id: \(id.onOneLine)\n" }
            if let retry { text += "retry: \(retry.wholeMilliseconds)\n" }
            for line in data.eventLines { text += "data: \(line)\n" }
            return text + "\n"
        case .retry(let time): return "retry: \(time.wholeMilliseconds)\n\n"
        case .comment(let text): return text.eventLines.map { ": \($0)\n" }.joined() + "\n"
        case .pause: return ""
        case .raw(let text): return text
        }
    }
}

extension String {
    /// The lines, separated by the line ends of event streams.
    fileprivate var eventLines: [Substring] {
        split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
    }

    fileprivate var onOneLine: String { eventLines.joined(separator: " ") }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (milliseconds, overflows) = seconds.multipliedReportingOverflow(by: 1_000)
        let (sum, overflowsToo) = milliseconds.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return max(0, overflows || overflowsToo ? (seconds < 0 ? 0 : .max) : sum)
    }
}
