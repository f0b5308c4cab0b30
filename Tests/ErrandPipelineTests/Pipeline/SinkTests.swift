import Errand
import TestSupport
import Testing

struct `A sink` {
    let events = Recorder<String>()

    @Test func `a sink receives the value and then the completion`() async throws {
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

    @Test func `a sink receives a failure without a value`() async throws {
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

    @MainActor @Test func `a sink calls its closures on the actor that created it`() async throws {
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

    @Test func `cancelling a sink cancels the run and calls no closure afterward`() async throws {
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

    @Test func `releasing the token of a sink cancels the run`() async throws {
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
    @MainActor @Test func `a sink cancelled on its actor calls no closure even if the value is ready`() async throws {
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
    @Test func `a cancellation token runs its action once`() {
        let calls = Recorder<Int>()
        do {
            let token = CancellationToken { calls.record(1) }
            token.cancel()
            token.cancel()
        }
        #expect(calls.elements == [1])
    }

    @Test func `a stored cancellation token lives as long as its collection`() {
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
