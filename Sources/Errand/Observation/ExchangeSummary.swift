import Synchronization

/// An observer that counts what is sent, by method, server, template and status, and shows it as a table for a terminal
/// and as text for Prometheus.
///
/// ```swift
/// let summary = ExchangeSummary()
/// service.settings.observers = [summary]
///
/// print(summary)                          // at the end of a command-line tool
/// response.body = summary.prometheusText  // in a server's route `/metrics`
/// ```
///
/// Use the same object for all requests that it should count. It keeps at most 2,000 different labels; all other
/// requests are counted in one line, whose labels are `_OTHER`. It contains no values of paths, queries or header
/// fields.
public final class ExchangeSummary: ExchangeObserver {
    /// The counts of one line.
    private struct Line: Sendable {
        var count = 0
        var seconds = 0.0
        /// The number of durations up to each bound, without those up to the bound before it.
        var buckets = [Int](repeating: 0, count: ExchangeOutcome.durationBuckets.count)

        mutating func add(_ duration: Double) {
            count += 1
            seconds += duration
            if let bucket = ExchangeOutcome.durationBuckets.firstIndex(where: { duration <= $0 }) {
                buckets[bucket] += 1
            }
        }

        mutating func add(_ other: Line) {
            count += other.count
            seconds += other.seconds
            for index in buckets.indices { buckets[index] += other.buckets[index] }
        }

        /// The bound below which a part of the durations is, interpolated in its bucket.
        func quantile(_ part: Double) -> Double {
            let bounds = ExchangeOutcome.durationBuckets
            var rest = part * Double(count)
            for (index, inBucket) in buckets.enumerated() {
                let lower = index == 0 ? 0 : bounds[index - 1]
                if rest <= Double(inBucket) { return lower + (bounds[index] - lower) * rest / Double(max(inBucket, 1)) }
                rest -= Double(inBucket)
            }
            return bounds[bounds.count - 1]
        }
    }

    private typealias Labels = [String: ExchangeAttribute]

    private struct State: Sendable {
        var lines: [Labels: Line] = [:]
        var active: [Labels: Int] = [:]
    }

    private let clock: any Clock<Duration>
    private let state = Mutex(State())
    private static let limit = 2_000

    /// Creates a summary without counts.
    ///
    /// - Parameter clock: The clock that measures the durations.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
    }

    /// Counts an exchange that begins.
    public func began(_ exchange: ObservedExchange) -> any ExchangeObservation {
        let labels = exchange.metricAttributes
        let counted = state.withLock { state in
            let key = state.active[labels] != nil || state.active.count < Self.limit ? labels : Self.other
            state.active[key, default: 0] += 1
            return key
        }
        return Counted(summary: self, labels: labels, active: counted, timeline: Timeline(clock))
    }

    private struct Counted: ExchangeObservation {
        let summary: ExchangeSummary
        let labels: Labels
        /// The labels under which the exchange is counted while it is active.
        let active: Labels
        let timeline: Timeline

        func ended(_ outcome: ExchangeOutcome) {
            let labels = labels.merging(outcome.metricAttributes) { first, _ in first }
            let duration = timeline.now / .seconds(1)
            summary.state.withLock { state in
                state.active[active, default: 0] -= 1
                let key =
                    state.lines[labels] != nil || state.lines.count < ExchangeSummary.limit
                    ? labels : ExchangeSummary.other
                state.lines[key, default: Line()].add(duration)
            }
        }
    }

    private static let other: Labels = [
        "http.request.method": .text("_OTHER"), "http.response.status_code": .text("_OTHER"),
        "server.address": .text("_OTHER"), "server.port": .text("_OTHER"), "url.scheme": .text("_OTHER"),
    ]

    /// The counts in the text format of Prometheus, version 0.0.4: the histogram
    /// `http_client_request_duration_seconds` and the gauge `http_client_active_requests`.
    public var prometheusText: String {
        let state = state.withLock { $0 }
        var text = """
            # HELP http_client_request_duration_seconds Duration of HTTP client requests.
            # TYPE http_client_request_duration_seconds histogram

            """
        let name = "http_client_request_duration_seconds"
        for (labels, line) in state.lines.map({ ($0.key.label, $0.value) }).sorted(by: { $0.0 < $1.0 }) {
            var sum = 0
            for (bound, count) in zip(ExchangeOutcome.durationBuckets, line.buckets) {
                sum += count
                text += "\(name)_bucket{\(labels),le=\"\(bound)\"} \(sum)\n"
            }
            text += "\(name)_bucket{\(labels),le=\"+Inf\"} \(line.count)\n"
            text += "\(name)_sum{\(labels)} \(line.seconds)\n\(name)_count{\(labels)} \(line.count)\n"
        }
        text += """
            # HELP http_client_active_requests Number of active HTTP client requests.
            # TYPE http_client_active_requests gauge

            """
        for (labels, count) in state.active.map({ ($0.key.label, $0.value) }).sorted(by: { $0.0 < $1.0 }) {
            text += "http_client_active_requests{\(labels)} \(count)\n"
        }
        return text
    }
}

extension ExchangeSummary: CustomStringConvertible {
    /// A table with a line for each method, template and status, the most frequent first, and for each server if there
    /// are several. Its columns are the number of exchanges, the mean, the 95th percentile, which is estimated from the
    /// histogram, the status or the kind of error, and what was sent.
    public var description: String {
        var rows: [Row: Line] = [:]
        for (labels, line) in state.withLock({ $0.lines }) { rows[Row(labels), default: Line()].add(line) }
        let showsServer = Set(rows.keys.map(\.server)).count > 1
        let lines = rows.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { row, line in
            let (mean, tail) = (line.seconds / Double(line.count), line.quantile(0.95))
            return [
                "\(line.count)", Self.milliseconds(mean), Self.milliseconds(tail), row.outcome,
                [row.method, (showsServer ? row.server : "") + row.template].filter { !$0.isEmpty }
                    .joined(separator: " ").onOneLogLine,
            ]
        }
        let table = [["count", "mean", "p95", "outcome", "request"]] + lines
        let widths = (0..<4).map { column in table.map { $0[column].count }.max() ?? 0 }
        return table.map { row in
            let columns = zip(row, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }
            return (columns + [row[4]]).joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private static func milliseconds(_ seconds: Double) -> String { "\(Int((seconds * 1_000).rounded())) ms" }
}

/// What a line of the table counts.
private struct Row: Hashable, Comparable {
    let server: String
    let template: String
    let method: String
    /// The kind of error, or the status.
    let outcome: String

    init(_ labels: [String: ExchangeAttribute]) {
        func text(_ name: String) -> String { labels[name]?.description ?? "" }
        server = "\(text("server.address")):\(text("server.port"))"
        template = text("url.template")
        method = text("http.request.method")
        outcome = (labels["error.type"] ?? labels["http.response.status_code"])?.description ?? "cancelled"
    }

    static func < (one: Row, other: Row) -> Bool {
        (one.server, one.template, one.method, one.outcome) < (
            other.server, other.template, other.method, other.outcome
        )
    }
}

extension [String: ExchangeAttribute] {
    /// The labels in the format of Prometheus, whose names have underscores.
    fileprivate var label: String {
        sorted { $0.key < $1.key }.map { name, value in
            let escaped = value.description.unicodeScalars.reduce(into: "") { text, scalar in
                switch scalar {
                case "\\", "\"": text += "\\\(scalar)"
                case "\n": text += "\\n"
                default: text.unicodeScalars.append(scalar)
                }
            }
            return "\(name.replacing(".", with: "_"))=\"\(escaped)\""
        }.joined(separator: ",")
    }
}
