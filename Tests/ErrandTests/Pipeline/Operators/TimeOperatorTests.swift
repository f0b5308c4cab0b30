import Errand
import ErrandTesting
import TestSupport
import Testing

struct `A timeout` {
    let clock = ManualClock()
    let gate = Gate()

    @Test func `fails a run that takes too long, and cancels it`() async throws {
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

    @Test func `passes the value of a run that is in time, and stops its clock`() async throws {
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

    @Test func `starts nothing for a task that is cancelled already`() async {
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

    @Test func `may be as long as a duration can be`() async throws {
        let longest = Duration.seconds(Int64.max)
        #expect(try await Pipeline<Int, any Error>.just(1).timeout(longest).value == 1)
        let task = Task { try await Pipeline<Int, any Error>.just(1).delay(longest).value }
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
    }

    @Test func `passes the failure of a run that is in time`() async {
        let failing = Pipeline<Int, Fault>.fail(.first).timeout(.seconds(3), clock: clock, failure: .second)
        #expect(await failing.result == .failure(.first))
    }

    @Test func `fails with a failure of the caller's type`() async throws {
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

    @Test func `does not wait for a run that does not heed its cancellation`() async throws {
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
    func `of nothing fails at once and runs nothing`(_ duration: Duration) async {
        let runs = Recorder<Int>()
        let pipeline = Pipeline<Void, any Error> { runs.record(1) }.timeout(duration, clock: clock)
        await expectFailure(.timedOut) { try await pipeline.value }
        #expect(runs.elements.isEmpty)
    }

    @Test func `passes a cancellation on to the run`() async throws {
        let pipeline = Pipeline<Void, any Error> { [gate] in try await gate.pass() }.timeout(.seconds(1), clock: clock)
        let task = Task { try await pipeline.value }
        try await gate.waitForArrivals(1)
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
    }
}

struct `A delay` {
    let clock = ManualClock()

    @Test func `holds the value back for its duration`() async throws {
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

    @Test func `does not hold a failure back`() async {
        #expect(await Pipeline<Int, Fault>.fail(.first).delay(.seconds(2), clock: clock).result == .failure(.first))
    }

    @Test func `that is cancelled says so where its failure can`() async throws {
        let task = Task { [clock] in
            try await Pipeline<Int, any Error>.just(1).delay(.seconds(2), clock: clock).value
        }
        try await clock.waitForSleepers()
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
    }

    @Test func `that is cancelled and has no word for it passes the value`() async throws {
        let task = Task { [clock] in await Pipeline<Int, Never>.just(1).delay(.seconds(2), clock: clock).value }
        try await clock.waitForSleepers()
        task.cancel()
        #expect(await task.value == 1)
    }
}
