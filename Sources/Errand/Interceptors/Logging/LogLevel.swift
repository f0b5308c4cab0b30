/// The importance of a log entry. Names and order are those of syslog (RFC 5424) and of common logging libraries.
public enum LogLevel: Int, Comparable, Sendable, CaseIterable, CustomStringConvertible {
    /// Each attempt when it is sent. At this level, the entries of requests and responses also have header fields, and
    /// bodies if they are shown.
    case trace
    /// Each request when it is sent, each attempt's response, the end of a stream, and cancellation.
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
