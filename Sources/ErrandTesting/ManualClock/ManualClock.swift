public import Errand

/// A clock that moves only when a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// async let outcome = request.start().timeout(.seconds(30), clock: clock).result
/// try await clock.waitForSleepers()
/// clock.advance(by: .seconds(30))
/// ```
///
/// The clock starts at zero and is independent of real time. Moving it to or past a deadline wakes the tasks that sleep
/// until then: the earliest deadline first, and for equal deadlines the task that began to sleep first. Code that needs
/// dates can use ``date``, which moves with the clock: `now: { clock.date }`.
public final class ManualClock: Clock, Sendable {
    /// A point in time of a manual clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock's zero.
        public var offset: Duration

        /// Creates the point in time at an offset from the clock's zero.
        public init(offset: Duration) {
            self.offset = offset
        }

        /// Returns the point in time that is later by a duration.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// Returns the duration from this point in time to another.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Returns `true` if `one` is earlier than `other`.
        public static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    /// The default date at zero: the first second of 2026, in UTC.
    public static let defaultDate = Date(timeIntervalSince1970: 1_767_225_600)

    /// Guards the time, the sleeping tasks, and the tasks that wait for sleepers.
    private let state = Locked(ManualClockState())
    /// The date at zero.
    private let start: Date
    /// The real time after which a wait is reported.
    private let reportLimit: Duration
    private let realTime: any Clock<Duration>
    /// Reports a wait that takes too long or is cancelled.
    private let report: @Sendable (String) -> Void

    /// Creates a clock at zero.
    ///
    /// - Parameters:
    ///   - date: The ``date`` at zero.
    ///   - limit: The real time after which ``waitForSleepers(_:)``, ``waitForSleeper(until:)`` and
    ///     ``run(whenSleeping:_:)`` list the sleeping tasks on standard error; 5 seconds by default. They continue to
    ///     wait.
    public convenience init(date: Date = ManualClock.defaultDate, reportsAfter limit: Duration = .seconds(5)) {
        self.init(date: date, reportsAfter: limit) {
            FileHandle.standardError.write(Data("ManualClock: \($0)\n".utf8))
        }
    }

    init(
        date: Date = ManualClock.defaultDate, reportsAfter limit: Duration = .seconds(5),
        realTime: any Clock<Duration> = ContinuousClock(), report: @escaping @Sendable (String) -> Void
    ) {
        start = date
        reportLimit = limit
        self.realTime = realTime
        self.report = report
    }

    /// The current time, which changes only when the clock is moved.
    public var now: Instant { state.withLock { $0.now } }
    /// The current date: the date at zero plus the time since then.
    public var date: Date { start.addingTimeInterval(now.offset / .seconds(1)) }
    /// Zero: the clock distinguishes all durations.
    public var minimumResolution: Duration { .zero }
    /// The number of tasks that sleep now.
    public var sleeperCount: Int { state.withLock { $0.sleeperCount } }
    /// The earliest deadline of the sleeping tasks; `nil` if no task sleeps.
    public var nextDeadline: Instant? { state.withLock { $0.nextDeadline } }

