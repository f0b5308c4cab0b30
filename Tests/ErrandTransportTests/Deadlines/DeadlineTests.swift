import ErrandTesting
import Testing

@testable import Errand

struct `A deadline` {
    let clock = ManualClock()

    @Test func `a deadline passes after the idle time without activity`() async throws {
        let deadline = Deadline(idle: .seconds(2), total: .seconds(100), clock: clock)
        let waiting = Task { try await deadline.passes() }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        guard case .idle(let limit) = try await waiting.value, limit == .seconds(2) else {
            Issue.record("another limit passed")
            return
        }
    }

    @Test func `activity postpones the deadline`() async throws {
        let deadline = Deadline(idle: .seconds(2), total: .seconds(100), clock: clock)
        let waiting = Task { try await deadline.passes() }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        deadline.touch()
        clock.advance(by: .seconds(1))
        // The task woke at 2 s, saw the activity at 1 s, and sleeps until 3 s.
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        _ = try await waiting.value
    }

    @Test func `a deadline passes at the total limit despite activity`() async throws {
        let deadline = Deadline(idle: .seconds(2), total: .seconds(3), clock: clock)
        let waiting = Task { try await deadline.passes() }
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(1500))
        deadline.touch()
        clock.advance(by: .milliseconds(500))
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        guard case .total(let limit) = try await waiting.value, limit == .seconds(3) else {
            Issue.record("another limit passed")
            return
        }
    }

    @Test func `idle time caused by the transport itself is not counted`() async throws {
        let deadline = Deadline(idle: .seconds(2), total: .seconds(100), clock: clock)
        let isCausedByTransport = Locked(false)
        let waiting = Task { try await deadline.passes { isCausedByTransport.withLock { $0 } } }
        try await clock.waitForSleepers()
        isCausedByTransport.withLock { $0 = true }
        for _ in 0..<3 {
            clock.advance(by: .seconds(2))
            try await clock.waitForSleepers()
        }
        clock.advance(by: .seconds(1))
        deadline.touch()
        isCausedByTransport.withLock { $0 = false }
        // The task wakes one second after the activity, and sleeps until two seconds after it.
        clock.advance(by: .seconds(1))
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        _ = try await waiting.value
    }

    @Test func `the total limit includes idle time caused by the transport itself`() async throws {
        let deadline = Deadline(idle: .seconds(2), total: .seconds(3), clock: clock)
        let waiting = Task { try await deadline.passes { true } }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        _ = try await waiting.value
    }

    @Test func `cancelling the task ends the wait for a deadline`() async throws {
        let deadline = Deadline(idle: .seconds(2), total: .seconds(3), clock: clock)
        let waiting = Task { try await deadline.passes() }
        try await clock.waitForSleepers()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test(arguments: [
        (TimeInterval.nan, Duration.seconds(604_800)), (.infinity, .seconds(604_800)), (-1, .zero),
        (0.05, .milliseconds(50)),
        (1e300, .seconds(604_800)),
    ])
    func `a time interval of any size is converted to a duration`(_ interval: TimeInterval, _ expected: Duration) {
        #expect(Duration(bounding: interval) == expected)
    }
}
