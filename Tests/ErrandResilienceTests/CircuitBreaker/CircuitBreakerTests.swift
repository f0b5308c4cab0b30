import Errand
import ErrandResilience
import ErrandTesting
import TestSupport
import Testing

struct `A circuit breaker` {
    private let clock = ManualClock()
    private let url = URL(string: "https://api.example.com/users") ?? URL(filePath: "/")

    private func responding(_ status: Int) -> Next {
        Next { _ in DataResponse(statusCode: status) }
    }

    private func failing(_ error: any Error) -> Next {
        Next { _ in throw error }
    }

    @Test func `an open circuit rejects requests with the time until the next trial`() async throws {
        let breaker = CircuitBreaker(tripping: .consecutiveFailures(2), openDuration: .seconds(30), clock: clock)
        for _ in 1...2 { _ = try await breaker.intercept(limitedRequest(), next: responding(503)) }
        clock.advance(by: .seconds(10) + .microseconds(2045))
        let sent = Recorder<Int>()
        let next = Next { _ in
            sent.record(1)
            return DataResponse(statusCode: 200)
        }
        let error = await expectFailure(.circuitOpen) { try await breaker.intercept(limitedRequest(), next: next) }
        #expect((error?.underlyingError as? CircuitBreaker.OpenCircuit)?.retryAfter == .microseconds(19_997_955))
        #expect(error.map { "\($0)" }?.contains("tries again in 20 s") == true)
        #expect(error?.url?.host == "api.example.com")
        #expect(error?.attempts == 0)
        #expect(sent.elements.isEmpty)
        #expect(breaker.state(of: url) == .open)
    }

    @Test func `a circuit breaker sends one trial request after the open duration`() async throws {
        let breaker = CircuitBreaker(tripping: .consecutiveFailures(1), openDuration: .seconds(30), clock: clock)
        _ = try await breaker.intercept(limitedRequest(), next: responding(500))
        clock.advance(by: .seconds(30))
        let gate = Gate()
        let trial = Task {
            try await breaker.intercept(
                limitedRequest(),
                next: Next { _ in
                    try await gate.pass()
                    return DataResponse(statusCode: 200)
                })
        }
        try await gate.waitForArrivals(1)
        #expect(breaker.state(of: url) == .halfOpen)
        let error = await expectFailure(.circuitOpen) {
            try await breaker.intercept(limitedRequest(), next: responding(200))
        }
        let circuit = try #require(error?.underlyingError as? CircuitBreaker.OpenCircuit)
        #expect(circuit.retryAfter == nil)
        gate.open()
        _ = try await trial.value
        #expect(breaker.state(of: url) == .closed)
        _ = try await breaker.intercept(limitedRequest(), next: responding(200))
    }

    @Test func `a cancelled trial is followed by another trial`() async throws {
        let breaker = CircuitBreaker(tripping: .consecutiveFailures(1), openDuration: .seconds(30), clock: clock)
        _ = try await breaker.intercept(limitedRequest(), next: responding(500))
        clock.advance(by: .seconds(30))
        let gate = Gate()
        let trial = Task {
            try await breaker.intercept(
                limitedRequest(),
                next: Next { _ in
                    try await gate.pass()
                    return DataResponse(statusCode: 200)
                })
        }
        try await gate.waitForArrivals(1)
        trial.cancel()
        _ = await trial.result
        #expect(try await breaker.intercept(limitedRequest(), next: responding(200)).statusCode == 200)
        #expect(breaker.state(of: url) == .closed)
    }

    @Test func `only transport failures and statuses from 500 count as failures`() throws {
        func verdict(_ status: Int, _ source: ResponseSource = .network) -> CircuitBreaker.Verdict {
            var response = DataResponse(statusCode: status)
            response.source = source
            return CircuitBreaker.verdict(on: .success(response))
        }
        func verdict(_ error: any Error) -> CircuitBreaker.Verdict { CircuitBreaker.verdict(on: .failure(error)) }
        struct Own: Error {}

        #expect([200, 304, 400, 404, 429, 499].allSatisfy { verdict($0) == .success })
        #expect([500, 503, 599].allSatisfy { verdict($0) == .failure })
        #expect(verdict(200, .cache) == .neither)
        #expect(verdict(503, .interceptor) == .neither)
        #expect(verdict(200, .revalidated) == .success)
        #expect(verdict(ErrandError(.transportFailed)) == .failure)
        #expect(verdict(ErrandError(.timedOut)) == .failure)
        #expect(verdict(URLError(.cannotConnectToHost)) == .failure)
        #expect(verdict(TransportFailure(URLError(.timedOut))) == .failure)
        #expect(verdict(TransportFailure(URLError(.cancelled))) == .neither)
        #expect(verdict(URLError(.cancelled)) == .neither)
        #expect(verdict(CancellationError()) == .neither)
        #expect(verdict(ErrandError(.cancelled)) == .neither)
        #expect(verdict(ErrandError(.rateLimited)) == .neither)
        #expect(verdict(ErrandError(.bodyEncodingFailed)) == .neither)
        #expect(verdict(Own()) == .neither)
    }

