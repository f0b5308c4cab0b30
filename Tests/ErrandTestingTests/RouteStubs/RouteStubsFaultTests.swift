import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// The faults of a real server, simulated without one.
@Suite(.hangGuard) struct `Faults of stubs by route` {
    let clock = ManualClock()
    let stubs: RouteStubs

    init() {
        stubs = RouteStubs(baseURL: URL(string: "https://shelf.example.com/v1"), clock: clock)
    }

    /// Returns the body of a response, or the code of the network failure.
    private func outcome(of response: MockResponse) async throws -> Result<String, URLError> {
        stubs.on(.get, "/file", response)
        return try await stubs.run {
            do {
                return .success(try await ShelfRequest("/file").start().value.text())
            } catch let error as ErrandError {
                return .failure(error.underlyingError as? URLError ?? URLError(.unknown))
            }
        }
    }

    @Test func `a stub with a line break in a header field is refused`() async throws {
        stubs.on(.get, "/file", .text("x").with(header: "X-A", "1\r\nX-B: 2"))
        // The end of the run reports the refusal again.
        await #expect(throws: (any Error).self) {
            try await stubs.run { () async throws in
                let error = await expectFailure(.invalidHeaderField) { try await ShelfRequest("/file").start().value }
                #expect(error?.reason?.contains("responds with a line break in the header field \"X-A\"") == true)
            }
        }
    }

    static let lost: [MockFault] = [
        .closeBeforeHead, .closeInHead(after: 7), .closeInBody(after: 3), .resetBeforeHead, .resetInBody(after: 0),
        .wrongContentLength(by: 5),
    ]

    @Test(arguments: lost.indices)
    func `a stub fault that truncates a response fails with a lost connection`(_ index: Int) async throws {
        let outcome = try await outcome(of: .text("0123456789").with(fault: Self.lost[index]))
        #expect(throws: URLError(.networkConnectionLost)) { try outcome.get() }
    }

    @Test func `a stub fault after the last byte of a chunked response loses the connection`() async throws {
        let chunked = MockResponse.chunked([Data("01".utf8), Data("23".utf8)])
        let outcome = try await outcome(of: chunked.with(fault: .closeInBody(after: .max)))
        #expect(throws: URLError(.networkConnectionLost)) { try outcome.get() }
    }

    static let harmless: [(MockResponse, String)] = [
        (.text("0123456789").with(fault: .closeInBody(after: 10)), "0123456789"),
        (.text("0123456789").with(fault: .closeInBody(after: .max)), "0123456789"),
        (.text("0123456789").with(fault: .wrongContentLength(by: -4)), "012345"),
        (.text("0123456789").with(fault: .wrongContentLength(by: .min)), ""),
        (.text("0123456789").with(fault: .drip(bytesAtATime: 3)), "0123456789"),
        (.text("0123456789").with(fault: .drip(bytesAtATime: -3)), "0123456789"),
        (.text("0123456789").with(fault: .pauseBeforeEachChunk {}), "0123456789"),
        (.chunked([Data("01".utf8), Data(), Data("23".utf8)]).with(fault: .pauseBeforeEachChunk {}), "0123"),
        (MockResponse(body: .untilClose(Data("01".utf8))).with(fault: .closeInBody(after: 1)), "0"),
        (.status(200), ""),
    ]

    @Test(arguments: harmless.indices)
    func `a stub fault that leaves the response complete has no effect`(_ index: Int) async throws {
        let (response, text) = Self.harmless[index]
        #expect(try await outcome(of: response).get() == text)
    }

    static let stalls: [MockFault] = [.stallBeforeHead, .stallInHead(after: 1), .stallInBody(after: 3)]

    @Test(arguments: stalls.indices)
    func `a stalled stub times out on the stubs' clock`(_ index: Int) async throws {
        let end = try await clock.run {
            try await outcome(of: .text("0123456789").with(fault: Self.stalls[index]))
        }
        #expect(throws: URLError(.timedOut)) { try end.get() }
        #expect(clock.now.offset == .seconds(60))
    }

    @Test func `a stub fault that needs bytes on a connection is rejected by name`() async throws {
        stubs.on(.get, "/file", .raw("HTTP/1.1 abc\r\n\r\n"))
        let failure = await thrown(StubFailure.self) {
            try await stubs.run { () async throws in
                let error = await thrown { _ = try await ShelfRequest("/file").start().value }
                #expect(error?.code == .unsupportedByTransport)
            }
        }
        let message = try #require(failure?.problems.first?.message)
        #expect(message.hasSuffix("responds with raw bytes, which needs a MockServer"), "\(message)")
    }

    @Test(arguments: [MockFault.malformedChunkSize(chunk: 0), .closeInChunkSize(chunk: 0), .malformedTrailer])
    func `a stub fault of the chunk framing is rejected`(_ fault: MockFault) async throws {
        stubs.on(.get, "/file", .chunked([Data("01".utf8)]).with(fault: fault))
        let failure = await thrown(StubFailure.self) {
            try await stubs.run { _ = try? await ShelfRequest("/file").start().value }
        }
        #expect(failure?.problems.first?.message.hasSuffix(", which needs a MockServer") == true)
    }

    @Test func `a failure response of a mock server is a 500 response with the error`() async throws {
        let server = try MockServer()
        server.onAny { _ in .failure(.cannotFindHost) }
        let request = ShelfRequest("/")
        request.baseURL = server.url
        let error = await thrown { _ = try await request.start().value }
        #expect(error?.statusCode == 500)
        let text = String(decoding: error?.bodyPrefix ?? Data(), as: UTF8.self)
        #expect(text.contains("-1003"), "\(text)")
    }
}

