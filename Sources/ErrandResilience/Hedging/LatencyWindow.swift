import Errand

/// A window of the most recent durations, and their quantiles.
struct LatencyWindow: Sendable {
    /// The number of durations in the window.
    static let capacity = 256
    /// The minimum number of durations for a quantile.
    static let minimumCount = 20

    private var durations: [Duration] = []
    private var next = 0

    mutating func add(_ duration: Duration) {
        if durations.count < Self.capacity {
            durations.append(duration)
        } else {
            durations[next] = duration
        }
        next = (next + 1) % Self.capacity
    }

    /// Returns the duration that this share of the durations does not exceed (nearest-rank method); `nil` if there are
    /// too few.
    ///
    /// - Parameter share: A number from 0 to 1.
    func quantile(_ share: Double) -> Duration? {
        guard durations.count >= Self.minimumCount else { return nil }
        let rank = (share * Double(durations.count)).rounded(.up)
        return durations.sorted()[min(max(Int(rank) - 1, 0), durations.count - 1)]
    }
}
