import Errand
import TestSupport
import Testing

struct `A source` {
    @Test func `a just pipeline returns its value`() async {
        #expect(await Pipeline<Int, Never>.just(7).value == 7)
    }

    @Test func `a fail pipeline fails at each run`() async {
        let pipeline = Pipeline<Int, Fault>.fail(.second)
        #expect(await pipeline.result == .failure(.second))
        #expect(await pipeline.result == .failure(.second))
    }

    @Test func `a deferred pipeline is made again for each run`() async {
        let made = Recorder<Int>()
        let pipeline = Pipeline<Int, Never>.deferred {
            made.record(made.elements.count)
            return .just(made.elements.count)
        }
        #expect(made.elements.isEmpty)
        #expect(await pipeline.value == 1)
        #expect(await pipeline.value == 2)
    }

    @Test func `a deferred pipeline fails with the error that its closure throws`() async {
        let made = Recorder<Int>()
        let pipeline = Pipeline<Int, any Error>.deferred {
            made.record(1)
            if made.elements.count == 1 { throw Fault.first }
            return .just(7)
        }
        await #expect(throws: Fault.first) { try await pipeline.value }
        #expect((try? await pipeline.value) == 7)
        let typed = Pipeline<Int, Fault>.deferred { () throws(Fault) in throw Fault.second }
        #expect(await typed.result == .failure(.second))
    }
}

struct `A callback source` {
    @Test func `a callback pipeline returns the outcome of its promise, whenever it is resolved`() async throws {
        let early = Pipeline<Int, Fault>.callback { $0.resolve(with: .success(1)) }
        #expect(await early.result == .success(1))

        let held = Recorder<PipelinePromise<Int, Fault>>()
        let gate = Gate()
        let late = Pipeline<Int, Fault>.callback { promise in
            held.record(promise)
            gate.open()
        }
        async let result = late.result
        try await gate.pass()
        held.elements[0].resolve(with: .failure(.first))
        #expect(await result == .failure(.first))
    }

    @Test func `a promise uses its first outcome and ignores others`() async {
        let pipeline = Pipeline<Int, Fault>.callback { promise in
            promise.resolve(with: .success(1))
            promise.resolve(with: .success(2))
            promise.resolve(with: .failure(.first))
        }
        #expect(await pipeline.result == .success(1))
    }

    @Test func `a cancelled callback pipeline fails at once and notifies the promise`() async {
        let cancelled = Recorder<String>()
        let registered = Gate()
        let task = Task {
            try await Pipeline<Int, any Error>.callback { promise in
                promise.onCancel { cancelled.record("cancelled") }
                registered.open()
            }.value
        }
        _ = try? await registered.pass()
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        #expect(cancelled.elements == ["cancelled"])
    }

    @Test(.hangGuard)
    func `a promise releases its cancellation handler`() async throws {
        final class Job: Sendable {
            let promise: PipelinePromise<Int, any Error>
            init(_ promise: PipelinePromise<Int, any Error>) { self.promise = promise }
            deinit { promise.resolve(with: .failure(Fault.second)) }
            func stop() {}
        }
        let pipeline = Pipeline<Int, any Error>.callback { promise in
            for _ in 0..<2 {
                let job = Job(promise)
                promise.onCancel { job.stop() }
            }
            promise.resolve(with: .success(1))
        }
        await #expect(throws: Fault.second) { try await pipeline.value }
    }

    @Test func `a handler added after the cancellation is called`() async throws {
        let handlerCalled = Gate()
        let registered = Gate()
        let goOn = Gate()
        let task = Task {
            try await Pipeline<Int, any Error>.callback { promise in
                Task {
                    registered.open()
                    try? await goOn.pass()
                    promise.onCancel { handlerCalled.open() }
                }
            }.value
        }
        _ = try? await registered.pass()
        task.cancel()
        _ = await task.result
        goOn.open()
        try await handlerCalled.pass()
    }

    @Test func `a cancelled callback without a cancellation failure waits for its promise`() async {
        let registered = Gate()
        let task = Task {
            await Pipeline<Int, Fault>.callback { promise in
                promise.onCancel { promise.resolve(with: .failure(.second)) }
                registered.open()
            }.result
        }
        _ = try? await registered.pass()
        task.cancel()
        #expect(await task.value == .failure(.second))
    }
}