@Suite(.hangGuard) struct `Latency of stubs by route` {
    let clock = ManualClock()
    let stubs: RouteStubs

    init() {
        stubs = RouteStubs(baseURL: URL(string: "https://shelf.example.com/v1"), clock: clock)
    }

    @Test func `the latency of a stub passes on the clock of the stubs`() async throws {
        stubs.on(.get, "/file", .text("late").after(.seconds(3)))
        try await stubs.run { () async throws in
            #expect(try await clock.run { try await ShelfRequest("/file").start().value }.text() == "late")
        }
        #expect(clock.now.offset == .seconds(3))
    }

    @Test func `the latency of a stub can pass on a custom clock`() async throws {
        let other = ManualClock()
        stubs.on(.get, "/file", .text("late").after(.seconds(3), clock: other))
        try await stubs.run { () async throws in
            _ = try await other.run { try await ShelfRequest("/file").start().value }
        }
        #expect(other.now.offset == .seconds(3))
        #expect(clock.now.offset == .zero)
    }

    @Test(arguments: [Duration.zero, .seconds(-5)])
    func `a latency of zero or less is ignored`(_ latency: Duration) async throws {
        stubs.on(.get, "/file", .text("at once").after(latency))
        try await stubs.run { _ = try await ShelfRequest("/file").start().value }
    }

    @Test(arguments: [(60, nil, 60), (61, nil, 60), (7, 7, 7), (10, 5, 5), (.max, 5, 5)] as [(Int64, Int64?, Int64)])
    func `a latency over the request's time limit fails with a timeout`(
        _ latency: Int64, _ limit: Int64?, _ end: Int64
    ) async throws {
        stubs.on(.get, "/file", .text("late").after(.seconds(latency)))
        try await stubs.run { () async throws in
            let request = ShelfRequest("/file")
            request.resourceTimeout = limit.map { .seconds($0) }
            let error = await thrown { _ = try await clock.run { try await request.start().value } }
            #expect(error?.code == .timedOut)
        }
        #expect(clock.now.offset == .seconds(end))
    }

    @Test func `cancelling a request cancels the latency of its stub`() async throws {
        stubs.on(.get, "/file", .text("late").after(.seconds(3)))
        try await stubs.run { () async throws in
            let pipeline = ShelfRequest("/file").start()
            let waiting = Task { try await pipeline.value }
            try await clock.waitForSleepers()
            waiting.cancel()
            let error = await thrown { _ = try await waiting.value }
            #expect(error?.code == .cancelled)
            #expect(clock.sleeperCount == 0)
        }
    }

    @Test func `a mock server supports latency on a clock`() async throws {
        let server = try MockServer()
        server.onAny { [clock] _ in .text("late").after(.seconds(3), clock: clock) }
        let request = ShelfRequest("/")
        request.baseURL = server.url
        #expect(try await clock.run { try await request.start().value }.text() == "late")
        #expect(clock.now.offset == .seconds(3))
    }
}

