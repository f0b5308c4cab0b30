import Errand

/// The number of concurrent requests that a server handles, found by additive increase and multiplicative decrease.
/// TCP's congestion avoidance uses the same algorithm (RFC 5681, section 3.1).
struct AdaptiveLimit: Hashable, Sendable {
    private let range: ClosedRange<Int>
    private let decrease: Double
    private var value: Double
    /// The time of the last decrease. Requests that began earlier belong to an overload that was already handled.
    private var lastDecrease: Duration?

    /// - Parameter decrease: The factor by which an overload multiplies the limit, from 0 to 1.
    init(_ initial: Int, in range: ClosedRange<Int>, decrease: Double) {
        self.range = range
        self.decrease = decrease
        value = Double(min(max(initial, range.lowerBound), range.upperBound))
    }

    /// The current limit.
    var limit: Int { value < Double(range.upperBound) ? Int(value) : range.upperBound }

    /// Adjusts the limit after a request has ended.
    ///
    /// - Parameters:
    ///   - began: The time when the request began.
    ///   - running: The number of concurrent requests, including this one. If less than half of the limit is in use, a
    ///     success says nothing about the server.
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
