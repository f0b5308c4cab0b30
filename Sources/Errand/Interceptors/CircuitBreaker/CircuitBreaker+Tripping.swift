extension CircuitBreaker {
    /// How many failures open a circuit.
    public struct Tripping: Sendable {
        enum Rule: Sendable {
            case consecutive(Int)
            case ratio(Double, window: Duration, minimumCount: Int)
        }

        let rule: Rule

        /// So many failures in a row; less than 1 counts as 1.
        public static func consecutiveFailures(_ count: Int) -> Tripping {
            Tripping(rule: .consecutive(max(count, 1)))
        }

        /// Such a share of the outcomes of the last while.
        ///
        /// The window slides in tenths: an outcome counts for at least nine tenths of it, and at most all of it.
        ///
        /// - Parameters:
        ///   - ratio: The share of failures, above 0 and up to 1; what is not counts as the nearest that is, and no number
        ///     as 1.
        ///   - window: How far back outcomes count; less than a microsecond counts as one.
        ///   - minimumCount: How many outcomes there must be; less than 1 counts as 1.
        public static func failureRatio(
            _ ratio: Double, over window: Duration, minimumCount: Int
        ) -> Tripping {
            let ratio = ratio.isNaN ? 1 : min(max(ratio, 0), 1)
            let window = max(window.bounded, .microseconds(1))
            return Tripping(rule: .ratio(ratio, window: window, minimumCount: max(minimumCount, 1)))
        }
    }
}
