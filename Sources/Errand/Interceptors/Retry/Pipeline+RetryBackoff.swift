extension Pipeline {
    /// Runs the pipeline again when it fails, after waits that grow.
    ///
    /// ```swift
    /// sendRequest().decode([Book].self).retry(3, backoff: .exponential(base: .milliseconds(100)))
    /// ```
    ///
    /// Unlike ``RetryPolicy``, it also repeats the operators before it, and ignores `Retry-After`.
    ///
    /// - Parameters:
    ///   - times: The number of runs that may follow the first; 0 or less adds none.
    ///   - shouldRetry: As in ``retry(_:where:delay:clock:)-(_,_,Duration,_)``.
    ///   - backoff: How the waits grow.
    ///   - maximumWait: The longest wait; 20 seconds by default.
    ///   - clock: The clock for the waits.
    ///   - random: Returns numbers from 0 to 1, as ``RetryPolicy/random``.
    public func retry(
        _ times: Int, where shouldRetry: (@Sendable (Failure) -> Bool)? = nil, backoff: RetryPolicy.Backoff,
        maximumWait: Duration = .seconds(20), clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) -> Pipeline {
        retry(times, where: shouldRetry, clock: clock) {
            let schedule = Locked(RetrySchedule(reconnecting: backoff, maximumWait: maximumWait))
            return { _ in
                let chance = random()
                return schedule.withLock { $0.next(asked: nil, chance: chance) } ?? .zero
            }
        }
    }
}
