extension Pipeline {
    /// Repeats the pipeline when it fails, after increasing waits.
    ///
    /// ```swift
    /// sendRequest().decode([Book].self).retry(3, backoff: .exponential(base: .milliseconds(100)))
    /// ```
    ///
    /// In contrast to ``RetryPolicy``, it also repeats the operators before it, and ignores `Retry-After`.
    ///
    /// - Parameters:
    ///   - times: The maximum number of repetitions; 0 or less means none.
    ///   - shouldRetry: As in ``retry(_:where:delay:clock:)-(_,_,Duration,_)``.
    ///   - backoff: The rule for the waits.
    ///   - maximumWait: The maximum length of a wait; 20 seconds by default.
    ///   - clock: The clock for the waits.
    ///   - random: Returns random numbers from 0 to 1, as ``RetryPolicy/random``.
    public func retry(
        _ times: Int, where shouldRetry: (@Sendable (Failure) -> Bool)? = nil, backoff: RetryPolicy.Backoff,
        maximumWait: Duration = .seconds(20), clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) -> Pipeline {
        retry(times, where: shouldRetry, clock: clock) {
            let schedule = Locked(RetrySchedule(reconnecting: backoff, maximumWait: maximumWait))
            return { _ in
                let chance = random()
                return schedule.withLock { $0.next(serverWait: nil, chance: chance) } ?? .zero
            }
        }
    }
}
