import Errand
import TestSupport
import Testing

struct `A sink` {
    let events = Recorder<String>()

    @Test func `receives the value and then the completion`() async throws {
        let done = Gate()
        let token = Pipeline<Int, Fault>.just(1).sink { [events] completion in
            events.record("\(completion == .finished)")
            done.open()
        } receiveValue: { [events] value in
            events.record("\(value)")
        }
        try await done.pass()
        #expect(events.elements == ["1", "true"])
        token.cancel()
    }

    @Test func `receives a failure and no value`() async throws {
        let done = Gate()
        let token = Pipeline<Int, Fault>.fail(.first).sink { [events] completion in
            events.record("\(completion == .failure(.first))")
            done.open()
        } receiveValue: { [events] value in
            events.record("\(value)")
        }
        try await done.pass()
        #expect(events.elements == ["true"])
        token.cancel()
    }

    @MainActor @Test func `calls back on the actor it was called on`() async throws {
        var values: [Int] = []
        let done = Gate()
        let token = Pipeline<Int, Fault>.just(1).sink { _ in
            MainActor.assertIsolated()
            done.open()
        } receiveValue: { value in
            MainActor.assertIsolated()
            values.append(value)
        }
        try await done.pass()
        #expect(values == [1])
        token.cancel()
    }

    @Test func `cancels the run when it is told to, and calls nothing afterwards`() async throws {
        let gate = Gate()
        let cancelled = Gate()
        let token = waiting(at: gate, cancelled).sink { [events] _ in
            events.record("completion")
        } receiveValue: { [events] _ in
            events.record("value")
        }
        try await gate.waitForArrivals(1)
        token.cancel()
        try await cancelled.pass()
        token.cancel()
        #expect(events.elements.isEmpty)
    }

    @Test func `cancels the run when its token is released`() async throws {
        let gate = Gate()
        let cancelled = Gate()
        var token: CancellationToken? = waiting(at: gate, cancelled).sink { _ in
        } receiveValue: { _ in
        }
        try await gate.waitForArrivals(1)
        #expect(token != nil)
        token = nil
        try await cancelled.pass()
    }

    /// Runs on one actor: a cancellation on that actor takes effect before a value that is about to arrive there.
    @MainActor @Test func `calls nothing after a cancel on its actor, even when the value is there`() async throws {
        for _ in 0..<100 {
            let delivered = Recorder<Int>()
            let produced = Gate()
            let token = Pipeline<Int, Fault>.just(1).handleEvents(receiveOutput: { _ in produced.open() })
                .sink { _ in
                } receiveValue: {
                    delivered.record($0)
                }
            token.cancel()
            try await produced.pass()
            #expect(delivered.elements.isEmpty)
        }
    }

    private func waiting(at gate: Gate, _ cancelled: Gate) -> Pipeline<Void, any Error> {
        Pipeline<Void, any Error> { try await gate.pass() }.handleEvents(receiveCancel: { cancelled.open() })
    }
}

struct `A cancellable` {
    @Test func `does its work once, however often it is cancelled`() {
        let calls = Recorder<Int>()
        do {
            let token = CancellationToken { calls.record(1) }
            token.cancel()
            token.cancel()
        }
        #expect(calls.elements == [1])
    }

    @Test func `lives as long as the collection it is stored in`() {
        let calls = Recorder<Int>()
        var tokens = Set<CancellationToken>()
        var list: [CancellationToken] = []
        CancellationToken { calls.record(1) }.store(in: &tokens)
        CancellationToken { calls.record(2) }.store(in: &list)
        #expect(calls.elements.isEmpty)
        tokens = []
        list = []
        #expect(calls.elements == [1, 2])
    }
}
