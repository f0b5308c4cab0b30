import Errand
import ErrandTesting
import TestSupport
import Testing

struct `The retry operator` {
    @Test(arguments: Upstream.allCases)
    func `a retry runs the pipeline again until it succeeds`(_ upstream: Upstream) async {
        let runs = Recorder<Int>()
        let pipeline = failing(first: 2, of: upstream, runs).retry(5)
        #expect(await pipeline.result == .success(3))
        #expect(runs.elements.count == 3)
    }

    @Test(arguments: Upstream.allCases)
    func `a retry stops after the given number of repetitions with the last failure`(_ upstream: Upstream) async {
        let runs = Recorder<Int>()
        #expect(await failing(first: 9, of: upstream, runs).retry(2).result == .failure(.second))
        #expect(runs.elements.count == 3)
    }

    @Test(arguments: [0, -1])
    func `a retry count of zero or less adds no run`(_ times: Int) async {
        let runs = Recorder<Int>()
        #expect(await failing(first: 1, of: .immediate, runs).retry(times).result == .failure(.first))
        #expect(runs.elements.count == 1)
    }

    @Test func `a cancelled task is not retried`() async throws {
        let gate = Gate()
        let task = Task {
            await Pipeline<Void, any Error> { try await gate.pass() }.retry(3).result
        }
        try await gate.waitForArrivals(1)
        task.cancel()
        _ = await task.value
        #expect(gate.arrivals == 1)
    }

    @Test func `a run that fails with a cancellation is not retried`() async {
        let runs = Recorder<Int>()
        let pipeline = Pipeline<Int, any Error> {
            runs.record(1)
            throw URLError(.cancelled)
        }
        await #expect(throws: URLError(.cancelled)) { try await pipeline.retry(3).value }
        #expect(runs.elements.count == 1)
    }

