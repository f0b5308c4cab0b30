import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import Errand

@Suite(.hangGuard) struct `A stream` {
    private struct Problem: Decodable, Equatable {
        let detail: String
    }

    private class LogAPI: APIBase {
        override func startRequest() -> Pipeline<DataResponse, any Error> {
            super.startRequest().validateStatusCode(in: 200..<300).decodeError(Problem.self).hasContentType(.plainText)
        }
    }

    private final class LogRequest: LogAPI, StreamingRequest {
        init(_ url: URL? = URL(string: "https://logs.example.com")) {
            super.init()
            baseURL = url
            timeoutInterval = .hangGuard
            path = "/log"
        }
        func startStream() -> ResponseStream { sendStream() }
    }

    private let text: HeaderFields = ["Content-Type": "text/plain"]

    private func stubbed(_ pieces: [String]) -> LogRequest {
        let request = LogRequest()
        request.dataTaskPipeline = request.stubStream(headers: text, pieces)
        return request
    }

    private func pieces(_ stream: ResponseStream) async throws -> [String] {
        try await stream.reduce(into: []) { $0.append(String(decoding: $1, as: UTF8.self)) }
    }

    @Test func `a stream sends one request per iterator, even if it fails`() async throws {
        let server = try MockServer()
        server.onAny { _ in .text("one").with(fault: .closeInBody(after: 1)) }
        let request = LogRequest(server.url)
        request.method = .post
        var broken = request.startStream().makeAsyncIterator()
        await #expect(throws: ErrandError.self) { while try await broken.next() != nil {} }
        server.onAny { _ in .status(404) }
        var refused = request.startStream().makeAsyncIterator()
        await #expect(throws: ErrandError.self) { try await refused.next() }
        for _ in 0..<2 {
            #expect(try await broken.next(isolation: #isolation) == nil)
            #expect(try await refused.next(isolation: #isolation) == nil)
        }
        #expect(server.requests.count == 2)
    }

    @Test func `a stream yields the pieces as they arrive`() async throws {
        let server = try MockServer()
        let gates = Gates(3)
        server.onAny { _ in
            .chunked([Data("one".utf8), Data("two".utf8)]).with(header: "Content-Type", "text/plain")
                .with(fault: .pauseBeforeEachChunk(gates.passNext))
        }
        let request = LogRequest(server.url)
        let response = try await request.startStream().open()
        #expect(response.statusCode == 200)
        #expect(response.method == .get)
        #expect(response.url?.path == "/log")
        #expect(response.attempts == 1)
        var body = response.body.makeAsyncIterator()
        gates.open(0)
        #expect(try await body.next() == Data("one".utf8))
        try await gates.waitForArrival(at: 1)
        #expect(request.downloadProgress.latest?.completed == 3)
        gates.open(1)
        gates.open(2)
        #expect(try await body.next() == Data("two".utf8))
        #expect(try await body.next() == nil)
        #expect(request.downloadProgress.latest == .init(completed: 6, total: 6))
    }

    @MainActor @Test func `a stream is read on the actor of its reader`() async throws {
        let actors = Recorder<Bool>()
        let body = tellingActor(to: actors)
        for try await _ in body {}
        for try await _ in ResponseStream({ _ in DataResponse(statusCode: 200, headers: [:], body: body) }) {}
        #expect(actors.elements == [true, true, true])
    }

