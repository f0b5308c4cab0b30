import Errand

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// async let outcome = request.start().timeout(.seconds(30), clock: clock).result
/// try await clock.waitForSleepers()
/// clock.advance(by: .seconds(30))
/// ```
///
/// It starts at zero and takes no real time. Whoever sleeps on it wakes when it is moved to or past the deadline, in
/// the order of the deadlines.
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

    /// Guards the time, who sleeps until when, and who waits for sleepers.
    private let state = Locked(ManualClockState())

    /// A clock at zero, where nobody sleeps.
    public init() {}

    /// The time; it changes only by ``advance(by:)``.
    public var now: Instant { state.withLock { $0.now } }
    /// Any difference counts.
    public var minimumResolution: Duration { .zero }
    /// How many tasks sleep now.
    public var sleeperCount: Int { state.withLock { $0.sleeperCount } }

    /// Sleeps until the clock is moved to or past the deadline.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await suspend(until: .time(deadline))
    }

    /// Waits until so many tasks sleep at once, so that moving the clock reaches them.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before.
    public func waitForSleepers(_ count: Int = 1) async throws {
        try await suspend(until: .sleepers(count))
    }

    /// Moves the clock, and wakes whoever slept until then.
    public func advance(by duration: Duration) {
        perform(state.withLock { $0.advance(by: duration) })
    }

    private func suspend(until condition: ManualClockState.Condition) async throws {
        let ticket = state.withLock { $0.nextTicket() }
        try await withTaskCancellationHandler {
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
}
