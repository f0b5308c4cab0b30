/// The latest durations of something, and their quantiles.
struct LatencyWindow: Sendable {
    /// How many are kept.
    static let capacity = 256
    /// With fewer, a quantile says too little.
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

    /// The duration that such a share of the others is not above (the nearest rank); `nil` if there are too few.
    ///
    /// - Parameter share: From 0 to 1.
    func quantile(_ share: Double) -> Duration? {
        guard durations.count >= Self.minimumCount else { return nil }
        let rank = (share * Double(durations.count)).rounded(.up)
        return durations.sorted()[min(max(Int(rank) - 1, 0), durations.count - 1)]
    }
}
