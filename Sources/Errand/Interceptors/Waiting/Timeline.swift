/// The time on any clock, as the span since this was made: what a pure state machine reckons with.
struct Timeline: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let sleeping: @Sendable (Duration) async throws -> Void

    /// The time on a clock, from zero on.
    init(_ clock: any Clock<Duration>) {
        self = Self.beginning(on: clock)
    }

    private init(
        elapsed: @escaping @Sendable () -> Duration, sleeping: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.elapsed = elapsed
        self.sleeping = sleeping
    }

    private static func beginning(on clock: some Clock<Duration>) -> Timeline {
        let start = clock.now
        return Timeline {
            start.duration(to: clock.now)
        } sleeping: { moment in
            let wait = (moment - start.duration(to: clock.now)).bounded
            guard wait > .zero else { return }
            // A moment that is not too far away is slept to exactly: a clock that is moved meanwhile cannot shift it.
            let isFar = wait < moment - start.duration(to: clock.now)
            let wakeUp = isFar ? clock.now.advanced(by: wait) : start.advanced(by: moment)
            try await clock.sleep(until: wakeUp, tolerance: nil)
        }
    }

    /// The time since this was made.
    var now: Duration { elapsed() }

    /// Sleeps until so long after this was made, a hundred years at most.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before.
    func sleep(until moment: Duration) async throws {
        try await sleeping(moment)
    }
}
