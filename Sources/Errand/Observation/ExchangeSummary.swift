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
/// It keeps the same object for all requests that it counts, and at most 2,000 different lines; all others are counted
/// in one whose labels are `_OTHER`. It contains no values of paths, queries or header fields.
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
            let key = state.active[labels] != nil || state.active.count < Self.limit ? labels : Self.other(labels)
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
                state.active[active, default: 1] -= 1
                let key =
                    state.lines[labels] != nil || state.lines.count < ExchangeSummary.limit
                    ? labels : ExchangeSummary.other(labels)
                state.lines[key, default: Line()].add(duration)
            }
        }
    }

    private static func other(_ labels: Labels) -> Labels { labels.mapValues { _ in .text("_OTHER") } }

    /// The counts in the text format of Prometheus, version 0.0.4: the histogram
    /// `http_client_request_duration_seconds` and the gauge `http_client_active_requests`.
    public var prometheusText: String {
        let state = state.withLock { $0 }
        var text = """
            # HELP http_client_request_duration_seconds Duration of HTTP client requests.
            # TYPE http_client_request_duration_seconds histogram

            """
        for (labels, line) in state.lines.sorted(by: { $0.key.label < $1.key.label }) {
            let name = "http_client_request_duration_seconds"
            var sum = 0
            for (bound, count) in zip(ExchangeOutcome.durationBuckets, line.buckets) {
                sum += count
                text += "\(name)_bucket{\(labels.label),le=\"\(bound)\"} \(sum)\n"
            }
            text += "\(name)_bucket{\(labels.label),le=\"+Inf\"} \(line.count)\n"
            text += "\(name)_sum{\(labels.label)} \(line.seconds)\n\(name)_count{\(labels.label)} \(line.count)\n"
        }
        text += """
            # HELP http_client_active_requests Number of active HTTP client requests.
            # TYPE http_client_active_requests gauge

            """
        for (labels, count) in state.active.sorted(by: { $0.key.label < $1.key.label }) {
            text += "http_client_active_requests{\(labels.label)} \(count)\n"
        }
        return text
    }
}

extension ExchangeSummary: CustomStringConvertible {
    /// A table with a line for each method, template and status, the most frequent first, and for each server if there
    /// are several. Its columns are the number of exchanges, the mean, the 95th percentile, which is estimated from the
    /// histogram, the status or the kind of error, and what was sent.
    public var description: String {
        let lines = state.withLock { $0.lines }
            .sorted { ($1.value.count, $0.key.place) < ($0.value.count, $1.key.place) }
        let showsServer = Set(lines.map(\.key.server)).count > 1
        let rows = lines.map { labels, line in
            let (mean, tail) = (line.seconds / Double(line.count), line.quantile(0.95))
            let request = "\(labels.text("http.request.method")) \(showsServer ? labels.server : "")"
            return [
                "\(line.count)", Self.milliseconds(mean), Self.milliseconds(tail), labels.outcome,
                request + labels.text("url.template"),
            ]
        }
        let table = [["count", "mean", "p95", "outcome", "request"]] + rows
        let widths = (0..<4).map { column in table.map { $0[column].count }.max() ?? 0 }
        return table.map { row in
            let columns = zip(row, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }
            return (columns + [row[4]]).joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private static func milliseconds(_ seconds: Double) -> String { "\(Int((seconds * 1_000).rounded())) ms" }
}

extension [String: ExchangeAttribute] {
    /// The labels in the format of Prometheus, whose names have underscores.
    fileprivate var label: String {
        sorted { $0.key < $1.key }.map { name, value in
            let escaped = value.description.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#)
            return "\(name.replacing(".", with: "_"))=\"\(escaped.replacing("\n", with: #"\n"#))\""
        }.joined(separator: ",")
    }

    /// The status, or the kind of error.
    fileprivate var outcome: String {
        (self["http.response.status_code"] ?? self["error.type"])?.description ?? "cancelled"
    }

    /// The place in the table among lines with the same count.
    fileprivate var place: String { "\(server) \(text("url.template")) \(text("http.request.method")) \(outcome)" }

    fileprivate var server: String { "\(text("server.address")):\(text("server.port"))" }

    fileprivate func text(_ name: String) -> String { self[name]?.description ?? "" }
}
