/// How much an entry matters: the names and the order are those of syslog (RFC 5424) and of the usual logging libraries.
public enum LogLevel: Int, Comparable, Sendable, CaseIterable, CustomStringConvertible {
    /// Each attempt as it is sent. A log that goes down to here also has the header fields, and bodies where they are
    /// shown.
    case trace
    /// Each request as it is sent, each attempt's answer, the end of a stream, and cancellation.
    case debug
    /// Answers below 400.
    case info
    /// Answers of 400 to 499, and attempts that failed or got a 5xx.
    case notice
    /// Answers from 500 on.
    case warning
    /// Requests that failed without a whole answer.
    case error

    /// `trace`, `debug`, `info`, `notice`, `warning` or `error`.
    public var description: String { Self.names[rawValue] }

    /// Matters less.
    public static func < (one: LogLevel, other: LogLevel) -> Bool { one.rawValue < other.rawValue }

    private static let names = ["trace", "debug", "info", "notice", "warning", "error"]
}
