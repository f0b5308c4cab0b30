/// The time on any clock, as the duration since this value was created, for pure state machines.
package struct Timeline: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let sleeping: @Sendable (Duration) async throws -> Void

    /// Creates a timeline on a clock, which starts at zero.
    package init(_ clock: any Clock<Duration>) {
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
            // For a time that is not too far away, the sleep has an exact deadline, which a change of the clock cannot
            // shift.
            let isFar = wait < moment - start.duration(to: clock.now)
            let wakeUp = isFar ? clock.now.advanced(by: wait) : start.advanced(by: moment)
            try await clock.sleep(until: wakeUp, tolerance: nil)
        }
    }

    /// The time since the creation of this value, at most a hundred years.
    package var now: Duration { elapsed().bounded }

    /// Sleeps until a time after the creation of this value, at most a hundred years.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before.
    package func sleep(until moment: Duration) async throws {
        try await sleeping(moment)
    }
}
