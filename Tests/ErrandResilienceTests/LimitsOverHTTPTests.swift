import Errand
import ErrandMockServer
import ErrandResilience
import ErrandTesting
import TestSupport
import Testing

/// All interceptors in one list, over real HTTP.
struct `Limits and logs over HTTP` {
    private final class Limited: APIBase, Request {
        init(_ url: URL, _ interceptors: [any Interceptor], path: String) {
            super.init()
            baseURL = url
            timeoutInterval = .hangGuard
            self.interceptors = interceptors
            self.path = RequestPath(path)
        }
        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
    }

    private let entries = Recorder<LogEntry>()
    private let coalescing = Coalescing()
    private let breaker = CircuitBreaker(tripping: .consecutiveFailures(1), clock: ManualClock())
    private let concurrency = ConcurrencyLimit(2)

    private var interceptors: [any Interceptor] {
        let logging = LoggingInterceptor(level: .debug, sink: { [entries] in entries.record($0) })
        return [logging, coalescing, breaker, RateLimit(requests: 1000, per: .seconds(1)), concurrency, logging]
    }

    /// Sends a request, and returns when this many wait for a response.
    private func send(_ path: String, to server: MockServer, waiting count: Int) async throws -> Task<Data, any Error> {
        let pipeline = Limited(server.url, interceptors, path: path).start()
        let task = Task { try await pipeline.value.data }
        try await waitUntil { coalescing.waitingCount == count }
        return task
    }

    @Test func `identical requests are sent once over HTTP, and others at most two at a time`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let gate = Gate()
        server.onAny { request in
            try await gate.pass()
            return .text(request.path)
        }
        var tasks: [Task<Data, any Error>] = []
        for path in ["/a", "/a", "/b", "/b", "/c"] {
            tasks.append(try await send(path, to: server, waiting: tasks.count + 1))
        }
        try await gate.waitForArrivals(2)
        try await waitUntil { concurrency.waitingCount == 1 }
        #expect(gate.arrivals == 2)
        gate.open()
        var bodies: [String] = []
        for task in tasks { bodies.append(String(decoding: try await task.value, as: UTF8.self)) }
        #expect(bodies == ["/a", "/a", "/b", "/b", "/c"])
        #expect(server.requests.count == 3)
        // Every request has its own log lines, and those that were sent have an attempt with the same id.
        #expect(Set(entries.elements.map(\.requestID)).count == 5)
        #expect(Set(entries.elements.filter { $0.attempt == 1 }.map(\.requestID)).count == 3)
        #expect(entries.elements.filter { $0.event == .response && $0.attempt == nil }.count == 5)
    }

    @Test func `a cancelled coalesced transfer over HTTP ends and frees its slot`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let gate = Gate()
        server.on(.get, "/held") { _ in
            try await gate.pass()
            return .text("late")
        }
        server.on(.get, "/free") { _ in .text("free") }
        let tasks = [
            try await send("/held", to: server, waiting: 1), try await send("/held", to: server, waiting: 2),
        ]
        try await gate.waitForArrivals(1)
        for task in tasks { task.cancel() }
        for task in tasks { await expectFailure(.cancelled) { try await task.value } }
        let free = try await Limited(server.url, interceptors, path: "/free").start().value.data
        #expect(free == Data("free".utf8))
        #expect(breaker.state(of: server.url) == .closed)
        gate.open()
    }

    @Test func `a refused connection opens the circuit`() async throws {
        let server = try MockServer.refusing()
        await expectFailure(.transportFailed) {
            try await Limited(server.url, interceptors, path: "/").start().value
        }
        let error = await expectFailure(.circuitOpen) {
            try await Limited(server.url, interceptors, path: "/").start().value
        }
        #expect(error?.attempts == 0)
        #expect(entries.elements.filter { $0.event == .failure }.map(\.level) == [.notice, .error, .error])
        #expect(entries.elements.last?.errorCode == "circuitOpen")
    }
}
