import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `An event source over HTTP` {
    private final class NewsRequest: APIBase, StreamingRequest {
        let policy: EventSourceReconnection

        init(_ url: URL, maximumAttempts: Int = 10) {
            var policy = EventSourceReconnection()
            policy.backoff = .immediate
            policy.maximumAttempts = maximumAttempts
            self.policy = policy
            super.init()
            baseURL = url
            timeoutInterval = .hangGuard
            path = "/events"
        }

        func startStream() -> EventSource { sendStream().eventSource(reconnection: policy) }
    }

    private func response(_ chunks: String...) -> MockResponse {
        .chunked(chunks.map { Data($0.utf8) }).with(header: "Content-Type", "text/event-stream")
    }

    /// Returns the responses in turn, and then 204, which ends the event source.
    private func serve(_ responses: [MockResponse], on server: MockServer) {
        let rest = Locked(responses[...])
        server.on(.get, "/events") { _ in rest.withLock { $0.popFirst() } ?? .status(204) }
    }

    @Test func `an event source over HTTP reconnects after every kind of lost connection`() async throws {
        let server = try MockServer()
        let faults: [MockFault] = [
            .closeBeforeHead, .closeInHead(after: 12), .closeInBody(after: 0), .closeInBody(after: 5), .resetBeforeHead,
            .resetInBody(after: 3), .drip(bytesAtATime: 1),
        ]
        let whole = response("id: 1\ndata: a\n\n")
        serve(faults.flatMap { [whole.with(fault: $0), whole] }, on: server)
        let events = try await NewsRequest(server.url).startStream().reduce(into: []) { $0.append($1) }
        #expect(events == Array(repeating: ServerSentEvent(data: "a", id: "1"), count: faults.count + 1))
        #expect(server.requests.count == 2 * faults.count + 1)
    }

    @Test func `an event source over HTTP sends the last event ID when it follows a redirect`() async throws {
        let server = try MockServer()
        server.on(.get, "/events") { _ in .status(307).with(header: "Location", "/elsewhere") }
        let rest = Locked([response("id: 1\ndata: a\n\n")][...])
        server.on(.get, "/elsewhere") { _ in rest.withLock { $0.popFirst() } ?? .status(204) }
        let events = try await NewsRequest(server.url).startStream().reduce(into: []) { $0.append($1.data) }
        #expect(events == ["a"])
        #expect(server.requests.map(\.path) == ["/events", "/elsewhere", "/events", "/elsewhere"])
        #expect(server.requests.last?.headers["Last-Event-ID"] == "1")
    }

    @Test func `an event source over HTTP sends the last event ID to another origin without credentials`()
        async throws
    {
        let first = try MockServer()
        let second = try MockServer()
        let elsewhere = second.url.appendingPathComponent("events").absoluteString
        first.on(.get, "/events") { _ in .status(307).with(header: "Location", elsewhere) }
        serve([response("id: 1\ndata: a\n\n")], on: second)
        let request = NewsRequest(first.url)
        request.headers["X-Api-Key"] = "secret"
        let events = try await request.startStream().reduce(into: []) { $0.append($1.data) }
        #expect(events == ["a"])
        #expect(second.requests.map { $0.headers["Last-Event-ID"] } == [nil, "1"])
        #expect(first.requests.map { $0.headers["X-Api-Key"] } == ["secret", "secret"])
        #expect(second.requests.map { $0.headers["X-Api-Key"] } == [nil, nil])
    }

    @Test func `an event source over HTTP sends an event ID that is not ASCII as UTF-8`() async throws {
        let server = try MockServer()
        serve([response("id: gr\u{FC}n 𝄞\ndata: a\n\n")], on: server)
        _ = try await NewsRequest(server.url).startStream().reduce(into: []) { $0.append($1) }
        let head = try #require(server.requests.last?.rawHead)
        #expect(head.firstRange(of: Data(": gr\u{FC}n 𝄞\r\n".utf8)) != nil, "\(String(decoding: head, as: UTF8.self))")
    }

    @Test func `an event source over HTTP closes the connection when the reading task is cancelled`() async throws {
        let server = try MockServer()
        serve([response("data: a\n\n", "data: b\n\n").with(fault: .stallInBody(after: 9))], on: server)
        let source = NewsRequest(server.url).startStream()
        let gate = Gate()
        gate.open()
        let task = Task {
            for try await _ in source { try await gate.pass() }
        }
        try await gate.waitForArrivals(1)
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `an event source over HTTP closes the connection when the loop or a silence ends`() async throws {
        let server = try MockServer()
        let stalling = response("data: a\n\n", "data: b\n\n").with(fault: .stallInBody(after: 9))
        serve([stalling, stalling], on: server)
        for try await event in NewsRequest(server.url).startStream() {
            #expect(event.data == "a")
            break
        }
        try await server.waitUntil(openConnections: 0)

        let clock = ManualClock()
        var policy = EventSourceReconnection()
        policy.clock = clock
        policy.maximumSilence = .seconds(10)
        policy.maximumAttempts = 0
        let source = NewsRequest(server.url).sendStream().eventSource(reconnection: policy)
        let gate = Gate()
        gate.open()
        let task = Task {
            for try await _ in source { try await gate.pass() }
        }
        try await gate.waitForArrivals(1)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        await expectFailure(.timedOut) { try await task.value }
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `an event source over HTTP connects for each loop and can use a service`() async throws {
        let server = try MockServer()
        serve([response("data: a\n\n"), .status(204), response("data: b\n\n")], on: server)
        let unused = try #require(URL(string: "http://127.0.0.1:9"))
        let source = NewsRequest(unused).startStream(with: APIService(baseURL: BaseURL(server.url)))
        #expect(try await source.reduce(into: []) { $0.append($1.data) } == ["a"])
        #expect(try await source.reduce(into: []) { $0.append($1.data) } == ["b"])
    }
}
