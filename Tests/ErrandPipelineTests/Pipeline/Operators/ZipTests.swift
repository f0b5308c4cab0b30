import Errand
import TestSupport
import Testing

struct `Zip` {
    @Test func `zip pairs the values of two concurrent pipelines`() async throws {
        let gate = Gate()
        let one = Pipeline<Int, any Error> {
            try await gate.pass()
            return 1
        }
        let two = Pipeline<String, any Error> {
            // The first pipeline waits for this one, so neither would end if they ran one after the other.
            gate.open()
            return "two"
        }
        #expect(try await one.zip(two).value == (1, "two"))
    }

    @Test func `zip groups the values of three concurrent pipelines`() async throws {
        let gate = Gate()
        let first = Pipeline<Int, any Error> {
            try await gate.pass()
            return 1
        }
        let last = Pipeline<Bool, any Error> {
            gate.open()
            return true
        }
        #expect(try await first.zip(.just("two"), last).value == (1, "two", true))
    }

    @Test func `zip fails with the first failure and cancels the other pipelines`() async throws {
        let gate = Gate()
        let cancelled = Recorder<String>()
        let waiting = Pipeline<Int, any Error> {
            try await gate.pass()
            return 1
        }
        .handleEvents(receiveCancel: { cancelled.record("cancelled") })
        let failing = Pipeline<Int, any Error> {
            try await gate.waitForArrivals(1)
            throw Fault.first
        }
        await #expect(throws: Fault.first) { try await waiting.zip(failing).value }
        #expect(cancelled.elements == ["cancelled"])
        let more = Gate()
        let third = Pipeline<Int, any Error> {
            try await more.pass()
            return 3
        }
        let second = Pipeline<Int, any Error> {
            try await more.waitForArrivals(1)
            throw Fault.second
        }
        await #expect(throws: Fault.second) { try await third.zip(.just(2), second).value }
    }

    /// The third ends only after the first, which the failure of the second cancels.
    @Test func `zip of three cancels the first when the second fails, although the third is still running`() async {
        let (gate, cancelled) = (Gate(), Gate())
        let first = Pipeline<Int, any Error> {
            do { try await gate.pass() } catch { cancelled.open() }
            throw Fault.first
        }
        let second = Pipeline<Int, any Error> {
            try await gate.waitForArrivals(1)
            throw Fault.second
        }
        let third = Pipeline<Int, any Error> {
            await Task { try? await cancelled.pass() }.value
            return 3
        }
        await #expect(throws: Fault.second) { try await first.zip(second, third).value }
    }

    @Test func `cancelling the task cancels all zipped pipelines`() async throws {
        let gate = Gate()
        let waiting = Pipeline<Void, any Error> { try await gate.pass() }
        let task = Task { try await waiting.zip(waiting, waiting).value }
        try await gate.waitForArrivals(3)
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
    }
}
