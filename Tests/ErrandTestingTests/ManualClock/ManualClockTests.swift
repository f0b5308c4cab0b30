import Errand
import ErrandTesting
import TestSupport
import Testing

struct `A manual clock` {
    let clock = ManualClock()

    @Test func `a manual clock wakes a task at its deadline and not before`() async throws {
        let woken = Recorder<String>()
        let sleeper = Task { [clock] in
            try await clock.sleep(for: .seconds(2))
            woken.record("up")
        }
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(1999))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .milliseconds(1))
        try await sleeper.value
        #expect(woken.elements == ["up"])
        #expect(clock.now.offset == .seconds(2))
    }

    @Test func `sleeping until a past deadline returns at once`() async throws {
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: ManualClock.Instant(offset: .seconds(5)))
    }

    @Test func `cancelling a task ends its sleep`() async throws {
        let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
        try await clock.waitForSleepers()
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test func `a task that is already cancelled does not sleep`() async throws {
        let gate = Gate()
        let sleeper = Task { [clock] in
            _ = try? await gate.pass()
            try await clock.sleep(for: .seconds(1))
        }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test func `tasks with equal deadlines wake in the order in which they started to sleep`() {
        let woken = Recorder<Int>()
        let executor = StepwiseExecutor()
        for number in 0..<20 {
            Task(executorPreference: executor) { [clock] in
                try await clock.sleep(until: ManualClock.Instant(offset: .seconds(1)))
                woken.record(number)
            }
        }
        executor.run()
        #expect(clock.sleeperCount == 20)
        clock.advance(by: .seconds(2))
        executor.run()
        #expect(woken.elements == Array(0..<20))
    }

    @Test func `waiting for sleepers ends when the given number of tasks sleep`() async throws {
        let sleepers = (1...3).map { seconds in
            Task { [clock] in try await clock.sleep(for: .seconds(seconds)) }
        }
        try await clock.waitForSleepers(3)
        clock.advance(by: .seconds(3))
        for sleeper in sleepers { try await sleeper.value }
    }
}

/// Runs its tasks on request, in the order in which they are started and woken.
private final class StepwiseExecutor: TaskExecutor {
    private let jobs = Locked<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs every task that can continue, until none can.
    func run() {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
