import Errand
import TestSupport
import Testing

@testable import ErrandMockServer
@testable import ErrandTesting

/// Faults in a body that a closure returns, from a server and from stubs.
@Suite(.hangGuard) struct `Faults of streamed bodies` {
    enum Source: CaseIterable {
        case server
        case stubs
    }

    /// Returns these texts, one at a time.
    private func chunks(_ texts: String...) -> MockResponse.Chunks {
        let rest = Locked(texts[...])
        return { rest.withLock { $0.popFirst() }.map { Data($0.utf8) } }
    }

    private func read(_ request: WatchShelfRequest) async -> (text: String, error: ErrandError?) {
        var text = ""
        do {
            for try await piece in request.startStream() { text += String(decoding: piece, as: UTF8.self) }
            return (text, nil)
        } catch {
            return (text, error as? ErrandError)
        }
    }

    /// Reads a response through this source, and returns the text before its end or its error.
    private func outcome(of response: MockResponse, from source: Source) async throws -> (
        text: String, error: ErrandError?
    ) {
        switch source {
        case .server:
            let server = try MockServer()
            server.onAny { _ in response }
            let request = WatchShelfRequest("/")
            request.baseURL = server.url
            return await read(request)
        case .stubs:
            let stubs = RouteStubs(baseURL: URL(string: "https://shelf.example.com/v1"))
            stubs.on(.get, "/", response)
            return try await stubs.run { await read(WatchShelfRequest("/")) }
        }
    }

    static let counts = [(-1, ""), (0, ""), (2, "on"), (3, "one"), (5, "onetw"), (6, "onetwo"), (.max, "onetwo")]

    @Test(arguments: Source.allCases, counts)
    func `a lost connection delivers the bytes before it`(_ source: Source, _ cut: (count: Int, text: String))
        async throws
    {
        let response = MockResponse.stream(chunks("one", "", "two")).with(fault: .closeInBody(after: cut.count))
        let (text, error) = try await outcome(of: response, from: source)
        #expect(text == cut.text)
        #expect((error?.underlyingError as? URLError)?.code == .networkConnectionLost)
    }

    @Test(arguments: Source.allCases)
    func `events before a lost connection are delivered`(_ source: Source) async throws {
        let response = MockResponse.serverSentEvents(["1", "2"]).with(fault: .closeInBody(after: 12))
        let (text, error) = try await outcome(of: response, from: source)
        #expect(text == "data: 1\n\ndat")
        #expect(error?.code == .transportFailed)
    }

    @Test func `a server that stalls sends the bytes before it`() async throws {
        let server = try MockServer()
        server.onAny { [chunks = chunks("one", "two")] _ in .stream(chunks).with(fault: .stallInBody(after: 4)) }
        let client = try await RawClient.connect(to: server.url)
        try await client.send("GET / HTTP/1.1\r\nHost: test\r\n\r\n")
        #expect(try await client.read(through: "1\r\nt\r\n").hasSuffix("\r\n\r\n3\r\none\r\n1\r\nt\r\n"))
    }

    @Test func `a stub that stalls delivers the bytes before it, and times out`() async throws {
        let clock = ManualClock()
        let stubs = RouteStubs(baseURL: URL(string: "https://shelf.example.com/v1"), clock: clock)
        stubs.on(.get, "/", .stream(chunks("one", "two")).with(fault: .stallInBody(after: 4)))
        let (text, error) = try await stubs.run { await clock.run { await read(WatchShelfRequest("/")) } }
        #expect(text == "onet")
        #expect(error?.code == .timedOut)
    }

    static let whole: [MockFault] = [
        .drip(bytesAtATime: 2), .drip(bytesAtATime: 100), .pauseBeforeEachChunk {}, .closeInChunkSize(chunk: 0),
        .malformedTrailer, .wrongContentLength(by: 3),
    ]

    @Test(arguments: Source.allCases, whole.indices)
    func `faults that do not cut the payload deliver the whole body`(_ source: Source, _ index: Int) async throws {
        let response = MockResponse.stream(chunks("one", "two")).with(fault: Self.whole[index])
        let (text, error) = try await outcome(of: response, from: source)
        #expect(text == "onetwo")
        #expect(error == nil)
    }

    @Test func `a dripped stream pauses before each piece after the first`() async throws {
        let steps = Recorder<String>()
        let next = MockFault.drip(bytesAtATime: 2) { steps.record("pause") }.applied(to: chunks("one", "", "two"))
        while let piece = try await next() { steps.record(String(decoding: piece, as: UTF8.self)) }
        #expect(steps.elements == ["on", "pause", "e", "pause", "tw", "pause", "o"])
    }
}
