/// When a transfer has to give up: when nothing has happened for too long, or when all of it took too long.
final class Deadline<C: Clock<Duration>>: Sendable where C.Instant: Sendable {
    private let clock: C
    private let idle: Duration
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
        end = clock.now.advanced(by: total)
        lastActivity = Locked(clock.now)
    }

    /// Says that something happened.
    func touch() {
        let now = clock.now
        lastActivity.withLock { $0 = now }
    }

    /// Does something that must not take longer than the deadline allows; it is not waited for once it is late.
    ///
    /// - Throws: `URLError.timedOut`; ``ErrandError`` with `cancelled`; what `work` throws.
    func bounding<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let promise = Promise<Value, any Error>()
        let working = Task {
            do { promise.resolve(with: .success(try await work())) } catch { promise.resolve(with: .failure(error)) }
        }
        let watching = Task {
            try await passes()
            promise.resolve(with: .failure(URLError(.timedOut)))
        }
        defer {
            working.cancel()
            watching.cancel()
        }
        return try await promise.value
    }

    /// Returns when the time is over; throws when the task is cancelled before.
    ///
    /// - Parameter isOurDoing: Whether it is our own doing that nothing happens, which is not counted then; all of it is counted on.
    func passes(unless isOurDoing: () -> Bool = { false }) async throws {
        while true {
            let now = clock.now
            let last = isOurDoing() ? now : lastActivity.withLock { $0 }
            let next = min(last.advanced(by: idle), end)
            if now >= next { return }
            try await clock.sleep(until: next, tolerance: nil)
        }
    }
}
