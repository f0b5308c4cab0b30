import Errand
import ErrandResilience
import ErrandTesting
import TestSupport
import Testing

/// Each test takes time on its manual clock, and no real time.
@Suite(.hangGuard) struct `A manual clock drives` {
    let clock = ManualClock()
    let stubs: RouteStubs
    private let list = MockResponse.json("[]")

    init() {
        stubs = RouteStubs(baseURL: URL(string: "https://shelf.example.com/v1"), clock: clock)
    }

    private var elapsed: Duration { clock.now.offset }

    @Test func `a manual clock drives the delays of a retry`() async throws {
        stubs.on(.get, "/volumes", inTurn: [.status(503), .failure(.networkConnectionLost), list])
        try await stubs.run { () async throws in
            let request = VolumesRequest()
            request.retryPolicy = .constant(.seconds(3))
            request.retryPolicy?.clock = clock
            _ = try await clock.run { try await request.start().value }
        }
        #expect(elapsed == .seconds(6))
    }

    @Test func `a manual clock drives the date in a Retry-After field`() async throws {
        let date = HTTPDate(clock.date + 5).description
        stubs.on(.get, "/volumes", inTurn: [.status(503).with(header: "Retry-After", date), list])
        try await stubs.run { () async throws in
            let request = VolumesRequest()
            request.retryPolicy = .immediate
            request.retryPolicy?.clock = clock
            request.retryPolicy?.now = { [clock] in clock.date }
            _ = try await clock.run { try await request.start().value }
        }
        #expect(elapsed == .seconds(5))
    }

    @Test func `a manual clock drives the timeout of a pipeline`() async throws {
        stubs.on(.get, "/volumes", list.with(fault: .stallBeforeHead))
        try await stubs.run { () async throws in
            let pipeline = VolumesRequest().start().timeout(.seconds(30), clock: clock)
            // The timeout sleeps, and so does the server that stalls.
            let error = await thrown { _ = try await clock.run(whenSleeping: 2) { try await pipeline.value } }
            #expect(error?.code == .timedOut)
        }
        #expect(elapsed == .seconds(30))
    }

    @Test func `a manual clock drives the delay of a pipeline`() async throws {
        stubs.on(.get, "/volumes", list)
        try await stubs.run { () async throws in
            _ = try await clock.run { try await VolumesRequest().start().delay(.seconds(2), clock: clock).value }
        }
        #expect(elapsed == .seconds(2))
    }

    @Test func `a manual clock drives the expiration of responses in a timed cache`() async throws {
        let cache = TimedCache(for: .seconds(30), clock: clock)
        stubs.on(.get, "/volumes", list, times: .exactly(2))
        try await stubs.run { () async throws in
            for wait in [0, 29, 1] {
                clock.advance(by: .seconds(wait))
                let request = VolumesRequest()
                request.interceptors = [cache]
                _ = try await request.start().value
            }
        }
    }

    @Test func `a manual clock drives the freshness of cached responses`() async throws {
        let cache = HTTPCache(now: { [clock] in clock.date })
        stubs.on(.get, "/volumes") { request in
            if request.headers["If-None-Match"] == "\"1\"" { return .status(304).with(header: "ETag", "\"1\"") }
            return .json("[]").with(header: "ETag", "\"1\"").with(header: "Cache-Control", "max-age=60")
        }
        try await stubs.run { () async throws in
            var sources: [ResponseSource] = []
            for wait in [0, 59, 2] {
                clock.advance(by: .seconds(wait))
                let request = ShelfRequest("/volumes")
                request.interceptors = [cache]
                sources.append(try await request.start().value.source)
            }
            #expect(sources == [.network, .cache, .revalidated])
        }
    }

    @Test func `a manual clock drives the expiration of tokens`() async throws {
        stubs.on(.post, "/grant", .text("token"), times: .exactly(2))
        stubs.on(.get, "/volumes", list, times: .exactly(3))
        let now: @Sendable () -> Date = { [clock] in clock.date }
        let authentication = TokenAuthentication(clock: clock, now: now) { [clock] _ in
            let grant = ShelfRequest("/grant")
            grant.method = .post
            return AccessToken(try await grant.start().value.text(), expiresAt: clock.date + 60)
        }
        try await stubs.run { () async throws in
            // It is refreshed ten seconds before it expires.
            for wait in [0, 49, 1] {
                clock.advance(by: .seconds(wait))
                let request = VolumesRequest()
                request.interceptors = [authentication]
                _ = try await request.start().value
            }
        }
    }

    @Test func `a manual clock drives a rate limit`() async throws {
        let limit = RateLimit(requests: 1, per: .seconds(10), clock: clock)
        stubs.on(.get, "/volumes", list, times: .exactly(3))
        try await stubs.run { () async throws in
            try await clock.run { () async throws in
                for _ in 1...3 {
                    let request = VolumesRequest()
                    request.interceptors = [limit]
                    _ = try await request.start().value
                }
            }
        }
        #expect(elapsed == .seconds(20))
    }

