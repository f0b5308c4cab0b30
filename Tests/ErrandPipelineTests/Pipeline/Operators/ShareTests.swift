import Errand
import TestSupport
import Testing

struct `A shared pipeline` {
    let gate = Gate()
    let runs = Recorder<String>()

    /// Waits at the gate, and records when it starts and when it is cancelled.
    var upstream: Pipeline<Int, any Error> {
        Pipeline { [gate, runs] in
            runs.record("run")
            try await gate.pass()
            return 7
        }
        .handleEvents(receiveCancel: { [runs] in runs.record("cancel") })
    }

    @Test func `a shared pipeline runs once, and later readers receive the same value`() async throws {
        let shared = upstream.share()
        #expect(runs.elements.isEmpty)
        let waiters = (0..<100).map { _ in Task { try await shared.value } }
        try await gate.waitForArrivals(1)
        gate.open()
        for waiter in waiters { #expect(try await waiter.value == 7) }
        #expect(try await shared.value == 7)
        #expect(runs.elements == ["run"])
    }

    @Test func `a shared pipeline replays a failure`() async throws {
        let failing = Pipeline<Int, any Error> { [runs] in
            runs.record("run")
            throw Fault.first
        }
        let shared = failing.share()
        await #expect(throws: Fault.first) { try await shared.value }
        await #expect(throws: Fault.first) { try await shared.value }
        #expect(runs.elements == ["run"])
    }

    /// Runs on one actor: a task that has opened the gate joins the run before another task continues.
    @MainActor @Test func `cancelling one reader of a shared pipeline does not affect the others`() async throws {
        let shared = upstream.share()
        let leaving = Task { try await shared.value }
        try await gate.waitForArrivals(1)
        let joining = Gate()
        let staying = Task {
            joining.open()
            return try await shared.value
        }
        try await joining.pass()
        leaving.cancel()
        await expectFailure(.cancelled) { try await leaving.value }
        #expect(runs.elements == ["run"])
        gate.open()
        #expect(try await staying.value == 7)
        #expect(runs.elements == ["run"])
    }

    @Test func `the last cancelled reader cancels the shared run, and the next starts a new one`() async throws {
        let shared = upstream.share()
        let only = Task { try await shared.value }
        try await gate.waitForArrivals(1)
        only.cancel()
        await expectFailure(.cancelled) { try await only.value }
        let next = Task { try await shared.value }
        try await gate.waitForArrivals(2)
        gate.open()
        #expect(try await next.value == 7)
        #expect(try await shared.value == 7)
        #expect(runs.elements == ["run", "cancel", "run"])
    }

    @Test func `the failure of a cancelled shared run is not delivered to a later reader`() async throws {
        let ending = Gate()
        let shared = Pipeline<Int, any Error> { [gate, runs] in
            runs.record("run")
            guard runs.elements.count == 1 else { return 7 }
            do { try await gate.pass() } catch { await Task.detached { try? await ending.pass() }.value }
            throw Fault.first
        }.share()
        let only = Task { try await shared.value }
        try await gate.waitForArrivals(1)
        only.cancel()
        try await ending.waitForArrivals(1)
        #expect(try await shared.value == 7)
        ending.open()
        await expectFailure(.cancelled) { try await only.value }
        #expect(try await shared.value == 7)
        #expect(runs.elements == ["run", "run"])
    }

    @Test func `a cancelled reader whose failure type has no cancellation receives the outcome`() async throws {
        let shared = Pipeline<Int, Fault> { [gate] () async throws(Fault) in
            try? await gate.pass()
            throw .first
        }.share()
        let only = Task { await shared.result }
        try await gate.waitForArrivals(1)
        only.cancel()
        #expect(await only.value == .failure(.first))
    }

    @Test func `a task that is already cancelled does not start a shared run`() async throws {
        let shared = upstream.share()
        let start = Gate()
        let task = Task {
            try? await start.pass()
            return try await shared.value
        }
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        #expect(runs.elements.isEmpty)
    }
}
