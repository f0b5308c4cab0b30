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

    /// The counts of what is sent with the same labels.
    private struct Group: Sendable {
        let labels: ExchangeLabels
        var active = 0
        var lines: [OutcomeLabels: Line] = [:]
    }

    private struct State: Sendable {
        private(set) var groups: [Group] = []
        private var places: [ExchangeLabels: Int] = [:]
        private var lineCount = 0

        private static let limit = 2_000

        /// Counts an exchange that begins, and returns the place of its group.
        mutating func begin(_ labels: ExchangeLabels) -> Int {
            let place = places[labels] ?? addGroup(groups.count < Self.limit ? labels : .other)
            groups[place].active += 1
            return place
        }

        mutating func end(_ labels: OutcomeLabels, after duration: Double, at place: Int) {
            var (place, labels) = (place, labels)
            groups[place].active -= 1
            if groups[place].lines[labels] == nil {
                if lineCount < Self.limit, groups[place].labels != .other {
                    lineCount += 1
                } else {
                    (place, labels) = (addGroup(.other), .other)
                }
            }
            groups[place].lines[labels, default: Line()].add(duration)
        }

        /// Returns the place of a group, which is added if it is missing.
        private mutating func addGroup(_ labels: ExchangeLabels) -> Int {
            if let place = places[labels] { return place }
            places[labels] = groups.count
            groups.append(Group(labels: labels))
            return groups.count - 1
        }
    }

    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    /// Creates a summary without counts.
    ///
    /// - Parameter clock: The clock that measures the durations.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
    }

    /// Counts an exchange that begins.
    public func began(_ exchange: ObservedExchange) -> any ExchangeObservation {
        let labels = exchange.labels
        return Counted(summary: self, place: state.withLock { $0.begin(labels) }, timeline: Timeline(clock))
    }

    private struct Counted: ExchangeObservation {
        let summary: ExchangeSummary
        /// The place of the group in which the exchange is counted.
        let place: Int
        let timeline: Timeline

        func ended(_ outcome: ExchangeOutcome) {
            let (labels, duration) = (outcome.labels, timeline.now / .seconds(1))
            summary.state.withLock { $0.end(labels, after: duration, at: place) }
        }
    }

    /// The counts in the text format of Prometheus, version 0.0.4: the histogram
    /// `http_client_request_duration_seconds` and the gauge `http_client_active_requests`.
    public var prometheusText: String {
        let groups = state.withLock { $0.groups }
        var text = """
            # HELP http_client_request_duration_seconds Duration of HTTP client requests.
            # TYPE http_client_request_duration_seconds histogram

            """
        let name = "http_client_request_duration_seconds"
        let lines = groups.flatMap { group in
            group.lines.map { (group.labels.attributes.merging($0.attributes) { $1 }.label, $1) }
        }
        for (labels, line) in lines.sorted(by: { $0.0 < $1.0 }) {
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
        for (labels, count) in groups.map({ ($0.labels.attributes.label, $0.active) }).sorted(by: { $0.0 < $1.0 }) {
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
        for group in state.withLock({ $0.groups }) {
            for (labels, line) in group.lines { rows[Row(group.labels, labels), default: Line()].add(line) }
        }
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

    init(_ exchange: ExchangeLabels, _ ended: OutcomeLabels) {
        server = "\(exchange.address):\(exchange.port)"
        template = exchange.template ?? ""
        method = exchange.method
        outcome = ended.errorType ?? ended.status?.description ?? "cancelled"
    }

    static func < (one: Row, other: Row) -> Bool {
        (one.server, one.template, one.method, one.outcome) < (
            other.server, other.template, other.method, other.outcome
        )
    }
}

extension ExchangeLabels {
    fileprivate static let other = Self(
        method: "_OTHER", address: "_OTHER", port: .text("_OTHER"), scheme: "_OTHER", template: nil)
}

extension OutcomeLabels {
    fileprivate static let other = Self(status: .text("_OTHER"))
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