@Suite(.hangGuard) struct `Streams of stubs by route` {
    let clock = ManualClock()
    let stubs: RouteStubs

    init() {
        stubs = RouteStubs(baseURL: URL(string: "https://shelf.example.com/v1"), clock: clock)
    }

    @Test func `a stubbed stream delivers its chunks with pauses on a clock`() async throws {
        let pieces = ["one\n", "two\n"].map { Data($0.utf8) }
        stubs.on(
            .get, "/lines",
            .chunked(pieces).with(
                fault: .pauseBeforeEachChunk { [clock] in
                    try await clock.sleep(for: .seconds(1))
                }))
        try await stubs.run { () async throws in
            var times: [String: Duration] = [:]
            try await clock.run { () async throws in
                for try await line in WatchShelfRequest("/lines").startStream().lines() {
                    times[line] = clock.now.offset
                }
            }
            #expect(times == ["one": .seconds(1), "two": .seconds(2)])
        }
        #expect(clock.now.offset == .seconds(3))
    }

    @Test func `a stubbed stream delivers the chunks of a closure one at a time`() async throws {
        let gates = Gates(2)
        let count = Recorder<Int>()
        stubs.on(.get, "/lines") { _ in
            .stream {
                try await gates.passNext()
                count.record(1)
                return count.elements.count > 2 ? nil : Data("line \(count.elements.count)\n".utf8)
            }
        }
        try await stubs.run { () async throws in
            var lines = WatchShelfRequest("/lines").startStream().lines().makeAsyncIterator()
            gates.open(0)
            #expect(try await lines.next() == "line 1")
            gates.open(1)
            #expect(try await lines.next() == "line 2")
            #expect(try await lines.next() == nil)
        }
    }

    @Test func `a stubbed stream breaks off after the given number of bytes`() async throws {
        stubs.on(.get, "/lines", .text("one\ntwo\nthree\n").with(fault: .closeInBody(after: 6)))
        try await stubs.run { () async throws in
            var lines: [String] = []
            let error = await thrown {
                for try await line in WatchShelfRequest("/lines").startStream().lines() { lines.append(line) }
            }
            #expect(lines == ["one"])
            #expect((error?.underlyingError as? URLError)?.code == .networkConnectionLost)
        }
    }

    @Test func `a stubbed stream fails with the error that its closure throws`() async throws {
        struct Own: Error {}
        stubs.on(.get, "/lines", .stream { throw URLError(.cannotParseResponse) }, times: .once)
        stubs.on(.get, "/own", .stream { throw Own() })
        try await stubs.run { () async throws in
            for (path, code) in [("lines", URLError.Code.cannotParseResponse), ("own", .networkConnectionLost)] {
                let error = await thrown {
                    for try await _ in WatchShelfRequest("/\(path)").startStream() {}
                }
                #expect((error?.underlyingError as? URLError)?.code == code)
            }
        }
    }

    @Test func `a stubbed stream can be server-sent events, sent again for each request`() async throws {
        let events: [MockEvent] = [
            .event("1", name: "update"), .pause { [clock] in try await clock.sleep(for: .seconds(9)) }, "2",
        ]
        stubs.on(.get, "/events", .serverSentEvents(events), times: .exactly(2))
        try await stubs.run { () async throws in
            for _ in 1...2 {
                let pieces = WatchShelfRequest("/events").startStream().eventSource()
                let received = try await clock.run { try await pieces.prefix(2).reduce(into: []) { $0.append($1) } }
                #expect(received.map(\.data) == ["1", "2"])
                #expect(received.map(\.event) == ["update", "message"])
            }
        }
        #expect(clock.now.offset == .seconds(18))
    }

    @Test func `a stubbed stream with an error status fails like any other`() async throws {
        stubs.on(.get, "/lines", .text("no", statusCode: 403))
        try await stubs.run { () async throws in
            let error = await thrown {
                for try await _ in WatchShelfRequest("/lines").startStream() {}
            }
            #expect(error?.statusCode == 403)
            #expect(error?.bodyPrefix == Data("no".utf8))
        }
    }
}
