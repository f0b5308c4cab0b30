import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `An event source` {
    private let clock = ManualClock()
    private let sent = Recorder<URLRequest>()

    /// A policy without delays: the event source reconnects at once, until the stubs are used up.
    private var policy: EventSourceReconnection {
        var policy = EventSourceReconnection()
        policy.backoff = .immediate
        policy.clock = clock
        policy.random = { 1 }
        return policy
    }

    private func request(_ stubs: [(NewsRequest) -> Pipeline<DataResponse, any Error>]) -> NewsRequest {
        let request = NewsRequest()
        request.interceptors = [Noting(sent: sent)]
        request.dataTaskPipeline = request.stub(inTurn: stubs.map { $0(request) })
        return request
    }

    private func stream(_ pieces: String...) -> (NewsRequest) -> Pipeline<DataResponse, any Error> {
        { $0.stubStream(headers: ["Content-Type": "text/event-stream"], pieces) }
    }

    private let noMore: (NewsRequest) -> Pipeline<DataResponse, any Error> = { $0.stubResponse(statusCode: 204) }

    private func lastEventIDs() -> [String?] { sent.elements.map { $0.value(forHTTPHeaderField: "Last-Event-ID") } }

    @Test func `an event source resumes after the last event until the server sends 204`() async throws {
        let request = request([
            stream("id: 1\ndata: a\n\n", "data: b\n\nid: 2\nda"), { $0.stub(error: URLError(.networkConnectionLost)) },
            stream("id: 3\n\n: nothing\n\n"), stream("data: c\n\nid\n\n"), noMore,
        ])
        var events = request.events(policy).makeAsyncIterator()
        #expect(try await events.next() == ServerSentEvent(data: "a", id: "1"))
        #expect(try await events.next() == ServerSentEvent(data: "b", id: "1"))
        #expect(try await events.next() == ServerSentEvent(data: "c", id: "3"))
        #expect(try await events.next() == nil)
        #expect(try await events.next() == nil)
        #expect(lastEventIDs() == [nil, "1", "1", "3", nil])
        let fields = sent.elements.map(\.allHTTPHeaderFields)
        #expect(fields.allSatisfy { $0?["Accept"] == "text/event-stream" && $0?["Cache-Control"] == "no-cache" })
        #expect(fields.allSatisfy { $0?["X-Tenant"] == "blue" })
    }

    @Test func `status 204 ends the events of a class that accepts only 200`() async throws {
        let request = request([stream("data: a\n\n"), noMore])
        request.acceptedStatusCodes = [200]
        #expect(try await request.events(policy).reduce(into: []) { $0.append($1.data) } == ["a"])
        #expect(sent.elements.count == 2)
    }

    @Test func `an event source begins with the ID of the caller for each loop`() async throws {
        let request = request([stream("data: a\n\n"), noMore, stream("data: b\n\n"), noMore])
        let source = request.sendStream().eventSource(lastEventID: "7", reconnection: policy)
        for expected in ["a", "b"] {
            #expect(try await source.reduce(into: []) { $0.append($1.data) } == [expected])
        }
        #expect(lastEventIDs() == ["7", "7", "7", "7"])
    }

    @Test func `an event source waits for the server time, and longer after each attempt`() async throws {
        var policy = policy
        policy.backoff = .exponential(base: .seconds(1))
        let request = request([
            stream("retry: 500\n\ndata: a\n\n"), { $0.stub(error: URLError(.cannotConnectToHost)) },
            stream("data: b\n\n"),
        ])
        let source = request.events(policy)
        let task = Task {
            var events = source.makeAsyncIterator()
            #expect(try await events.next()?.data == "a")
            return try await events.next()?.data
        }
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(1499))
        #expect(clock.sleeperCount == 1)
        #expect(sent.elements.count == 1)
        clock.advance(by: .milliseconds(1))
        try await clock.waitForSleepers()
        #expect(sent.elements.count == 2)
        clock.advance(by: .milliseconds(2499))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await task.value == "b")
    }

    @Test(
        arguments: [
            (404, "text/event-stream", ErrandError.Code.unacceptableStatusCode),
            (500, "text/event-stream", .unacceptableStatusCode), (200, "application/json", .unacceptableContentType),
            (200, nil, .unacceptableContentType),
        ] as [(Int, String?, ErrandError.Code)])
    func `an event source fails for a response without events and does not reconnect`(
        _ status: Int, _ type: String?, _ code: ErrandError.Code
    ) async throws {
        let request = request([
            stream("data: a\n\n"),
            { $0.stubStream(statusCode: status, headers: type.map { ["Content-Type": $0] } ?? [:], ["data: b\n\n"]) },
            stream("data: c\n\n"),
        ])
        var events = request.events(policy).makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        let error = await expectFailure(code) { try await events.next(isolation: #isolation) }
        #expect(error?.statusCode == status)
        #expect(error?.url?.host == "news.example.com")
        #expect(try await events.next() == nil)
        #expect(sent.elements.count == 2)
    }

    @Test func `an event source fails after its maximum of attempts with the error of the last one`() async throws {
        var policy = policy
        policy.maximumAttempts = 2
        let failing: (NewsRequest) -> Pipeline<DataResponse, any Error> = { $0.stub(error: URLError(.cannotFindHost)) }
        let request = request([failing, failing, stream("data: a\n\n"), failing, stream(": b\n")])
        var events = request.events(policy).makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        let error = await expectFailure(.transportFailed) { try await events.next(isolation: #isolation) }
        #expect((error?.underlyingError as? URLError)?.code == .networkConnectionLost)
        #expect(error?.reason?.hasPrefix("the server closed the event stream; given up after 2 ") == true)
        #expect(error?.statusCode == 200)
        #expect(sent.elements.count == 5)
    }

    @Test func `an event source reconnects after silence, but not if comments arrive`() async throws {
        var policy = policy
        policy.maximumSilence = .seconds(10)
        let (pieces, server) = AsyncStream<Data>.makeStream()
        let request = request([
            { $0.stubStream(headers: ["Content-Type": "text/event-stream"], pieces) }, stream("data: b\n\n"),
        ])
        let source = request.events(policy)
        let task = Task {
            var events = source.makeAsyncIterator()
            return [try await events.next()?.data, try await events.next()?.data]
        }
        for text in [": one\n", ": two\n", "id: 5\ndata: a\n\n"] {
            try await clock.waitForSleeper(until: clock.now.advanced(by: .seconds(10)))
            clock.advance(by: .seconds(9))
            server.yield(Data(text.utf8))
        }
        try await clock.waitForSleeper(until: clock.now.advanced(by: .seconds(10)))
        clock.advance(by: .seconds(10))
        #expect(try await task.value == ["a", "b"])
        #expect(lastEventIDs() == [nil, "5"])
    }

    @Test func `an event source that may not reconnect after silence fails with a timeout`() async throws {
        var policy = policy
        policy.maximumSilence = .seconds(10)
        policy.maximumAttempts = 0
        let (pieces, server) = AsyncStream<Data>.makeStream()
        let request = request([{ $0.stubStream(headers: ["Content-Type": "text/event-stream"], pieces) }])
        let source = request.events(policy)
        let task = Task {
            var events = source.makeAsyncIterator()
            return try await events.next()
        }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        let error = await expectFailure(.timedOut) { try await task.value }
        #expect(error?.url?.host == "news.example.com")
        server.finish()
    }

    @Test func `cancelling an event source that waits to reconnect fails it at once`() async throws {
        var policy = policy
        policy.backoff = .constant(.seconds(5))
        let request = request([stream("data: a\n\n"), stream("data: b\n\n")])
        let source = request.events(policy)
        let task = Task {
            var events = source.makeAsyncIterator()
            _ = try await events.next()
            return try await events.next()
        }
        try await clock.waitForSleepers()
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        #expect(sent.elements.count == 1)
        #expect(clock.sleeperCount == 0)
    }

    @Test func `an event that is too large fails the event source without a reconnection`() async throws {
        let request = request([stream("data: 12345678901\n\n"), stream("data: b\n\n")])
        let source = request.sendStream().eventSource(reconnection: policy, maximumSize: 10)
        let error = await expectFailure(.elementTooLarge) { try await source.reduce(into: []) { $0.append($1) } }
        #expect(error?.url?.host == "news.example.com")
        #expect(sent.elements.count == 1)
    }

    /// IDs, and whether the next connection sends them. WHATWG HTML, section 9.2.6, ignores only one with a null
    /// character, so that the ID before it counts.
    @Test(
        arguments: [
            ("a", "a"), ("é \u{1F600}", "é \u{1F600}"), ("a\tb", "a\tb"), ("a\u{80}b", "a\u{80}b"), ("a\u{0}b", "old"),
            ("a\u{1}b", nil), ("\u{1F}", nil), ("\u{7F}", nil), ("\u{1B}[2J", nil), ("a\u{8}", nil),
            (String(repeating: "a", count: 16 << 10), String(repeating: "a", count: 16 << 10)),
            (String(repeating: "a", count: (16 << 10) + 1), nil), (String(repeating: "é", count: 500_000), nil),
        ] as [(String, String?)])
    func `an event ID that cannot be sent is left out, and the events go on`(_ id: String, _ sent: String?) async throws
    {
        let request = request([
            stream("id: old\ndata: a\n\nid: \(id)\ndata: b\n\n"), stream("data: c\n\n"),
            stream("id: new\ndata: d\n\n"), noMore,
        ])
        let events = try await request.events(policy).reduce(into: []) { $0.append($1) }
        let expected = sent == "old" ? "old" : id
        #expect(events.map(\.data) == ["a", "b", "c", "d"])
        #expect(events.map(\.id) == ["old", expected, expected, "new"])
        #expect(lastEventIDs() == [nil, sent, sent, "new"])
    }

    @Test func `an ID of the caller that cannot be sent is left out`() async throws {
        let request = request([stream("data: a\n\n"), noMore])
        let source = request.sendStream().eventSource(lastEventID: "\u{1}", reconnection: policy)
        #expect(try await source.reduce(into: []) { $0.append($1.data) } == ["a"])
        #expect(lastEventIDs() == [nil, nil])
    }

    @Test func `events of one name can be decoded as values`() async throws {
        let text =
            "event: ping\ndata: {}\n\nevent: add\ndata: {\"id\": 1}\n\ndata: 7\n\nevent: add\ndata: {\"id\": 2}\n\n"
        let adds = request([stream(text), noMore]).sendStream().eventSource().values(
            of: [String: Int].self, named: "add")
        // Its policy uses the system's clock, so the test stops after the second event.
        var values = adds.makeAsyncIterator()
        #expect(try await values.next() == ["id": 1])
        #expect(try await values.next() == ["id": 2])

        var all = request([stream(text)]).events(policy).values(of: [String: Int].self).makeAsyncIterator()
        #expect(try await all.next() == [:])
        #expect(try await all.next() == ["id": 1])
        await expectFailure(.decodingFailed) { try await all.next(isolation: #isolation) }
        #expect(try await all.next() == nil)

        let body = body("data: 1\n\ndata: 2\n\n")
        #expect(try await body.events(of: Int.self).reduce(into: []) { $0.append($1) } == [1, 2])
    }

    @Test func `an event with the given data ends the values, also those of an event source`() async throws {
        let text = "data: 1\n\nevent: ping\ndata: 0\n\ndata: end\n\ndata: 2\n\n"
        let once = request([stream(text)]).sendStream().events(of: Int.self, named: "message", until: "end")
        #expect(try await once.reduce(into: []) { $0.append($1) } == [1])
        let again = request([stream("data: 0\n\n"), stream(text)]).events(policy).values(
            of: Int.self, named: "message", until: "end")
        #expect(try await again.reduce(into: []) { $0.append($1) } == [0, 1])
    }

    @Test func `the events of a stream do not reconnect`() async throws {
        let events = request([stream("data: a\n\n"), stream("data: b\n\n")]).sendStream().events()
        #expect(try await events.reduce(into: []) { $0.append($1.data) } == ["a"])
        #expect(sent.elements.count == 1)
    }

    @Test func `the events of a single body end with it`() async throws {
        let request = request([stream("data: a\n\n"), stream("data: b\n\n")])
        let body = try await request.sendStream().open().body
        #expect(try await body.events().reduce(into: []) { $0.append($1.data) } == ["a"])
        #expect(sent.elements.count == 1)
    }
}

private struct Noting: Interceptor {
    let sent: Recorder<URLRequest>

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        sent.record(request.urlRequest)
        return try await next(request)
    }
}

private final class NewsRequest: APIBase, StreamingRequest {
    init(_ url: URL? = URL(string: "https://news.example.com/events")) {
        super.init()
        baseURL = url
        headers = ["Accept": "application/json", "X-Tenant": "blue"]
    }

    func startStream() -> EventSource { sendStream().eventSource() }

    func events(_ policy: EventSourceReconnection) -> EventSource { sendStream().eventSource(reconnection: policy) }
}
