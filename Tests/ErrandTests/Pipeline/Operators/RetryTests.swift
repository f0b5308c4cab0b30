import Errand
import TestSupport
import Testing

struct `The retry operator` {
    @Test(arguments: Upstream.allCases)
    func `runs again until a run succeeds`(_ upstream: Upstream) async {
        let runs = Recorder<Int>()
        let pipeline = failing(first: 2, of: upstream, runs).retry(5)
        #expect(await pipeline.result == .success(3))
        #expect(runs.elements.count == 3)
    }

    @Test(arguments: Upstream.allCases)
    func `gives up after so many more and passes the last failure`(_ upstream: Upstream) async {
        let runs = Recorder<Int>()
        #expect(await failing(first: 9, of: upstream, runs).retry(2).result == .failure(.second))
        #expect(runs.elements.count == 3)
    }

    @Test(arguments: [0, -1])
    func `adds no run where it is told none`(_ times: Int) async {
        let runs = Recorder<Int>()
        #expect(await failing(first: 1, of: .immediate, runs).retry(times).result == .failure(.first))
        #expect(runs.elements.count == 1)
    }

    @Test func `does not run again for a task that was cancelled`() async throws {
        let gate = Gate()
        let task = Task {
            await Pipeline<Void, any Error> { try await gate.pass() }.retry(3).result
        }
        try await gate.waitForArrivals(1)
        task.cancel()
        _ = await task.value
        #expect(gate.arrivals == 1)
    }

    @Test func `does not run again when the run itself says that it was cancelled`() async {
        let runs = Recorder<Int>()
        let pipeline = Pipeline<Int, any Error> {
            runs.record(1)
            throw URLError(.cancelled)
        }
        await #expect(throws: URLError(.cancelled)) { try await pipeline.retry(3).value }
        #expect(runs.elements.count == 1)
    }

    @Test func `does not run again in a cancelled task, whatever the run fails with`() async throws {
        let gate = Gate()
        let task = Task {
            await Pipeline<Int, Fault> { () async throws(Fault) in
                try? await gate.pass()
                throw .first
            }.retry(3).result
        }
        try await gate.waitForArrivals(1)
        task.cancel()
        #expect(await task.value == .failure(.first))
        #expect(gate.arrivals == 1)
    }

    /// Fails so often, first with `first` and then with `second`, and then gives the number of runs.
    private func failing(
        first failures: Int, of upstream: Upstream, _ runs: Recorder<Int>
    ) -> Pipeline<Int, Fault> {
        upstream.just(0).handleEvents(receiveStart: { runs.record(1) }).flatMap { _ in
            let run = runs.elements.count
            if run > failures { return .just(run) }
            return .fail(run == 1 ? .first : .second)
        }
    }
}
