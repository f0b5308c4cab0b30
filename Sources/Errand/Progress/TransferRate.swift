/// The rate of a transfer over its last seconds.
struct TransferRate: Sendable {
    private struct Sample {
        var moment: Duration
        var completed: Int64
    }

    /// The maximum number of samples, regardless of how often they are taken.
    private static let sampleLimit = 1_000

    private let window: Duration
    private var samples: [Sample] = []

    /// - Parameter window: The time over which the rate is computed.
    init(window: Duration) {
        self.window = window
    }

    /// Adds the number of transferred bytes at a moment, which must not be before the previous one.
    mutating func add(_ completed: Int64, at moment: Duration) {
        // A transfer that starts over has a new rate.
        if let last = samples.last, completed < last.completed { samples = [] }
        samples.append(Sample(moment: moment, completed: completed))
        // Keeps one sample that is older than the window, so that the rate covers the whole window.
        while samples.count > 2, samples[1].moment <= moment - window || samples.count > Self.sampleLimit {
            samples.removeFirst()
        }
    }

    /// The bytes per second; `nil` until time has passed.
    var throughput: Double? {
        guard let first = samples.first, let last = samples.last, last.moment > first.moment else { return nil }
        return Double(last.completed - first.completed) / ((last.moment - first.moment) / .seconds(1))
    }

    /// Returns the estimated time for the remaining bytes at this rate; `nil` if no bytes are transferred or the total
    /// is unknown.
    func timeRemaining(of total: Int64?) -> Duration? {
        guard let total, let last = samples.last else { return nil }
        if last.completed >= total { return .zero }
        guard let throughput, throughput > 0 else { return nil }
        let seconds = Double(total - last.completed) / throughput
        // A time over a century is not useful, and may exceed the range of a duration.
        return seconds < 3e9 ? .seconds(seconds) : nil
    }
}
