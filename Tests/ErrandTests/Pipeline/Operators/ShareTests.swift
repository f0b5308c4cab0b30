import TestSupport
import Testing

@testable import Errand

struct `A shared pipeline` {
    let gate = Gate()
    let runs = Recorder<String>()

    /// Waits at the gate, and says when it starts and when it is cancelled.
    var upstream: Pipeline<Int, any Error> {
        Pipeline { [gate, runs] in
            runs.record("run")
            try await gate.pass()
            return 7
        }
        .handleEvents(receiveCancel: { [runs] in runs.record("cancel") })
    }

    @Test func `is run once for all who wait, and replays to those who come later`() async throws {
        let shared = upstream.share()
        #expect(runs.elements.isEmpty)
        let waiters = (0..<100).map { _ in Task { try await shared.value } }
        try await gate.waitForArrivals(1)
        gate.open()
        for waiter in waiters { #expect(try await waiter.value == 7) }
        #expect(try await shared.value == 7)
        #expect(runs.elements == ["run"])
    }

    @Test func `replays a failure too`() async throws {
        let failing = Pipeline<Int, any Error> { [runs] in
            runs.record("run")
            throw Fault.first
        }
        let shared = failing.share()
        await #expect(throws: Fault.first) { try await shared.value }
        await #expect(throws: Fault.first) { try await shared.value }
        #expect(runs.elements == ["run"])
    }

    /// On one actor, so that a task that has said it is about to join has joined by the time anyone else runs.
    @MainActor @Test func `lets one joiner leave and goes on for the others`() async throws {
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

    @Test func `is cancelled when the last one leaves, and not sent again`() async throws {
        let shared = upstream.share()
        let only = Task { try await shared.value }
        try await gate.waitForArrivals(1)
        only.cancel()
        await expectFailure(.cancelled) { try await only.value }
        await #expect(throws: CancellationError.self) { try await shared.value }
        #expect(runs.elements == ["run", "cancel"])
    }

    @Test func `does not run for a task that is cancelled already`() async throws {
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

/// The state machine alone, without a thread.
struct `The state of sharing` {
    private func promise() -> Promise<Int, any Error> { Promise() }

    @Test func `starts with the first, keeps running when one of two leaves, and cancels with the last`() {
        var state = ShareState<Int, any Error>()
        let first = state.join(promise())
        guard case .start = first.action else {
            Issue.record("the first starts")
            return
        }
        let second = state.join(promise())
        guard case .none = second.action else {
            Issue.record("the second joins")
            return
        }
        let task = Task {}
        guard case .none = state.started(task) else {
            Issue.record("nobody has left")
            return
        }
        guard case .none = state.leave(first.ticket) else {
            Issue.record("one is left")
            return
        }
        guard case .cancel = state.leave(second.ticket) else {
            Issue.record("nobody is left")
            return
        }
    }

    @Test func `cancels a run whose only waiter left while it was starting`() {
        var state = ShareState<Int, any Error>()
        let only = state.join(promise())
        guard case .none = state.leave(only.ticket) else {
            Issue.record("there is no task yet")
            return
        }
        guard case .cancel = state.started(Task {}) else {
            Issue.record("nobody is left")
            return
        }
    }

    @Test func `tells everybody, the departed included, and whoever comes later`() {
        var state = ShareState<Int, any Error>()
        let only = state.join(promise())
        _ = state.started(Task {})
        _ = state.leave(only.ticket)
        guard case .resolve(let told, .success(5)) = state.finish(.success(5)) else {
            Issue.record("the outcome is told")
            return
        }
        #expect(told.count == 1)
        guard case .resolve(let late, .success(5)) = state.join(promise()).action else {
            Issue.record("latecomers are told")
            return
        }
        #expect(late.count == 1)
    }
}
