/// The time limits of a transfer: an idle limit and a total limit.
final class Deadline<C: Clock<Duration>>: Sendable where C.Instant: Sendable {
    private let clock: C
    private let idle: Duration
    private let total: Duration
    private let end: C.Instant
    /// The time of the last activity.
    private let lastActivity: Locked<C.Instant>

    /// Creates a deadline that starts now.
    ///
    /// - Parameters:
    ///   - idle: The maximum time without activity.
    ///   - total: The maximum time for the whole transfer.
    init(idle: Duration, total: Duration, clock: C) {
        self.clock = clock
        self.idle = idle
        self.total = total
        end = clock.now.advanced(by: total)
        lastActivity = Locked(clock.now)
    }

    /// Records activity.
    func touch() {
        let now = clock.now
        lastActivity.withLock { $0 = now }
    }

    /// Runs `work` until the deadline. If the deadline passes, cancels the work and does not wait for it.
    ///
    /// - Parameter phase: The phase of the work, for the reason of the failure.
    /// - Throws: A ``TransportFailure`` with `timedOut`; an ``ErrandError`` with `cancelled`; errors from `work`.
    func bounding<Value: Sendable>(
        _ phase: TimeoutReason.Phase, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let promise = PipelinePromise<Value, any Error>()
        let working = Task {
            do { promise.resolve(with: .success(try await work())) } catch { promise.resolve(with: .failure(error)) }
        }
        let watching = Task {
            let limit = try await passes()
            promise.resolve(with: .failure(TransportFailure(timeout: TimeoutReason(limit, phase))))
        }
        defer {
            working.cancel()
            watching.cancel()
        }
        return try await promise.value
    }

    /// Waits until the first of the two limits passes.
    ///
    /// - Parameter isOurDoing: Returns `true` while the client itself causes the inactivity; that time does not count
    ///   as idle.
    /// - Returns: The limit that has passed.
    /// - Throws: `CancellationError` if the task is cancelled earlier.
    @discardableResult
    func passes(unless isOurDoing: () -> Bool = { false }) async throws -> TimeoutReason.Limit {
        while true {
            let now = clock.now
            let last = isOurDoing() ? now : lastActivity.withLock { $0 }
            let next = min(last.advanced(by: idle), end)
            if now >= next { return next < end ? .idle(idle) : .total(total) }
            try await clock.sleep(until: next, tolerance: nil)
        }
    }
}
