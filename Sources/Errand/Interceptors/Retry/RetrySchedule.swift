/// The waits of one request: the part of a ``RetryPolicy`` that changes between attempts.
package struct RetrySchedule: Sendable {
    private let backoff: RetryPolicy.Backoff
    private let maximumWait: Duration
    private let maximumServerWait: Duration
    private let maximumTotalWait: Duration
    private var waits = 0
    private var previous: Duration?
    private var total = Duration.zero

    package init(_ policy: RetryPolicy) {
        backoff = policy.backoff
        maximumWait = policy.maximumWait.asWait
        maximumServerWait = policy.maximumServerWait.asWait
        maximumTotalWait = policy.maximumTotalWait.asWait
    }

    /// Creates a schedule for reconnections, whose number is not limited.
    package init(reconnecting backoff: RetryPolicy.Backoff, maximumWait: Duration) {
        var policy = RetryPolicy(backoff: backoff)
        policy.maximumWait = maximumWait
        policy.maximumTotalWait = .seconds(Int64.max)
        self.init(policy)
    }

    /// Returns the next wait, or a decision to stop: if the server asks for a longer wait than allowed, or the total of
    /// the waits is too long.
    ///
    /// - Parameters:
    ///   - serverWait: The wait that the server asks for.
    ///   - chance: A random number from 0 to 1.
    mutating func decide(serverWait: Duration?, chance: Double) -> RetryDecision {
        let serverWait = serverWait?.asWait ?? .zero
        guard serverWait <= maximumServerWait else { return .serverAsksForTooLong }
        let chance = chance.isNaN ? 1 : min(max(chance, 0), 1)
        let own = min(ownWait(chance: chance), maximumWait)
        let wait = max(own, serverWait)
        guard total + wait <= maximumTotalWait else { return .waitsAreUsedUp }
        waits += 1
        previous = own
        total += wait
        return .retry(after: wait)
    }

    /// Returns the next wait; `nil` if the request is not repeated.
    package mutating func next(serverWait: Duration?, chance: Double) -> Duration? {
        guard case .retry(let wait) = decide(serverWait: serverWait, chance: chance) else { return nil }
        return wait
    }

    private func ownWait(chance: Double) -> Duration {
        switch backoff {
        case .immediate: return .zero
        case .constant(let wait): return wait.asWait
        case .exponential(let base, let factor):
            let ceiling = base.asWait.times(pow(factor.asFactor, Double(waits)), atMost: maximumWait)
            return ceiling.times(chance, atMost: ceiling)
        case .decorrelated(let base, let factor):
            let base = min(base.asWait, maximumWait)
            // The cap is applied after the draw, as in the source. Therefore, many long waits are equal to the cap.
            let ceiling = max(base, (previous ?? base).times(factor.asFactor, atMost: .century))
            return base + (ceiling - base).times(chance, atMost: .century)
        }
    }
}

extension Duration {
    fileprivate static let century = Duration.seconds(Int64.max).bounded

    /// This duration, limited to a range that a clock can wait for.
    fileprivate var asWait: Duration { Swift.max(.zero, bounded) }

    /// Multiplies by a factor. The limit is applied before the conversion to `Duration`, which cannot hold every
    /// `Double`.
    fileprivate func times(_ factor: Double, atMost limit: Duration) -> Duration {
        let seconds = self / .seconds(1) * factor
        // Zero times infinity is NaN.
        guard !seconds.isNaN else { return .zero }
        return seconds < limit / .seconds(1) ? .seconds(seconds) : limit
    }
}

extension Double {
    fileprivate var asFactor: Double { isNaN ? 1 : Swift.max(1, self) }
}
