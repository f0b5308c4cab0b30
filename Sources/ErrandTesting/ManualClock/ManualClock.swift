public import Errand

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// async let outcome = request.start().timeout(.seconds(30), clock: clock).result
/// try await clock.waitForSleepers()
/// clock.advance(by: .seconds(30))
/// ```
///
/// It starts at zero and takes no real time. A task that sleeps on it wakes when the clock is moved to or past the deadline:
/// the earliest deadline first, and of equal deadlines the task that went to sleep first. Code that works with dates gets
/// them from ``date``, which moves along: `now: { clock.date }`.
public final class ManualClock: Clock, Sendable {
    /// A moment, as the time since the clock was made.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public var offset: Duration

        /// The moment so long after the clock was made.
        public init(offset: Duration) {
            self.offset = offset
        }

        /// This moment and so much more.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// The time from here to there.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Earlier.
        public static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    /// The date that a clock starts at which is given none: the first second of 2026, in UTC.
    public static let defaultDate = Date(timeIntervalSince1970: 1_767_225_600)

    /// Guards the time, who sleeps until when, and who waits for sleepers.
    private let state = Locked(ManualClockState())
    /// The date at zero.
    private let start: Date
    /// How long a wait takes, in real time, before it is reported.
    private let patience: Duration
    private let realTime: any Clock<Duration>
    /// Shows who sleeps when a wait takes too long or was cancelled.
    private let report: @Sendable (String) -> Void

    /// A clock at zero, where nobody sleeps.
    ///
    /// - Parameters:
    ///   - date: What ``date`` is at zero.
    ///   - patience: How long ``waitForSleepers(_:)``, ``waitForSleeper(until:)`` and ``run(whenSleeping:_:)`` wait, in real time,
    ///     before they write to standard error who sleeps; 5 seconds by default. They go on waiting.
    public convenience init(date: Date = ManualClock.defaultDate, patience: Duration = .seconds(5)) {
        self.init(date: date, patience: patience) {
            FileHandle.standardError.write(Data("ManualClock: \($0)\n".utf8))
        }
    }

    init(
        date: Date = ManualClock.defaultDate, patience: Duration = .seconds(5),
        realTime: any Clock<Duration> = ContinuousClock(), report: @escaping @Sendable (String) -> Void
    ) {
        start = date
        self.patience = patience
        self.realTime = realTime
        self.report = report
    }

    /// The time; it changes only by ``advance(by:)`` and its kind.
    public var now: Instant { state.withLock { $0.now } }
    /// The date, as a wall clock would show it: that of the start, and so much more as has passed since.
    public var date: Date { start.addingTimeInterval(now.offset / .seconds(1)) }
    /// Any difference counts.
    public var minimumResolution: Duration { .zero }
    /// How many tasks sleep now.
    public var sleeperCount: Int { state.withLock { $0.sleeperCount } }
    /// When the first of those who sleep wakes; nil when nobody sleeps.
    public var nextDeadline: Instant? { state.withLock { $0.sleepers.first?.deadline } }

    /// Sleeps until the clock is moved to or past the deadline.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await suspend(until: .time(deadline, name: Self.taskName))
    }

    /// Waits until so many tasks sleep at once, so that moving the clock reaches them.
    ///
    /// A wait that takes longer than the clock's patience, in real time, writes once to standard error who sleeps until when, and
    /// goes on.
    ///
    /// - Throws: ``TooFewSleepers`` when the task is cancelled before, by a test's time limit for example. It says who sleeps
    ///   until when, and is written to standard error too: Swift Testing does not show what a test throws after its time limit.
    public func waitForSleepers(_ count: Int = 1) async throws {
        try await wait(for: .sleepers(count))
    }

    /// Waits until a task sleeps that is to wake exactly then: where others come and go, such as timers that are cancelled
    /// as soon as they are set, this one is the one to wait for.
    ///
    /// - Throws: As ``waitForSleepers(_:)`` does.
    public func waitForSleeper(until deadline: Instant) async throws {
        try await wait(for: .sleeper(deadline))
    }

    /// Moves the clock, and wakes whoever slept until then. Time never goes back: a negative duration is none.
    public func advance(by duration: Duration) {
        perform(state.withLock { $0.advance(by: duration) })
    }

    /// Moves the clock to a moment, and wakes whoever slept until then; does nothing when that has passed.
    public func advance(to moment: Instant) {
        perform(state.withLock { $0.advance(by: $0.now.duration(to: moment)) })
    }

    /// Moves the clock to where the first sleeper wakes, with all that wake then.
    ///
    /// - Returns: How far it moved; nil when nobody sleeps, and it stays where it is.
    @discardableResult public func advanceToNextDeadline() -> Duration? {
        let (moved, actions) = state.withLock { state in
            let moved = state.sleepers.first.map { state.now.duration(to: $0.deadline) }
            return (moved, moved.map { state.advance(by: $0) } ?? [])
        }
        perform(actions)
        return moved
    }

    /// Runs a body, and lets time pass for it: whenever so many tasks sleep, the clock moves on to the first deadline.
    ///
    /// ```swift
    /// let books = try await clock.run { try await BooksRequest(author: "Le Guin").start().value }
    /// #expect(clock.now.offset == .seconds(3))
    /// ```
    ///
    /// The count is how many sleep at once when nothing is left to do but wait: with a timeout around a retry, that is two,
    /// the timeout and the wait between attempts. With a lower one, the clock may be past a timeout before the request has
    /// come to its own wait; with a higher one, it stands still for good. Where the number changes on the way, move the clock
    /// step by step.
    ///
    /// - Parameters:
    ///   - count: How many have to sleep before the clock moves; 1 at least.
    ///   - body: What is run, in the task of the caller.
    /// - Throws: What `body` throws.
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

    /// Waits until a condition holds. Reports it once if that takes too long.
    private func suspendPatiently(until condition: ManualClockState.Condition) async throws {
        async let _ = reportIfPatienceEnds(condition)
        try await suspend(until: condition)
    }

    private func reportIfPatienceEnds(_ condition: ManualClockState.Condition) async {
        guard (try? await realTime.sleep(for: patience)) != nil else { return }
        guard let delay = state.withLock({ $0.delay(of: condition) }) else { return }
        report("still waiting after \(patience): \(delay)")
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

    /// The name of the current task; `nil` on systems before those with task names.
    private static var taskName: String? {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { Task.name } else { nil }
    }
}

extension ManualClock {
    /// Somebody waited for more sleepers than there were, until the task was cancelled.
    public struct TooFewSleepers: Error, CustomStringConvertible {
        /// Until when each sleeps, the first to wake first.
        public let deadlines: [Instant]
        /// What was waited for, and what there was: `2 sleepers were waited for; 1 sleeps at 0.0 seconds: until 5.0 seconds`, with
        /// the names of tasks that have one.
        public let description: String
    }
}

extension ManualClock: CustomStringConvertible {
    /// The time, and who sleeps until when: `2 sleep at 0.0 seconds: until 5.0 seconds, until 30.0 seconds (heartbeat)`.
    public var description: String { state.withLock { $0.description } }
}