    /// Sleeps until the clock is moved to or past the deadline.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await suspend(until: .time(deadline, name: Self.taskName))
    }

    /// Waits until this number of tasks or more sleep at once, so that moving the clock wakes them. With zero or less,
    /// it returns immediately.
    ///
    /// If the wait takes longer than the limit of the initializer, in real time, it lists the sleeping tasks once on
    /// standard error and continues.
    ///
    /// - Throws: ``TooFewSleepers`` if the task is cancelled before, for example by a test's time limit. The error
    ///   lists the sleeping tasks. It is also written to standard error, because Swift Testing does not show errors
    ///   that a test throws after its time limit.
    public func waitForSleepers(_ count: Int = 1) async throws {
        try await wait(for: .sleepers(count))
    }

    /// Waits until a task sleeps until exactly this deadline. Use it if other tasks begin and end sleeping meanwhile,
    /// such as timers that are soon cancelled.
    ///
    /// - Throws: As ``waitForSleepers(_:)``.
    public func waitForSleeper(until deadline: Instant) async throws {
        try await wait(for: .sleeper(deadline))
    }

    /// Moves the clock forward, and wakes the tasks whose deadlines have passed. A negative duration counts as zero,
    /// and one of more than a hundred years as a hundred years.
    public func advance(by duration: Duration) {
        perform(state.withLock { $0.advance(by: duration) })
    }

    /// Moves the clock to a point in time, and wakes the tasks whose deadlines have passed. Does nothing if the point
    /// is in the past.
    public func advance(to moment: Instant) {
        perform(state.withLock { $0.advance(to: moment) })
    }

    /// Moves the clock to the earliest deadline, and wakes the tasks that sleep until then.
    ///
    /// - Returns: The duration by which the clock moved; `nil` if no task sleeps, and the clock stays.
    @discardableResult public func advanceToNextDeadline() -> Duration? {
        let step: (moved: Duration, actions: [ManualClockState.Action])? = state.withLock { state in
            guard let deadline = state.nextDeadline else { return nil }
            return (state.now.duration(to: deadline), state.advance(to: deadline))
        }
        perform(step?.actions ?? [])
        return step?.moved
    }

    /// Runs a closure, and moves the clock to the earliest deadline whenever this number of tasks sleep.
    ///
    /// ```swift
    /// let books = try await clock.run { try await BooksRequest(author: "Le Guin").start().value }
    /// #expect(clock.now.offset == .seconds(3))
    /// ```
    ///
    /// The count is the number of tasks that sleep when the closure can only wait. With a timeout around a retry, this
    /// is two: the timeout and the wait between attempts. With a lower count, the clock may pass the timeout before the
    /// request begins its own wait. With a higher count, the clock never moves. If the number changes during the run,
    /// move the clock step by step instead.
    ///
    /// - Parameters:
    ///   - count: The number of tasks that must sleep before the clock moves; at least 1.
    ///   - body: The closure, which runs in the caller's task.
    /// - Throws: The errors of `body`.
    public func run<Value>(whenSleeping count: Int = 1, _ body: () async throws -> Value) async rethrows -> Value {
        async let _ = moveOn(whenSleeping: max(count, 1))
        return try await body()
    }

    private func moveOn(whenSleeping count: Int) async {
        while (try? await suspendPatiently(until: .sleepers(count))) != nil { advanceToNextDeadline() }
    }

    private func wait(for condition: ManualClockState.Condition) async throws {
        do {
            try await suspendPatiently(until: condition)
        } catch let error as TooFewSleepers {
            report(error.description)
            throw error
        }
    }

    /// Waits until a condition holds, and reports once if that takes too long.
    private func suspendPatiently(until condition: ManualClockState.Condition) async throws {
        async let _ = reportAfterLimit(condition)
        try await suspend(until: condition)
    }

    private func reportAfterLimit(_ condition: ManualClockState.Condition) async {
        guard (try? await realTime.sleep(for: reportLimit.bounded)) != nil else { return }
        guard let delay = state.withLock({ $0.delay(of: condition) }) else { return }
        report("still waiting after \(reportLimit): \(delay)")
    }

    private func suspend(until condition: ManualClockState.Condition) async throws {
        let ticket = state.withLock { $0.nextTicket() }
        try await withCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                perform(state.withLock { $0.wait(for: condition, ticket: ticket, waiter: continuation) })
            }
        } onCancel: {
            perform(state.withLock { $0.cancel(ticket) })
        }
    }

    private func perform(_ actions: [ManualClockState.Action]) {
        for action in actions { action.waiter.resume(with: action.result) }
    }

    /// The name of the current task; `nil` on systems without task names.
    private static var taskName: String? {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { Task.name } else { nil }
    }
}

extension ManualClock {
    /// The error of a cancelled wait for sleeping tasks.
    public struct TooFewSleepers: Error, CustomStringConvertible {
        /// The deadlines of the sleeping tasks, the earliest first.
        public let deadlines: [Instant]
        /// The awaited sleepers and the present ones, with the names of named tasks: `2 sleepers were waited for; 1
        /// sleeps at 0.0 seconds: until 5.0 seconds`.
        public let description: String
    }
}

extension ManualClock: CustomStringConvertible {
    /// The time and the deadlines of the sleeping tasks: `2 sleep at 0.0 seconds: until 5.0 seconds, until 30.0 seconds
    /// (heartbeat)`.
    public var description: String { state.withLock { $0.description } }
}
