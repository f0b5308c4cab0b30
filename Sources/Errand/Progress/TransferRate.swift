/// How fast a transfer is, over the last so many seconds of it.
struct TransferRate: Sendable {
    private struct Sample {
        var moment: Duration
        var completed: Int64
    }

    /// No more than this many moments are remembered, however often somebody looks.
    private static let sampleLimit = 1_000

    private let window: Duration
    private var samples: [Sample] = []

    /// - Parameter window: How far to look back.
    init(window: Duration) {
        self.window = window
    }

    /// Notes how far the transfer has come at a moment, which is not before the last.
    mutating func add(_ completed: Int64, at moment: Duration) {
        // A transfer that began anew has a rate of its own.
        if let last = samples.last, completed < last.completed { samples = [] }
        samples.append(Sample(moment: moment, completed: completed))
        // One from before the window is needed for the rate over all of it.
        while samples.count > 2, samples[1].moment <= moment - window || samples.count > Self.sampleLimit {
            samples.removeFirst()
        }
    }

    /// Bytes per second; nil as long as no time has passed.
    var throughput: Double? {
        guard let first = samples.first, let last = samples.last, last.moment > first.moment else { return nil }
        return Double(last.completed - first.completed) / ((last.moment - first.moment) / .seconds(1))
    }

    /// How long the rest takes at this rate; nil where nothing moves, or nobody knows how much it is.
    func timeRemaining(of total: Int64?) -> Duration? {
        guard let total, let last = samples.last else { return nil }
        if last.completed >= total { return .zero }
        guard let throughput, throughput > 0 else { return nil }
        let seconds = Double(total - last.completed) / throughput
        // What takes longer than a century is not worth a number, and more than a duration can hold.
        return seconds < 3e9 ? .seconds(seconds) : nil
    }
}
