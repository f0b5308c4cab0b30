/// How many requests a server takes at once, found out by trying: additive increase, multiplicative decrease, as in TCP's
/// congestion avoidance (RFC 5681, section 3.1).
struct AdaptiveLimit: Hashable, Sendable {
    private let range: ClosedRange<Int>
    private let decrease: Double
    private var value: Double
    /// Requests that began before are part of an overload that has been handled.
    private var lastDecrease: Duration?

    /// - Parameter decrease: What the limit is multiplied by at an overload, from 0 to 1.
    init(_ initial: Int, in range: ClosedRange<Int>, decrease: Double) {
        self.range = range
        self.decrease = decrease
        value = Double(min(max(initial, range.lowerBound), range.upperBound))
    }

    /// The limit now.
    var limit: Int { value < Double(range.upperBound) ? Int(value) : range.upperBound }

    /// Learns from a request that ended.
    ///
    /// - Parameters:
    ///   - began: When the request began.
    ///   - running: How many were under way, with this one. A limit that nobody reaches says nothing about the server.
    mutating func learn(isOverload: Bool, began: Duration, running: Int, now: Duration) {
        if isOverload {
            if let lastDecrease, began <= lastDecrease { return }
            value = max(value * decrease, Double(range.lowerBound))
            lastDecrease = now
        } else if running * 2 >= limit {
            value = min(value + 1 / value, Double(range.upperBound))
        }
    }
}
