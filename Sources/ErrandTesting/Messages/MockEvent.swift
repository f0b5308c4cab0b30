import Errand

/// A piece of a stream of server-sent events (WHATWG HTML, section 9.2) that a ``MockServer`` sends.
///
/// ```swift
/// .serverSentEvents(["one", .event("two", name: "update", id: "2"), .pause { try await gate.pass() }, "three"])
/// ```
///
/// A text is an event with that data.
public enum MockEvent: Sendable {
    /// An event: its data, whose lines are sent each in a field of its own, and what else it says.
    ///
    /// A line break in a name or an ID, which can have none, is sent as a space; a time to wait is sent in whole
    /// milliseconds, and less than none as none.
    case event(_ data: String, name: String? = nil, id: String? = nil, retry: Duration? = nil)
    /// How long a client is to wait before it connects again, with no event.
    case retry(Duration)
    /// What clients pass over, which keeps a connection busy.
    case comment(String)
    /// Nothing, until this is over; when it throws, the connection is closed.
    case pause(MockFault.Pause)
    /// Any text at all, as it is.
    case raw(String)
}

extension MockEvent: ExpressibleByStringLiteral {
    /// An event with this data.
    public init(stringLiteral data: String) {
        self = .event(data)
    }
}

extension MockEvent {
    /// What goes over the wire; nothing for a pause.
    var text: String {
        switch self {
        case .event(let data, let name, let id, let retry):
            let fields =
                (name.map { ["event: \($0.onOneLine)"] } ?? []) + (id.map { ["id: \($0.onOneLine)"] } ?? [])
                + (retry.map { ["retry: \($0.wholeMilliseconds)"] } ?? []) + data.eventLines.map { "data: \($0)" }
            return fields.map { "\($0)\n" }.joined() + "\n"
        case .retry(let time): return "retry: \(time.wholeMilliseconds)\n\n"
        case .comment(let text): return text.eventLines.map { ": \($0)\n" }.joined() + "\n"
        case .pause: return ""
        case .raw(let text): return text
        }
    }
}

extension String {
    /// The lines, which end as those of an event stream do.
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
