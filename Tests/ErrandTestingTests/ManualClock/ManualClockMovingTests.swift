import Errand
import TestSupport
import Testing

@testable import ErrandTesting

@Suite(.hangGuard) struct `A manual clock that is moved` {
    let clock = ManualClock()

    private func sleeper(
        _ duration: Duration, name: String? = nil, on other: ManualClock? = nil
    ) -> Task<Void, any Error> {
        Task(name: name) { [clock = other ?? clock] in try await clock.sleep(for: duration) }
    }

    @Test func `advancing a manual clock advances its date`() {
        let clock = ManualClock(date: Date(timeIntervalSince1970: 1_000))
        clock.advance(by: .milliseconds(2_500))
        #expect(clock.date == Date(timeIntervalSince1970: 1_002.5))
        #expect(ManualClock().date == ManualClock.defaultDate)
    }

    @Test func `a wait that is cancelled before, during or after it keeps no ticket`() async throws {
        let state = Locked(ManualClockState())
        for moment in ["before", "during", "after"] {
            let ticket = state.withLock { $0.nextTicket() }
            func cancel() -> [ManualClockState.Action] { state.withLock { $0.cancel(ticket) } }
            func perform(_ actions: [ManualClockState.Action]) {
                for action in actions { action.waiter.resume(with: action.result) }
            }
            if moment == "before" { perform(cancel()) }
            var hasSlept = true
            do {
                try await withCheckedThrowingContinuation { continuation in
                    perform(
                        state.withLock {
                            let deadline = $0.now.advanced(by: .seconds(moment == "after" ? 0 : 1))
                            return $0.wait(for: .time(deadline, name: nil), ticket: ticket, waiter: continuation)
                        })
                    if moment == "during" { perform(cancel()) }
                }
            } catch {
                hasSlept = false
            }
            if moment == "after" { perform(cancel()) }
            #expect(hasSlept == (moment == "after"))
            #expect(state.withLock { $0.isEmpty }, "\(moment)")
        }
    }

    @Test func `advancing to the next deadline wakes only the tasks with that deadline`() async throws {
        let sleepers = [Duration.seconds(5), .seconds(2), .seconds(2)].map { sleeper($0) }
        try await clock.waitForSleepers(3)
        #expect(clock.nextDeadline?.offset == .seconds(2))
        #expect(clock.advanceToNextDeadline() == .seconds(2))
        try await sleepers[1].value
        try await sleepers[2].value
        #expect(clock.sleeperCount == 1)
        #expect(clock.advanceToNextDeadline() == .seconds(3))
        try await sleepers[0].value
        #expect(clock.advanceToNextDeadline() == nil)
        #expect(clock.now.offset == .seconds(5))
    }

    @Test func `a deadline can be more than a hundred years away`() async throws {
        let clock = ManualClock(reportsAfter: .seconds(Int64.max))
        let deadline = ManualClock.Instant(offset: .seconds(Int64.max))
        let sleeper = Task { try await clock.sleep(until: deadline) }
        try await clock.waitForSleepers()
        #expect(clock.advanceToNextDeadline() == .seconds(Int64.max))
        try await sleeper.value
        #expect(clock.now == deadline)
    }

    @Test func `advancing to a past instant does not move the clock`() async throws {
        clock.advance(to: ManualClock.Instant(offset: .seconds(3)))
        clock.advance(to: ManualClock.Instant(offset: .seconds(2)))
        #expect(clock.now.offset == .seconds(3))
    }

    @Test func `a manual clock never moves backward and saturates on overflow`() {
        clock.advance(by: .seconds(-1))
        #expect(clock.now.offset == .zero)
        for _ in 1...3 { clock.advance(by: .seconds(Int64.max)) }
        #expect(clock.now.offset > .seconds(1_000_000_000))
    }

    @Test func `a run advances the clock whenever the given number of tasks sleep`() async throws {
        let woken = Recorder<Int>()
        let value = await clock.run(whenSleeping: 2) {
            let quick = Task { [clock] in
                for _ in 1...2 {
                    try await clock.sleep(for: .seconds(1))
                    woken.record(1)
                }
                // This task must still sleep, because the clock advances only while two tasks sleep.
                try await clock.sleep(for: .seconds(100))
            }
            for _ in 1...2 {
                try? await clock.sleep(for: .seconds(3))
                woken.record(3)
            }
            quick.cancel()
            _ = await quick.result
            return "done"
        }
        #expect(value == "done")
        #expect(woken.elements == [1, 1, 3, 3])
        #expect(clock.now.offset == .seconds(6))
    }

