/// The limits of a transfer: how long nothing may happen, and how long all of it may take.
final class Deadline<C: Clock<Duration>>: Sendable where C.Instant: Sendable {
    private let clock: C
    private let idle: Duration
    private let total: Duration
    private let end: C.Instant
    /// When something last happened.
    private let lastActivity: Locked<C.Instant>

    /// A deadline that counts from now.
    ///
    /// - Parameters:
    ///   - idle: How long nothing may happen.
    ///   - total: How long all of it may take.
    init(idle: Duration, total: Duration, clock: C) {
        self.clock = clock
        self.idle = idle
        self.total = total
        end = clock.now.advanced(by: total)
        lastActivity = Locked(clock.now)
    }

    /// Says that something happened.
    func touch() {
        let now = clock.now
        lastActivity.withLock { $0 = now }
    }

    /// Runs `work` until the deadline; work that is late is cancelled and not waited for.
    ///
    /// - Parameter phase: What the work is, for the reason of the failure.
    /// - Throws: ``TransportFailure`` with `timedOut`; ``ErrandError`` with `cancelled`; what `work` throws.
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

    /// Waits for the first of the two limits.
    ///
    /// - Parameter isOurDoing: Returns `true` while the client itself is why nothing happens; that time does not count
    ///   as idle.
    /// - Returns: The limit that has passed.
    /// - Throws: `CancellationError` when the task is cancelled before that.
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
