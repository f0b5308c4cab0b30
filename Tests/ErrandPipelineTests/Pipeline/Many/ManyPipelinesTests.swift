import Errand
import TestSupport
import Testing

@Suite(.hangGuard) struct `Many pipelines` {
    /// Counts the active runs.
    private final class Meter: Sendable {
        private let counts = Locked((now: 0, most: 0, begun: 0))

        var most: Int { counts.withLock { $0.most } }
        var begun: Int { counts.withLock { $0.begun } }
        var isIdle: Bool { counts.withLock { $0.now == 0 } }

        func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
            counts.withLock { counts in
                counts.now += 1
                counts.begun += 1
                counts.most = max(counts.most, counts.now)
            }
            defer { counts.withLock { $0.now -= 1 } }
            return try await body()
        }
    }

    private let meter = Meter()

    /// Pipelines that yield a few times and return their number.
    private func numbers(_ count: Int) -> [Pipeline<Int, any Error>] {
        (0..<count).map { number in
            Pipeline { [meter] () async throws(any Error) in
                await meter.run { for _ in 0...(number % 3) { await Task.yield() } }
                return number
            }
        }
    }

    /// Waits at a gate.
    private func blocked(_ gate: Gate) -> Pipeline<Int, any Error> {
        Pipeline { [meter] () async throws(any Error) in
            try await meter.run { try await gate.pass() }
            return -1
        }
    }

    @Test func `at most the given number of pipelines run at once, and values keep their order`() async throws {
        #expect(try await numbers(10_000).concurrently(4).value == Array(0..<10_000))
        #expect(meter.most == 4)
    }

    @Test(arguments: [0, -1, 1])
    func `a concurrency limit of 1 or less runs one pipeline at a time`(_ limit: Int) async throws {
        #expect(try await numbers(20).concurrently(limit).value == Array(0..<20))
        #expect(meter.most == 1)
    }

    @Test func `the pipelines run again with each run of their combination`() async throws {
        let pipeline = numbers(3).concurrently(2)
        #expect(try await pipeline.value == [0, 1, 2])
        #expect(try await pipeline.value == [0, 1, 2])
        #expect(meter.begun == 6)
    }

    @Test func `an empty list of pipelines has no values`() async throws {
        let none: [Pipeline<Int, any Error>] = []
        #expect(try await none.concurrently(4).value.isEmpty)
        #expect(await none.results(concurrently: 4).value.isEmpty)
        for await _ in none.merge() { Issue.record("an empty list has an outcome") }
    }

    @Test func `the first failure ends concurrent pipelines and cancels the others`() async throws {
        let (gate, failing) = (Gate(), Gate())
        let failure = Pipeline<Int, any Error> { () async throws(any Error) in
            try await failing.pass()
            throw Fault.first
        }
        let pipelines = [blocked(gate), failure, blocked(gate)] + numbers(10)
        let task = Task { try await pipelines.concurrently(3).value }
        try await gate.waitForArrivals(2)
        failing.open()
        await #expect(throws: Fault.first) { try await task.value }
        #expect(meter.begun == 2)
    }

    @Test func `concurrent pipelines keep the type of their failure`() async {
        let pipelines: [Pipeline<Int, Fault>] = [.just(1), .fail(.second)]
        #expect(await Pipeline.zip(pipelines).result == .failure(.second))
        let cannotFail: [Pipeline<Int, Never>] = [.just(1), .just(2)]
        #expect(await Pipeline.zip(cannotFail).value == [1, 2])
    }

    @Test func `zipped pipelines all run at once without a limit`() async throws {
        let gate = Gate()
        let task = Task { try await Pipeline.zip((0..<100).map { _ in blocked(gate) }).value.count }
        try await gate.waitForArrivals(100)
        gate.open()
        #expect(try await task.value == 100)
    }

    @Test func `cancelling the task cancels all concurrent pipelines`() async throws {
        let gate = Gate()
        let pipelines = (0..<10).map { _ in blocked(gate) }
        let task = Task { try await pipelines.concurrently(4).value }
        try await gate.waitForArrivals(4)
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        #expect(meter.begun == 4)
    }

    @Test func `concurrent results contain a result for each pipeline`() async throws {
        let pipelines = [numbers(1)[0], .fail(Fault.first)] + numbers(3)
        let results = await pipelines.results(concurrently: 2).value
        #expect(results.map { try? $0.get() } == [0, nil, 0, 1, 2])
    }

    @Test func `cancelled concurrent results contain a result for each, and nothing more is sent`() async throws {
        let gate = Gate()
        let transport = RecordingTransport()
        final class Fetch: APIBase, Request {
            func start() -> Pipeline<Int, any Error> { sendRequest().map(\.statusCode) }
        }
        let requests = (0..<5).map { _ in
            let fetch = Fetch()
            fetch.baseURL = URL(string: "https://api.example.com")
            fetch.session = transport
            return fetch.start()
        }
        let pipelines = [blocked(gate), blocked(gate)] + requests
        let task = Task { await pipelines.results(concurrently: 2).value }
        try await gate.waitForArrivals(2)
        task.cancel()
        let results = await task.value
        #expect(results.count == 7)
        #expect(results.allSatisfy { (try? $0.get()) == nil })
        #expect(transport.sent.elements.isEmpty)
    }

    @Test func `merged pipelines deliver their outcomes in order of completion`() async throws {
        let gate = Gate()
        let pipelines = [blocked(gate), .fail(Fault.first)] + numbers(2)
        var offsets: [Int] = []
        for await (offset, result) in pipelines.merge(2) {
            offsets.append(offset)
            if offset == 3 { gate.open() }
            if offset == 1 { #expect(throws: Fault.first) { try result.get() } }
        }
        #expect(offsets == [1, 2, 3, 0])
    }

    @Test func `merged pipelines do not run ahead of their consumer`() async throws {
        var iterator = numbers(100).merge(3).makeAsyncIterator()
        for received in 1...10 {
            #expect(await iterator.next(isolation: #isolation) != nil)
            // Three more pipelines start and end. A fourth must not start when one of them has ended.
            try await waitUntil { meter.begun >= received + 3 && meter.isIdle }
            #expect(meter.begun == received + 3)
        }
    }

    @Test(arguments: [false, true])
    func `leaving or cancelling the loop cancels merged pipelines`(_ isCancelled: Bool) async throws {
        let (gate, ended) = (Gate(), Gate())
        let waiting = Pipeline<Int, any Error> { () async throws(any Error) in
            do { try await gate.pass() } catch {
                ended.open()
                throw error
            }
            return 1
        }
        let pipelines: [Pipeline<Int, any Error>] = [waiting, .just(2)]
        let task = Task {
            var count = 0
            for await _ in pipelines.merge() {
                count += 1
                if !isCancelled { break }
            }
            return count
        }
        try await gate.waitForArrivals(1)
        if isCancelled { task.cancel() }
        try await ended.pass()
        #expect(await task.value <= 1)
    }

    @Test func `a race returns the first value`() async throws {
        let gate = Gate()
        let winner = Pipeline<Int, any Error> { () async throws(any Error) in
            try await gate.waitForArrivals(1)
            return 7
        }
        #expect(try await blocked(gate).race([.fail(Fault.first), winner]).value == 7)
    }

    @Test func `a race fails with the last failure if all pipelines fail`() async {
        let pipeline = Pipeline<Int, Fault>.fail(.first).race([.fail(.first)])
        #expect(await pipeline.result == .failure(.first))
    }
}