    @Test func `the clock stops advancing when a run ends`() async throws {
        try await clock.run { try await clock.sleep(for: .seconds(1)) }
        let late = sleeper(.seconds(1))
        try await clock.waitForSleepers()
        #expect(clock.now.offset == .seconds(1))
        clock.advance(by: .seconds(1))
        try await late.value
    }

    @Test func `waiting for a sleeper with a deadline ends when it sleeps`() async throws {
        let early = sleeper(.seconds(1))
        let waiting = Task { try await clock.waitForSleeper(until: .init(offset: .seconds(3))) }
        try await clock.waitForSleepers()
        let late = sleeper(.seconds(3))
        try await waiting.value
        #expect(clock.sleeperCount == 2)
        clock.advance(by: .seconds(3))
        try await early.value
        try await late.value
    }

    @Test func `a cancelled wait for sleepers reports which tasks sleep until when`() async throws {
        let reports = Recorder<String>()
        let clock = ManualClock(realTime: ManualClock()) { reports.record($0) }
        let sleepers = [sleeper(.seconds(30), name: "heartbeat", on: clock), sleeper(.seconds(5), on: clock)]
        try await clock.waitForSleepers(2)
        let waiting = Task { try await clock.waitForSleepers(3) }
        waiting.cancel()
        let error = await thrown(ManualClock.TooFewSleepers.self) { try await waiting.value }
        #expect(error?.deadlines.map(\.offset) == [.seconds(5), .seconds(30)])
        #expect(
            error?.description
                == "3 sleepers were waited for; 2 sleep at 0.0 seconds: until 5.0 seconds, until 30.0 seconds (heartbeat)"
        )
        let another = Task { try await clock.waitForSleeper(until: .init(offset: .seconds(6))) }
        another.cancel()
        let other = await thrown(ManualClock.TooFewSleepers.self) { try await another.value }
        #expect(other?.description.hasPrefix("a sleeper until 6.0 seconds was waited for; 2 sleep at ") == true)
        #expect(reports.elements == [error?.description, other?.description])
        #expect(clock.description == "2 sleep at 0.0 seconds: until 5.0 seconds, until 30.0 seconds (heartbeat)")
        for sleeper in sleepers { sleeper.cancel() }
    }

    @Test func `a long wait for sleepers reports the sleepers once and continues`() async throws {
        let (reports, reported) = (Recorder<String>(), Gate())
        let realTime = ManualClock()
        let clock = ManualClock(reportsAfter: .seconds(2), realTime: realTime) { text in
            reports.record(text)
            reported.open()
        }
        let first = sleeper(.seconds(30), name: "heartbeat", on: clock)
        let waiting = Task { try await clock.waitForSleepers(2) }
        try await realTime.waitForSleeper(until: .init(offset: .seconds(2)))
        #expect(reports.elements.isEmpty)
        realTime.advance(by: .seconds(2))
        try await reported.pass()
        #expect(
            reports.elements == [
                "still waiting after 2.0 seconds: 2 sleepers were waited for; "
                    + "1 sleeps at 0.0 seconds: until 30.0 seconds (heartbeat)"
            ])
        let second = sleeper(.seconds(5), on: clock)
        try await waiting.value
        #expect(reports.elements.count == 1)
        #expect(realTime.sleeperCount == 0)
        for sleeper in [first, second] { sleeper.cancel() }
    }

    @Test func `a run that does not progress reports the sleepers`() async throws {
        let (reports, reported) = (Recorder<String>(), Gate())
        let realTime = ManualClock()
        let clock = ManualClock(realTime: realTime) { text in
            reports.record(text)
            reported.open()
        }
        let running = Task {
            try await clock.run(whenSleeping: 2) { try await clock.sleep(for: .seconds(1)) }
        }
        try await clock.waitForSleepers()
        try await realTime.waitForSleepers()
        realTime.advance(by: .seconds(5))
        try await reported.pass()
        #expect(
            reports.elements == [
                "still waiting after 5.0 seconds: 2 sleepers were waited for; 1 sleeps at 0.0 seconds: until 1.0 seconds"
            ])
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
    }
}
