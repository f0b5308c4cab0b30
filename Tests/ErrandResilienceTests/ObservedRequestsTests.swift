import Errand
import ErrandResilience
import ErrandTesting
import TestSupport
import Testing

/// What observers see of requests that a limit refuses, or that are hedged or shared.
struct `Observed requests` {
    private let clock = ManualClock()
    private let recorder = ExchangeRecorder()

    /// Sends the first request when a gate is open, and all others at once.
    private final class Server: Transport {
        let gate: Gate
        let count = Recorder<Int>()

        init(gate: Gate) {
            self.gate = gate
        }

        func send(_ request: TransportRequest) async throws -> DataResponse {
            count.record(1)
            if count.elements.count == 1 { try await gate.pass() }
            return DataResponse(statusCode: 200, headers: [:])
        }
    }

    private func start(
        _ path: RequestPath = "/books/\(7, as: "id")", over transport: any Transport, _ interceptors: any Interceptor...
    ) -> Pipeline<DataResponse, any Error> {
        let request = APIBase()
        request.baseURL = URL(string: "https://api.example.com")
        request.path = path
        request.session = transport
        request.interceptors = interceptors
        request.observers = [recorder]
        return request.sendRequest()
    }

    @Test func `that are hedged overlap, and the slower one is cancelled without an error`() async throws {
        let gate = Gate()
        let hedging = Hedging(
            after: .fixed(.seconds(1)), maximumAttempts: 2, budget: RetryBudget(ratio: 0, capacity: 1), clock: clock)
        let request = start(over: Server(gate: gate), hedging)
        let task = Task { try await request.value }
        try await gate.waitForArrivals(1)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        _ = try await task.value
        // The response does not wait for the end of the slower attempt.
        try await waitUntil { !recorder.entries.contains { $0.outcomes.isEmpty } }
        #expect(recorder.lines == ["GET /books/{id} 0 -> cancelled", "GET /books/{id} 1 -> 200"])
    }

    @Test func `that share a transfer are one exchange`() async throws {
        let (gate, coalescing) = (Gate(), Coalescing())
        let server = Server(gate: gate)
        let (first, second) = (start(over: server, coalescing), start(over: server, coalescing))
        let tasks = [Task { try await first.value }, Task { try await second.value }]
        try await waitUntil { coalescing.waitingCount == 2 }
        gate.open()
        for task in tasks { _ = try await task.value }
        #expect(recorder.lines == ["GET /books/{id} 0 -> 200"])
    }

    @Test func `that a limit refuses are not observed`() async throws {
        let open = Gate()
        open.open()
        let limit = RateLimit(requests: 1, per: .seconds(1), queueLimit: 0, clock: clock)
        let server = Server(gate: open)
        _ = try await start(over: server, limit).value
        await expectFailure(.rateLimited) { try await start(over: server, limit).value }
        #expect(recorder.lines == ["GET /books/{id} 0 -> 200"])
    }

    @Test func `are limited by their templates`() async throws {
        let open = Gate()
        open.open()
        let limit = RateLimit(requests: 1, per: .seconds(1), scope: .template, queueLimit: 0, clock: clock)
        let server = Server(gate: open)
        _ = try await start("/books/\(7, as: "id")", over: server, limit).value
        _ = try await start("/users/\(7, as: "id")", over: server, limit).value
        await expectFailure(.rateLimited) {
            try await start("/books/\(8, as: "id")", over: server, limit).value
        }
        let texts = ["/text", "/other"]
        _ = try await start(RequestPath(texts[0]), over: server, limit).value
        await expectFailure(.rateLimited) { try await start(RequestPath(texts[1]), over: server, limit).value }
    }
}