    @Test func `a cancelled task is not retried whatever the failure is`() async throws {
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

    private static func error(
        _ code: ErrandError.Code, _ status: Int? = nil, _ method: RequestMethod = .get, attempts: Int = 1,
        cause: (any Error)? = nil
    ) -> ErrandError {
        var error = ErrandError(code, underlyingError: cause)
        (error.statusCode, error.method, error.attempts) = (status, method, attempts)
        return error
    }

    @Test(
        arguments: [
            (error(.timedOut), true), (error(.transportFailed, cause: URLError(.networkConnectionLost)), true),
            (error(.transportFailed, cause: URLError(.serverCertificateUntrusted)), false),
            (error(.transportFailed), true),
            (error(.unacceptableStatusCode, 503), true), (error(.unacceptableStatusCode, 408), true),
            (error(.unacceptableStatusCode, 425), true), (error(.unacceptableStatusCode, 429), true),
            (error(.unacceptableStatusCode, 404), false), (error(.unacceptableStatusCode, 501), false),
            (error(.decodingFailed, 200), false), (error(.unacceptableContentType, 200), false),
            (error(.invalidURL, attempts: 0), false), (error(.bodyEncodingFailed, attempts: 0), false),
            (error(.timedOut, nil, .post), false), (error(.unacceptableStatusCode, 503, .patch), false),
            (error(.timedOut, nil, .put), true), (error(.timedOut, nil, .post, attempts: 0), true),
            (ErrandError(.timedOut), true),
        ] as [(ErrandError, Bool)])
    func `by default, only transient failures of repeatable requests are retried`(
        _ error: ErrandError, _ isRepeated: Bool
    ) async {
        let runs = Recorder<Int>()
        let pipeline = Pipeline<Int, any Error> {
            runs.record(1)
            throw error
        }
        _ = await pipeline.retry(1).result
        #expect(runs.elements.count == (isRepeated ? 2 : 1))
    }

    @Test func `a failure that is not repeated for safety, or for its body, says so`() async throws {
        func reason(_ failures: [ErrandError], where shouldRetry: (@Sendable (any Error) -> Bool)? = nil) async
            -> String?
        {
            let runs = Recorder<Int>()
            let pipeline = Pipeline<Int, any Error> {
                runs.record(1)
                throw failures[min(runs.elements.count, failures.count) - 1]
            }
            guard case .failure(let error as ErrandError) = await pipeline.retry(1, where: shouldRetry).result else {
                return nil
            }
            return error.reason
        }
        let unsafe = Self.error(.unacceptableStatusCode, 503, .post)
        #expect(
            await reason([unsafe])
                == "not sent again, since it sent what is not safe to repeat: see `where:` of `retry(_:)`")
        #expect(await reason([unsafe]) { _ in false } == nil)
        #expect(await reason([Self.error(.unacceptableStatusCode, 404, .post)]) == nil)
        #expect(
            await reason([Self.error(.timedOut), Self.error(.bodyStreamAlreadyOpened)])
                == "not sent again, since its body can be read only once")
    }

    /// A request with failures of a custom type. Its result is that of a closure, whose calls are counted.
    private func request(
        _ method: RequestMethod, _ sent: Recorder<Int>, _ respond: @escaping @Sendable () throws -> DataResponse
    ) -> Pipeline<DataResponse, Fault> {
        let request = APIBase()
        request.url = URL(string: "https://api.example.com/")
        request.method = method
        request.dataTaskPipeline = Pipeline { () async throws(any Error) in
            sent.record(1)
            return try respond()
        }
        return request.startRequest().validateStatusCode(in: 200..<300).mapError { _ in .first }
    }

    @Test(
        arguments: [
            (.get, 503, true), (.get, 404, false), (.put, 503, true), (.post, 503, false), (.post, 404, false),
            (.get, nil, true), (.post, nil, false),
        ] as [(RequestMethod, Int?, Bool)])
    func `a failure of a custom type is retried depending on the request`(
        _ method: RequestMethod, _ status: Int?, _ isRepeated: Bool
    ) async {
        let sent = Recorder<Int>()
        let pipeline = request(method, sent) {
            guard let status else { throw URLError(.networkConnectionLost) }
            return DataResponse(statusCode: status)
        }
        #expect(await pipeline.retry(1).result.map(\.statusCode) == .failure(.first))
        #expect(sent.elements.count == (isRepeated ? 2 : 1))
    }

    @Test func `a request that was cancelled after another failed does not decide whether the run is retried`() async {
        let (failed, given) = (Recorder<Int>(), Gate())
        let first = request(.get, failed) { DataResponse(statusCode: 503) }
        let api = APIBase()
        api.url = URL(string: "https://api.example.com/")
        api.dataTaskPipeline = Pipeline { () async throws(any Error) in
            try await given.pass()
            return DataResponse(statusCode: 200)
        }
        let second = api.startRequest().mapError { _ in Fault.second }
        #expect(await first.zip(second).retry(1).result.map { _ in 0 } == .failure(.first))
        #expect(failed.elements.count == 2)
    }

    @Test func `a run that sent a POST request is not retried, wherever it failed`() async {
        let (posts, gets) = (Recorder<Int>(), Recorder<Int>())
        let get = request(.get, gets) { throw URLError(.networkConnectionLost) }
        let pipeline = request(.post, posts) { DataResponse(statusCode: 201) }.flatMap { _ in get }
        #expect(await pipeline.retry(1).result.map(\.statusCode) == .failure(.first))
        #expect(await pipeline.retry(1).retry(1).result.map(\.statusCode) == .failure(.first))
        #expect(posts.elements.count == 2)
        let timeout = request(.post, posts) { throw URLError(.networkConnectionLost) }
            .mapError { _ in ErrandError(.timedOut) }
        await expectFailure(.timedOut) { try await timeout.retry(1).value }
        #expect(posts.elements.count == 3)
        #expect(gets.elements.count == 2)
    }

    @Test func `a failure after a successful GET request is retried whatever its reason is`() async {
        let sent = Recorder<Int>()
        let pipeline = request(.get, sent) { DataResponse(statusCode: 200) }
            .flatMap { _ in Pipeline<Int, Fault>.fail(.second) }
        #expect(await pipeline.retry(2).result == .failure(.second))
        #expect(sent.elements.count == 3)
    }

    @Test func `a decoding failure is not retried, even if it was converted to a custom error`() async {
        let sent = Recorder<Int>()
        let get = APIBase()
        get.url = URL(string: "https://api.example.com/")
        get.dataTaskPipeline = Pipeline { () async throws(any Error) in
            sent.record(1)
            return DataResponse(statusCode: 200, data: Data("[".utf8))
        }
        let pipeline = get.startRequest().decode([Int].self).mapError { _ in Fault.first }
        #expect(await pipeline.retry(2).result == .failure(.first))
        #expect(sent.elements.count == 1)
    }

    @Test func `requests sent by interceptors do not affect whether a run is retried`() async {
        struct Posting: Interceptor {
            let post: @Sendable () -> Pipeline<DataResponse, Fault>

            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                _ = try await post().value
                return try await next(request)
            }
        }
        let (posts, gets) = (Recorder<Int>(), Recorder<Int>())
        let get = APIBase()
        get.url = URL(string: "https://api.example.com/")
        let post = request(.post, posts) { DataResponse(statusCode: 201) }
        get.interceptors = [Posting { post }]
        get.dataTaskPipeline = Pipeline { () async throws(any Error) in
            gets.record(1)
            throw URLError(.networkConnectionLost)
        }
        _ = await get.startRequest().retry(1).result
        #expect(gets.elements.count == 2)
        #expect(posts.elements.count == 2)
    }

    @Test func `a predicate replaces the default retry condition`() async {
        let runs = Recorder<Int>()
        let pipeline = failing(first: 9, of: .suspending, runs).retry(5, where: { $0 == .first })
        #expect(await pipeline.result == .failure(.second))
        #expect(runs.elements.count == 2)
    }

    @Test func `a retry waits for the delay that a closure returns`() async throws {
        let (clock, runs) = (ManualClock(), Recorder<Int>())
        let pipeline = failing(first: 2, of: .suspending, runs).retry(2, delay: { .seconds($0) }, clock: clock)
        let task = Task { await pipeline.result }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        try await clock.waitForSleepers()
        #expect(runs.elements.count == 2)
        clock.advance(by: .seconds(1))
        #expect(runs.elements.count == 2)
        clock.advance(by: .seconds(1))
        #expect(await task.value == .success(3))
    }

    @Test func `a retry waits according to its backoff`() async throws {
        let (clock, runs) = (ManualClock(), Recorder<Int>())
        let pipeline = failing(first: 2, of: .immediate, runs)
            .retry(2, backoff: .exponential(base: .seconds(1)), clock: clock, random: { 1 })
        let task = Task { await pipeline.result }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        #expect(await task.value == .success(3))
    }

    @Test func `cancelling the task ends the wait before a retry`() async throws {
        let clock = ManualClock()
        let typed = Pipeline<Int, Fault>.fail(.first).retry(1, delay: .seconds(1), clock: clock)
        let untyped = Pipeline<Int, any Error>.fail(Fault.first).retry(1, delay: .seconds(1), clock: clock)
        let tasks = (Task { await typed.result }, Task { try await untyped.value })
        try await clock.waitForSleepers(2)
        tasks.0.cancel()
        tasks.1.cancel()
        #expect(await tasks.0.value == .failure(.first))
        await expectFailure(.cancelled) { try await tasks.1.value }
    }

    /// Fails this many times, first with `first` and then with `second`, and then returns the number of runs.
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
