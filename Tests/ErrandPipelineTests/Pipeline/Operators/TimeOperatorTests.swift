import Errand
import ErrandTesting
import TestSupport
import Testing

struct `A timeout` {
    let clock = ManualClock()
    let gate = Gate()

    @Test func `a timeout fails a run that takes too long and cancels it`() async throws {
        let cancelled = Gate()
        let slow = Pipeline<Int, any Error> { [gate] in
            try await gate.pass()
            return 1
        }
        .handleEvents(receiveCancel: { cancelled.open() })
        let pipeline = slow.timeout(.seconds(3), clock: clock)
        let task = Task { try await pipeline.value }
        try await clock.waitForSleepers()
        try await gate.waitForArrivals(1)
        clock.advance(by: .seconds(3))
        let error = await expectFailure(.timedOut) { try await task.value }
        #expect(error?.reason == "the pipeline took longer than 3 s")
        try await cancelled.pass()
    }

    @Test func `a run that ends in time passes its value and stops the timeout's clock`() async throws {
        let pipeline = Pipeline<Int, any Error> { [gate] in
            try await gate.pass()
            return 1
        }
        .timeout(.seconds(3), clock: clock)
        let task = Task { try await pipeline.value }
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(2999))
        gate.open()
        #expect(try await task.value == 1)
        try await waitUntil { clock.sleeperCount == 0 }
    }

    @Test func `a timeout starts nothing if the task is already cancelled`() async {
        let runs = Recorder<Int>()
        let start = Gate()
        let sending = Pipeline<Void, any Error> {
            if Task.isCancelled { throw CancellationError() }
            runs.record(1)
        }
        let task = Task { [clock] in
            try? await start.pass()
            try await sending.timeout(.seconds(1), clock: clock).value
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(runs.elements.isEmpty)
    }

    @Test func `a timeout and a delay accept the longest duration`() async throws {
        let longest = Duration.seconds(Int64.max)
        #expect(try await Pipeline<Int, any Error>.just(1).timeout(longest).value == 1)
        let task = Task { try await Pipeline<Int, any Error>.just(1).delay(longest).value }
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
    }

    @Test func `a run that fails in time passes its failure`() async {
        let failing = Pipeline<Int, Fault>.fail(.first).timeout(.seconds(3), clock: clock, failure: .second)
        #expect(await failing.result == .failure(.first))
    }

    @Test func `a timeout can fail with a custom failure`() async throws {
        let pipeline = Pipeline<Int, Fault> { [gate] () async throws(Fault) in
            try? await gate.pass()
            return 1
        }
        .timeout(.seconds(1), clock: clock, failure: .second)
        let task = Task { await pipeline.result }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        #expect(await task.value == .failure(.second))
    }

    @Test func `a timeout does not wait for a run that ignores cancellation`() async throws {
        let stubborn = Gate()
        let pipeline = Pipeline<Int, any Error> {
            await withCheckedContinuation { continuation in
                Task.detached {
                    try await stubborn.pass()
                    continuation.resume()
                }
            }
            return 1
        }
        .timeout(.seconds(1), clock: clock)
        let task = Task { try await pipeline.value }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        await expectFailure(.timedOut) { try await task.value }
        stubborn.open()
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `a timeout of zero or less fails at once and runs nothing`(_ duration: Duration) async {
        let runs = Recorder<Int>()
        let pipeline = Pipeline<Void, any Error> { runs.record(1) }.timeout(duration, clock: clock)
        await expectFailure(.timedOut) { try await pipeline.value }
        #expect(runs.elements.isEmpty)
    }

    @Test func `cancelling a task with a timeout cancels the run`() async throws {
        let pipeline = Pipeline<Void, any Error> { [gate] in try await gate.pass() }.timeout(.seconds(1), clock: clock)
        let task = Task { try await pipeline.value }
        try await gate.waitForArrivals(1)
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
    }
}

struct `A delay` {
    let clock = ManualClock()

    @Test func `a delay passes the value after its duration`() async throws {
        let run = Gate()
        let task = Task { [clock] in
            await Pipeline<Int, Fault>.just(1).handleEvents(receiveOutput: { _ in run.open() })
                .delay(.seconds(2), clock: clock).result
        }
        try await run.pass()
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        #expect(await task.value == .success(1))
    }

    @Test func `a delay does not delay a failure`() async {
        #expect(await Pipeline<Int, Fault>.fail(.first).delay(.seconds(2), clock: clock).result == .failure(.first))
    }

    @Test func `a cancelled delay fails if its failure type allows cancellation`() async throws {
        let task = Task { [clock] in
            try await Pipeline<Int, any Error>.just(1).delay(.seconds(2), clock: clock).value
        }
        try await clock.waitForSleepers()
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
    }

    @Test func `a cancelled delay passes the value if its failure type has no cancellation`() async throws {
        let task = Task { [clock] in await Pipeline<Int, Never>.just(1).delay(.seconds(2), clock: clock).value }
        try await clock.waitForSleepers()
        task.cancel()
        #expect(await task.value == 1)
    }
}
