import Errand

extension CircuitBreaker {
    /// The rule by which failures open a circuit.
    public struct Tripping: Sendable {
        enum Rule: Sendable {
            case consecutive(Int)
            case ratio(Double, window: Duration, minimumCount: Int)
        }

        let rule: Rule

        /// Opens after a number of consecutive failures; less than 1 counts as 1.
        public static func consecutiveFailures(_ count: Int) -> Tripping {
            Tripping(rule: .consecutive(max(count, 1)))
        }

        /// Opens if the ratio of failures in a time window is too high.
        ///
        /// The window slides in tenths: an outcome counts for at least nine tenths of the window, and at most the whole
        /// window.
        ///
        /// - Parameters:
        ///   - ratio: The ratio of failures, greater than 0 and at most 1. A value outside this range counts as the
        ///     nearest one in it, and NaN as 1.
        ///   - window: The length of the window; less than a microsecond counts as a microsecond.
        ///   - minimumCount: The minimum number of outcomes; less than 1 counts as 1.
        public static func failureRatio(
            _ ratio: Double, over window: Duration, minimumCount: Int
        ) -> Tripping {
            let ratio = ratio.isNaN ? 1 : min(max(ratio, 0), 1)
            let window = max(window.bounded, .microseconds(1))
            return Tripping(rule: .ratio(ratio, window: window, minimumCount: max(minimumCount, 1)))
        }
    }
}