    /// A body of one piece that records whether each call is made on the main actor.
    private nonisolated func tellingActor(to actors: Recorder<Bool>) -> ResponseBody {
        let rest = Locked<Data?>(Data("x".utf8))
        return ResponseBody {
            actors.record(#isolation === MainActor.shared)
            return rest.withLock { rest in
                defer { rest = nil }
                return rest
            }
        }
    }

    @Test func `a stream sends its request when it is read, and again for each reader`() async throws {
        let server = try MockServer()
        server.onAny { _ in .text("x") }
        let stream = LogRequest(server.url).startStream()
        #expect(server.requests.isEmpty)
        #expect(try await pieces(stream) == ["x"])
        #expect(try await pieces(stream) == ["x"])
        #expect(server.requests.count == 2)
    }

    @Test func `a stream with a rejected status fails with the error document`() async throws {
        let server = try MockServer()
        server.onAny { _ in .json(Data(#"{"detail": "no such log"}"#.utf8), statusCode: 404) }
        let request = LogRequest(server.url)
        let error = await expectFailure(.unacceptableStatusCode) { try await request.startStream().open() }
        #expect(error?.statusCode == 404)
        #expect(error?.payload(as: Problem.self) == Problem(detail: "no such log"))
        #expect(error?.attempts == 1)
    }

    @Test func `a stream with a rejected content type fails with the first bytes and cancels the rest`() async throws {
        let server = try MockServer()
        server.onAny { _ in
            .data(Data(repeating: 0x61, count: 4 << 20), contentType: "text/html")
        }
        let request = LogRequest(server.url)
        let error = await expectFailure(.unacceptableContentType) { try await request.startStream().open() }
        #expect(error?.bodyPrefix == Data(repeating: 0x61, count: ErrandError.bodyPrefixLimit))
        try await server.waitUntil(openConnections: 0)
    }

    @Test(arguments: [204, 200])
    func `a stream without a body needs no content type`(_ statusCode: Int) async throws {
        let request = LogRequest()
        request.dataTaskPipeline = request.stubStream(
            statusCode: statusCode, headers: statusCode == 200 ? ["Content-Length": "0"] : [:], [])
        #expect(try await pieces(request.startStream()).isEmpty)
    }

    @Test func `a stream with an accepted error status has its whole body`() async throws {
        let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let server = try MockServer()
        server.onAny { _ in .data(content, contentType: "text/plain", statusCode: 404) }
        let request = APIBase()
        request.baseURL = server.url
        request.timeoutInterval = .hangGuard
        let response = try await request.sendStream().open()
        #expect(response.statusCode == 404)
        #expect(try await response.body.reduce(into: Data()) { $0 += $1 } == content)
    }

    @Test func `an interrupted stream fails with an error that contains the request`() async throws {
        let server = try MockServer()
        server.onAny { _ in .text("0123456789").with(fault: .closeInBody(after: 5)) }
        let stream = LogRequest(server.url).startStream()
        let read = Recorder<Data>()
        let error = await expectFailure(.transportFailed) {
            for try await piece in stream { read.record(piece) }
        }
        #expect(read.elements == [Data("01234".utf8)])
        #expect(error?.method == .get)
        #expect(error?.url?.path == "/log")
        #expect(error?.attempts == 1)
        // `URLSession` on Linux collects no metrics.
        #if canImport(CCurl)
        #expect(error?.metrics != nil)
        #endif
    }

    @Test func `a stream passes the interceptors, and its head is retried`() async throws {
        let request = stubbed(["x"])
        let refusal = request.stubResponse(statusCode: 401)
        let outage = request.stubResponse(statusCode: 503)
        request.dataTaskPipeline = request.stub(inTurn: [
            refusal, outage, request.stubStream(headers: text, ["a", "", "b"]),
        ])
        request.retryPolicy = .immediate
        let used = Recorder<String?>()
        request.interceptors = [
            TokenAuthentication(token: AccessToken("old")) { _ in AccessToken("new") },
            Watching(seen: used),
        ]
        let response = try await request.startStream().open()
        #expect(response.attempts == 3)
        #expect(try await response.body.reduce(into: []) { $0.append($1) } == [Data("a".utf8), Data("b".utf8)])
        #expect(used.elements == ["Bearer old", "Bearer new", "Bearer new"])
    }

    private struct Watching: Interceptor {
        let seen: Recorder<String?>
        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            seen.record(request.urlRequest.value(forHTTPHeaderField: "Authorization"))
            return try await next(request)
        }
    }

    @Test func `a stream can be opened with header fields that replace those of the request`() async throws {
        let server = try MockServer()
        server.onAny { _ in .text("x") }
        let request = LogRequest(server.url)
        request.headers["Range"] = "bytes=0-"
        let stream = request.startStream()
        _ = try await stream.open(adding: ["range": "bytes=9-", "Last-Event-ID": "7"])
        _ = try await stream.open()
        _ = try await stream.open(adding: HeaderFields([.init("X-Tag", "a"), .init("x-tag", "b")]))
        #expect(server.requests.last?.headers["X-Tag"] == "a, b")
        #expect(server.requests.dropLast().map { $0.headers[values: "Range"] } == [["bytes=9-"], ["bytes=0-"]])
        #expect(server.requests.map { $0.headers["Last-Event-ID"] } == ["7", nil, nil])
        await expectFailure(.invalidHeaderField) { try await stream.open(adding: ["Last-Event-ID": "a\nb"]) }
    }

    @Test func `a stream closes its connection when the reading task is cancelled`() async throws {
        let server = try MockServer()
        server.onAny { _ in .text("0123456789").with(fault: .stallInBody(after: 5)) }
        let stream = LogRequest(server.url).startStream()
        let first = Gate()
        let reading = Task {
            for try await _ in stream { first.open() }
        }
        try await first.pass()
        reading.cancel()
        await expectFailure(.cancelled) { try await reading.value }
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `a stream closes its connection when the loop ends early`() async throws {
        let server = try MockServer()
        server.onAny { _ in .text("0123456789").with(fault: .stallInBody(after: 5)) }
        for try await _ in LogRequest(server.url).startStream() { break }
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `a stream without bytes for longer than the idle timeout fails`() async throws {
        let server = try MockServer()
        server.onAny { _ in .text("0123456789").with(fault: .stallInBody(after: 5)) }
        let request = LogRequest(server.url)
        request.timeoutInterval = 0.05
        let stream = request.startStream()
        await expectFailure(.timedOut) { try await pieces(stream) }
    }

    @Test func `a stubbed stream yields its pieces to each reader`() async throws {
        let stream = stubbed(["one", "two"]).startStream()
        #expect(try await pieces(stream) == ["one", "two"])
        #expect(try await pieces(stream) == ["one", "two"])
    }

    @Test func `a stubbed stream is also the stub of a whole response`() async throws {
        let request = stubbed(["one", "two"])
        #expect(try await request.sendRequest().value.data == Data("onetwo".utf8))
    }

    @Test func `a stubbed stream that throws fails like an interrupted connection`() async throws {
        let request = LogRequest()
        request.dataTaskPipeline = request.stubStream(
            headers: text,
            AsyncThrowingStream<Data, any Error> { continuation in
                continuation.yield(Data("one".utf8))
                continuation.finish(throwing: URLError(.networkConnectionLost))
            })
        let stream = request.startStream()
        let read = Recorder<Data>()
        let error = await expectFailure(.transportFailed) {
            for try await piece in stream { read.record(piece) }
        }
        #expect((error?.underlyingError as? URLError)?.code == .networkConnectionLost)
        #expect(read.elements == [Data("one".utf8)])
        #expect(request.downloadProgress.latest?.total == nil)
    }

    @Test func `a stream can be started with another service`() async throws {
        let transport = RecordingTransport(response: DataResponse(statusCode: 200, headers: text, data: Data("x".utf8)))
        let staging = APIService(
            baseURL: "https://staging.example.com", headers: ["X-Tenant": "t"], session: transport)
        #expect(try await pieces(LogRequest().startStream(with: staging)) == ["x"])
        let sent = try #require(transport.sent.elements.first)
        #expect(sent.urlRequest.url?.absoluteString == "https://staging.example.com/log")
        #expect(sent.urlRequest.value(forHTTPHeaderField: "X-Tenant") == "t")
    }

    @Test func `starting a stream does not change the request`() async throws {
        let request = stubbed(["x"])
        _ = request.startStream()
        #expect(try await request.sendRequest().value.data == Data("x".utf8))
    }
}