    @Test func `a manual clock drives a circuit breaker`() async throws {
        let breaker = CircuitBreaker(tripping: .consecutiveFailures(1), openDuration: .seconds(30), clock: clock)
        stubs.on(.get, "/volumes", inTurn: [.status(503), list])
        try await stubs.run { () async throws in
            var codes: [ErrandError.Code?] = []
            for wait in [0, 29, 1] {
                clock.advance(by: .seconds(wait))
                let request = VolumesRequest()
                request.interceptors = [breaker]
                do {
                    _ = try await request.start().value
                    codes.append(nil)
                } catch let error as ErrandError {
                    codes.append(error.code)
                }
            }
            #expect(codes == [.unacceptableStatusCode, .circuitOpen, nil])
        }
    }

    @Test func `a manual clock drives the queue timeout of a concurrency limit`() async throws {
        let limit = ConcurrencyLimit(1, clock: clock)
        stubs.on(.get, "/volumes", list.after(.seconds(5)), times: .once)
        try await stubs.run { () async throws in
            let (first, second) = (VolumesRequest(), VolumesRequest())
            for request in [first, second] { request.interceptors = [limit] }
            second.resourceTimeout = .seconds(2)
            let (slow, impatient) = (first.start(), second.start())
            let volumes = Task { try await slow.value }
            try await clock.waitForSleepers()
            let waiting = Task { try await impatient.value }
            try await clock.waitForSleepers(2)
            #expect(clock.advanceToNextDeadline() == .seconds(2))
            let error = await thrown { _ = try await waiting.value }
            #expect(error?.code == .concurrencyLimited)
            #expect(clock.advanceToNextDeadline() == .seconds(3))
            #expect(try await volumes.value == [])
        }
    }

    @Test func `a manual clock drives the reconnection of an event source`() async throws {
        let type = ("Content-Type", "text/event-stream")
        stubs.on(
            .get, "/events",
            inTurn: [
                .chunked([Data("id: 7\nretry: 3000\ndata: one\n\n".utf8)]).with(header: type.0, type.1),
                .chunked([Data("data: two\n\n".utf8)]).with(header: type.0, type.1),
            ])
        try await stubs.run { () async throws in
            var reconnection = EventSourceReconnection()
            reconnection.clock = clock
            reconnection.backoff = .immediate
            let events = WatchShelfRequest("/events").startStream().eventSource(reconnection: reconnection)
            var texts: [String] = []
            try await clock.run { () async throws in
                for try await event in events {
                    texts.append(event.data)
                    if texts.count == 2 { break }
                }
            }
            #expect(texts == ["one", "two"])
        }
        #expect(stubs.requests.last?.headers["Last-Event-ID"] == "7")
        #expect(elapsed == .seconds(3))
    }

    @Test func `a manual clock drives slow pages and the pauses between them`() async throws {
        stubs.on(.get, "/volumes", where: .query("page", "1"), try .json(encodable: [Volume.first]).after(.seconds(1)))
        stubs.on(.get, "/volumes", where: .query("page", "2"), list.after(.seconds(1)))
        try await stubs.run { () async throws in
            let pages = Pages(.pageNumber(size: 1)) { _ in VolumesRequest() }
            try await clock.run { () async throws in
                for try await _ in pages { try await clock.sleep(for: .seconds(10)) }
            }
        }
        #expect(elapsed == .seconds(12))
    }

    @Test func `a manual clock drives the resumption of a download`() async throws {
        let whole = Data("0123456789".utf8)
        stubs.on(.get, "/file") { request in
            let response = MockResponse.data(whole, contentType: "text/plain").with(header: "ETag", "\"1\"")
            guard request.headers["Range"] == "bytes=4-" else { return response.with(fault: .closeInBody(after: 4)) }
            return MockResponse.data(whole.dropFirst(4), contentType: "text/plain").with(statusCode: 206)
                .with(header: "ETag", "\"1\"").with(header: "Content-Range", "bytes 4-9/10")
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await stubs.run { () async throws in
            let request = DownloadRequest(to: folder.appendingPathComponent("file"))
            request.retryPolicy = .constant(.seconds(5))
            request.retryPolicy?.clock = clock
            let file = try await clock.run { try await request.start().value }
            #expect(try Data(contentsOf: file.url) == whole)
        }
        #expect(stubs.requests.count == 2)
        #expect(elapsed == .seconds(5))
    }

    @Test func `a manual clock drives the duration that a hook measures`() async throws {
        let measured = Recorder<Duration>()
        stubs.on(.get, "/volumes", list.after(.seconds(4)))
        try await stubs.run { () async throws in
            let request = VolumesRequest()
            request.hook = RequestHook(clock: clock, didEnd: { measured.record($0.duration) })
            _ = try await clock.run { try await request.start().value }
        }
        #expect(measured.elements == [.seconds(4)])
    }
}

private final class DownloadRequest: ShelfAPI, Request {
    let target: URL

    init(to target: URL) {
        self.target = target
        super.init()
        path = "/file"
    }

    func start() -> Pipeline<DownloadedFile, any Error> {
        sendDownload(to: target)
    }
}