    @Test func `a judge closure decides what counts as a failure`() async throws {
        let breaker = CircuitBreaker(
            tripping: .consecutiveFailures(1), clock: clock,
            judge: { outcome in
                if case .success(let response) = outcome, response.statusCode == 429 { return .failure }
                return .neither
            })
        _ = try await breaker.intercept(limitedRequest(), next: responding(500))
        #expect(breaker.state(of: url) == .closed)
        _ = try await breaker.intercept(limitedRequest(), next: responding(429))
        #expect(breaker.state(of: url) == .open)
    }

    @Test func `a transport error opens the circuit and is thrown unchanged`() async throws {
        let breaker = CircuitBreaker(tripping: .consecutiveFailures(1), clock: clock)
        await #expect(throws: URLError.self) {
            try await breaker.intercept(limitedRequest(), next: failing(URLError(.cannotConnectToHost)))
        }
        #expect(breaker.state(of: url) == .open)
    }

    @Test func `each origin has its own circuit by default`() async throws {
        let breaker = CircuitBreaker(tripping: .consecutiveFailures(1), clock: clock)
        _ = try await breaker.intercept(limitedRequest("https://a.example/1"), next: responding(500))
        _ = try await breaker.intercept(limitedRequest("https://b.example/1"), next: responding(200))
        await expectFailure(.circuitOpen) {
            try await breaker.intercept(limitedRequest("https://a.example/2"), next: responding(200))
        }
        let shared = CircuitBreaker(tripping: .consecutiveFailures(1), scope: .all, clock: clock)
        _ = try await shared.intercept(limitedRequest("https://a.example/1"), next: responding(500))
        await expectFailure(.circuitOpen) {
            try await shared.intercept(limitedRequest("https://b.example/1"), next: responding(200))
        }
    }

    @Test func `a streamed response is judged by its head`() async throws {
        let breaker = CircuitBreaker(tripping: .consecutiveFailures(1), clock: clock)
        let next = Next { _ in
            DataResponse(statusCode: 502, headers: [:], body: ResponseBody(Data()))
        }
        _ = try await breaker.intercept(limitedRequest(), next: next)
        await expectFailure(.circuitOpen) { try await breaker.intercept(limitedRequest(), next: next) }
    }

    @Test func `state transitions are reported in order`() async throws {
        let transitions = Recorder<String>()
        let breaker = CircuitBreaker(
            tripping: .consecutiveFailures(1), openDuration: .seconds(1), clock: clock,
            onTransition: { transitions.record("\($0.circuit): \($0.from) -> \($0.to)") })
        _ = try await breaker.intercept(
            limitedRequest("https://me:hunter2@a.example:444/?k=hunter2"), next: responding(500))
        clock.advance(by: .seconds(1))
        _ = try await breaker.intercept(limitedRequest("https://a.example:444/"), next: responding(200))
        #expect(
            transitions.elements == [
                "https://a.example:444: closed -> open", "https://a.example:444: open -> halfOpen",
                "https://a.example:444: halfOpen -> closed",
            ])
    }

    @Test func `a circuit breaker opens at a failure ratio within a period`() async throws {
        let breaker = CircuitBreaker(
            tripping: .failureRatio(0.5, over: .seconds(60), minimumCount: 4), clock: clock)
        for status in [200, 500, 200] { _ = try await breaker.intercept(limitedRequest(), next: responding(status)) }
        clock.advance(by: .seconds(30))
        #expect(breaker.state(of: url) == .closed)
        _ = try await breaker.intercept(limitedRequest(), next: responding(500))
        #expect(breaker.state(of: url) == .open)
    }
}
