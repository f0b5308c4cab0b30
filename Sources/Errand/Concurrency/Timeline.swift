/// The time on any clock, as the duration since this value was created. A pure state machine needs only such durations.
package struct Timeline: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let sleeping: @Sendable (Duration) async throws -> Void

    /// Creates a timeline that starts at zero and follows a clock.
    package init(_ clock: any Clock<Duration>) {
        self = Self.starting(on: clock)
    }

    private init(
        elapsed: @escaping @Sendable () -> Duration, sleeping: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.elapsed = elapsed
        self.sleeping = sleeping
    }

    /// The type of the clock's instants is known only here.
    private static func starting(on clock: some Clock<Duration>) -> Timeline {
        let start = clock.now
        return Timeline {
            start.duration(to: clock.now)
        } sleeping: { moment in
            guard moment > start.duration(to: clock.now) else { return }
            // A deadline that is computed from `start` is exact, however late the clock is read.
            try await clock.sleep(until: start.advanced(by: moment.bounded), tolerance: nil)
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

/// The time of the next wake-up that a state machine requests.
package struct AlarmPlan: Sendable {
    /// A setting of the alarm. Of two settings, the one with the higher number applies.
    package struct Setting: Hashable, Sendable {
        package let number: Int
        /// The time of the wake-up; `nil` for none.
        package let time: Duration?

        package init(number: Int, time: Duration?) {
            self.number = number
            self.time = time
        }
    }

    /// The time for which the alarm is set; `nil` if it is not set.
    private var planned: Duration?
    private var number = 0

    package init() {}

    /// - Returns: The new setting of the alarm; `nil` if it is already set to that time.
    package mutating func plan(_ time: Duration?) -> Setting? {
        guard time != planned else { return nil }
        planned = time
        number += 1
        return Setting(number: number, time: time)
    }

    /// Records that the alarm fired, and is no longer set.
    package mutating func hasGoneOff() {
        planned = nil
    }
}

/// A task that sleeps until the next wake-up. Each new setting replaces it.
package final class Alarm: Sendable {
    private let timeline: Timeline
    private let state = Locked<(number: Int, task: Task<Void, Never>?)>((0, nil))

    package init(_ timeline: Timeline) {
        self.timeline = timeline
    }

    /// Sets the alarm, unless a later setting has already arrived from the state machine.
    ///
    /// - Parameter wake: A closure that is called at that time.
    package func set(_ setting: AlarmPlan.Setting, wake: @escaping @Sendable () -> Void) {
        let task = setting.time.map { [timeline] time in
            Task {
                guard (try? await timeline.sleep(until: time)) != nil else { return }
                wake()
            }
        }
        // The task of the earlier setting is cancelled, whichever of the two arrives first.
        let superseded = state.withLock { state in
            guard setting.number > state.number else { return task }
            defer { state = (setting.number, task) }
            return state.task
        }
        superseded?.cancel()
    }
}

extension Duration {
    /// This duration, but at most a hundred years. Clocks trap when they add longer durations to an instant.
    package var bounded: Duration { min(self, .seconds(100 * 365 * 24 * 60 * 60 as Int64)) }

    /// Creates a duration from seconds, limited to the range from zero to a week, the default limit of a whole
    /// transfer. Foundation's intervals may be infinite or NaN; NaN counts as a week.
    package init(bounding seconds: TimeInterval) {
        let week: TimeInterval = 7 * 24 * 60 * 60
        self = .seconds(seconds.isNaN ? week : Swift.min(Swift.max(seconds, 0), week))
    }

    /// The duration of a wait as text for error messages, in seconds and rounded up to a tenth, such as `30 s`.
    package var waitText: String {
        let (seconds, attoseconds) = max(bounded, .zero).components
        let tenth: Int64 = 100_000_000_000_000_000
        return (.milliseconds(100) * (seconds * 10 + (attoseconds + tenth - 1) / tenth)).secondsText
    }

    /// The duration as text for error messages, in seconds and to the microsecond, such as `60 s` or `0.05 s`. A
    /// negative duration is `0 s`.
    package var secondsText: String {
        let (seconds, attoseconds) = min(max(self, .zero), .seconds(Int64.max)).components
        let microseconds = attoseconds / 1_000_000_000_000
        guard microseconds > 0 else { return "\(seconds) s" }
        // 1,050,000 as text, without its first digit, is 050000.
        var fraction = "\(1_000_000 + microseconds)".dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return "\(seconds).\(fraction) s"
    }
}
