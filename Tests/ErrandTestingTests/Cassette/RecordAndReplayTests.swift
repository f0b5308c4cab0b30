import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// Every exchange is recorded from a server, and replayed after the server has stopped.
@Suite(.hangGuard) struct `A cassette` {
    private let folder: CassetteFolder
    private let server: MockServer

    init() throws {
        folder = try CassetteFolder()
        server = try MockServer()
    }

    private func cassette(_ mode: Cassette.Mode, matching: Cassette.Matching = Cassette.Matching()) -> Cassette {
        Cassette(
            at: folder.file(), mode: mode, matching: matching, redacting: .keepingAll, requiresAllUsed: true)
    }

    /// Runs `body` with the server, and again without it.
    ///
    /// - Returns: The recording.
    @discardableResult
    private func expectSame<Value: Equatable & Sendable>(
        matching: Cassette.Matching = Cassette.Matching(), sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (URL) async throws -> Value
    ) async throws -> HAR {
        let url = server.url
        let recorded = try await cassette(.record, matching: matching).run { try await body(url) }
        server.stop()
        let count = server.requests.count
        let replayed = try await cassette(.replay, matching: matching).run { try await body(url) }
        #expect(recorded == replayed, sourceLocation: sourceLocation)
        #expect(server.requests.count == count)
        return try HAR(contentsOf: folder.file())
    }

    @Test(arguments: RecordedTransport.allCases)
    func `a replay returns the recorded response without the server`(_ transport: RecordedTransport) async throws {
        server.on(.get, "/books") { _ in
            .json(Data(#"[{"title": "Malafrena"}]"#.utf8)).with(header: "X-Tag", "one").with(header: "X-Tag", "two")
        }
        let session = transport.make()
        let archive = try await expectSame { url in
            let request = AnyRequest(url, "/books", ["author": "Le Guin"]) { $0.session = session }
            return SeenResponse(try await request.start().value)
        }
        let entry = try #require(archive.log.entries.first)
        #expect(archive.log.entries.count == 1)
        #expect(entry.request.method == "GET")
        #expect(entry.request.url == "\(server.url)/books?author=Le%20Guin")
        #expect(entry.request.queryString == [HAR.Pair("author", "Le Guin")])
        #expect(entry.response.statusText == "OK")
        #expect(entry.response.content.text == #"[{"title": "Malafrena"}]"#)
        #expect(entry.response.content.mimeType == "application/json")
    }

    @Test(arguments: RecordedTransport.allCases)
    func `a recording keeps repeated fields, binary and empty bodies, and the status`(
        _ transport: RecordedTransport
    ) async throws {
        let bytes = Data((0...255).map { UInt8($0) })
        server.on(.get, "/cover") { _ in .data(bytes, contentType: "image/png") }
        server.on(.head, "/cover") { _ in .data(bytes, contentType: "image/png") }
        server.on(.delete, "/cover") { _ in .status(204) }
        server.on(.put, "/cover") { _ in
            .text("no", statusCode: 409).with(header: "X-Why", "a").with(header: "X-Why", "b")
        }
        let session = transport.make()
        let archive = try await expectSame { url in
            var seen: [SeenResponse] = []
            for method in [RequestMethod.get, .head, .delete, .put] {
                let request = AnyRequest(url, "/cover") { request in
                    request.method = method
                    request.session = session
                    if method == .put { request.body = .data(bytes, type: "image/png") }
                }
                seen.append(SeenResponse(try await request.start().value))
            }
            return seen
        }
        let entries = archive.log.entries
        #expect(entries.map(\.response.status) == [200, 200, 204, 409])
        #expect(entries.first?.response.content.encoding == "base64")
        #expect(entries.first?.response.content.data == bytes)
        #expect(entries.last?.request.postData?.encoding == "base64")
        #expect(entries.last?.request.postData?.data == bytes)
    }

    @Test(arguments: RecordedTransport.allCases)
    func `a compressed body is recorded decoded, with both sizes`(_ transport: RecordedTransport) async throws {
        let coded = try #require(Data(base64Encoded: Self.gzip))
        server.on(.get, "/book") { _ in .json(coded).with(header: "Content-Encoding", "gzip") }
        let session = transport.make()
        let archive = try await expectSame { url in
            let response = try await AnyRequest(url, "/book") { $0.session = session }.start().value
            #expect(try response.text().contains("Malafrena"))
            return SeenResponse(response)
        }
        let response = try #require(archive.log.entries.first?.response)
        #expect(response.content.encoding == nil)
        #expect(response.content.size == 131)
        #expect(response.bodySize == coded.count)
        #expect(response.content.compression == 131 - coded.count)
    }

    @Test(arguments: RecordedTransport.allCases)
    func `a recording keeps the response after redirects and its URL`(_ transport: RecordedTransport) async throws {
        server.on(.get, "/old") { _ in .status(302).with(header: "Location", "/new") }
        server.on(.get, "/new") { _ in .text("here") }
        let session = transport.make()
        let archive = try await expectSame { url in
            SeenResponse(try await AnyRequest(url, "/old") { $0.session = session }.start().value)
        }
        let entry = try #require(archive.log.entries.first)
        #expect(archive.log.entries.count == 1)
        #expect(entry.request.url.hasSuffix("/old"))
        #expect(entry.response.url == "\(server.url)/new")
    }

    @Test func `a recording keeps a redirect that is not followed and its Location`() async throws {
        server.on(.get, "/old") { _ in .status(302).with(header: "Location", "/new?token=planted&page=2") }
        let archive = try await expectSame { url in
            let response = try await AnyRequest(url, "/old") { $0.redirectPolicy = .ignore }.start().value
            return response.statusCode
        }
        #expect(archive.log.entries.first?.response.redirectURL == "/new?token=***&page=2")
    }

    @Test(arguments: [299, 599, 600, 999]) func `a nonstandard status code is replayed`(_ status: Int) async throws {
        server.on(.get, "/books") { _ in .text("unusual", statusCode: status) }
        let archive = try await expectSame { url in SeenResponse(try await AnyRequest(url, "/books").start().value) }
        #expect(archive.log.entries.map(\.response.status) == [status])
    }

    @Test func `a body over the limit of a recording is matched by its size`() async throws {
        server.on(.post, "/") { _ in .status(201) }
        let url = server.url
        for mode in [Cassette.Mode.record, .replay] {
            let cassette = Cassette(
                at: folder.file(), mode: mode, matching: [.method, .url, .body], maximumBodySize: 0)
            try await cassette.run {
                let request = AnyRequest(url, "/") { request in
                    request.method = .post
                    request.body = .data(Data("abcdefgh".utf8), type: "text/plain")
                }
                let response = try await request.start().value
                #expect(response.statusCode == 201)
            }
        }
        #expect(server.requests.count == 1)
    }

    @Test func `a recorded failure is replayed as the same error`() async throws {
        server.on(.get, "/") { _ in .text("0123456789").with(fault: .closeInBody(after: 4)) }
        let archive = try await expectSame { url in
            let error = await expectFailure(.transportFailed) { try await AnyRequest(url, "/").start().value }
            return [(error?.underlyingError as? URLError)?.code.rawValue, error?.attempts]
        }
        let entry = try #require(archive.log.entries.first)
        #expect(entry.error == HAR.Failure(.networkConnectionLost))
        #expect(entry.response.status == 0)
        #expect(entry.timings.total > 0)
        #expect(entry.serverIPAddress == "127.0.0.1")
    }

    @Test(arguments: [true, false])
    func `an interceptor that records a failure keeps its timings`(_ isStreamed: Bool) async throws {
        server.on(.get, "/") { _ in .text("0123456789").with(fault: .closeInBody(after: 4)) }
        let run = try cassette(.record).start()
        let request = AnyRequest(server.url, "/") { $0.interceptors = [run] }
        await expectFailure(.transportFailed) {
            if isStreamed { for try await _ in request.startStream() {} } else { _ = try await request.start().value }
        }
        try run.finish()
        let entry = try #require(HAR(contentsOf: folder.file()).log.entries.first)
        #expect(entry.timings.total > 0)
    }

    @Test func `each attempt of a retry replays its own entry`() async throws {
        let turns = Recorder<Int>()
        server.on(.get, "/flaky") { _ in
            turns.record(1)
            return turns.elements.count < 3 ? .status(503) : .text("at last")
        }
        let archive = try await expectSame { url in
            let request = AnyRequest(url, "/flaky") { $0.retryPolicy = .constant(.zero) }
            return SeenResponse(try await request.start().value)
        }
        #expect(archive.log.entries.map(\.response.status) == [503, 503, 200])
    }

    @Test func `one token refresh for concurrent requests is recorded without the token`() async throws {
        server.on(.post, "/grant") { _ in .json(Data(#"{"access_token": "planted-new", "expires_in": 60}"#.utf8)) }
        server.on(.get, "/books/:id") { request in
            guard request.headers["Authorization"] == "Bearer planted-old" else {
                return .text("book \(request.parameters["id"] ?? "")")
            }
            return .status(401)
        }
        struct Grant: Decodable {
            var accessToken: String

            enum CodingKeys: String, CodingKey {
                case accessToken = "access_token"
            }
        }
        let archive = try await expectSame { url in
            // A replay returns the recorded responses whatever the tokens are, so all requests must be rejected before
            // a refresh begins.
            let refusals = Refusals(expected: 4)
            let authentication = TokenAuthentication(token: AccessToken("planted-old")) { _ in
                let grant = AnyRequest(url, "/grant") { $0.method = .post }
                return AccessToken(try await grant.start().decode(Grant.self).value.accessToken)
            }
            return try await withThrowingTaskGroup(of: String?.self) { group in
                for id in 0..<4 {
                    group.addTask {
                        let request = AnyRequest(url, "/books/\(id)") { $0.interceptors = [authentication, refusals] }
                        return try await request.start().value.text()
                    }
                }
                return try await group.reduce(into: [String?]()) { $0.append($1) }.sorted { ($0 ?? "") < ($1 ?? "") }
            }
        }
        #expect(archive.log.entries.map(\.response.status).sorted() == [200, 200, 200, 200, 200, 401, 401, 401, 401])
        let text = try String(contentsOf: folder.file(), encoding: .utf8)
        #expect(!text.contains("planted"))
        #expect(text.contains("***"))
    }

    @Test func `recorded pages are replayed in order`() async throws {
        server.on(.get, "/shelf") { request in
            let page = request.queryItems.first { $0.name == "page" }?.value ?? ""
            return .json(Data(page == "3" ? "[]".utf8 : "[\(page)]".utf8))
        }
        final class Shelf: APIBase, Request {
            init(_ base: URL) {
                super.init()
                baseURL = base
                timeoutInterval = .hangGuard
                path = "/shelf"
            }

            func start() -> Pipeline<[Int], any Error> { sendRequest().decode([Int].self) }
        }
        try await expectSame { url in
            var numbers: [Int] = []
            for try await page in Pages(.pageNumber(size: 1), prefetch: true, request: { _ in Shelf(url) }) {
                numbers += page
            }
            return numbers
        }
    }

    @Test(arguments: RecordedTransport.allCases)
    func `a recorded download is replayed`(_ transport: RecordedTransport) async throws {
        let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        server.on(.get, "/file") { _ in .data(content, contentType: "application/octet-stream") }
        final class File: APIBase, Request {
            let target: URL

            init(_ base: URL, _ target: URL) {
                self.target = target
                super.init()
                baseURL = base
                timeoutInterval = .hangGuard
                path = "/file"
            }

            func start() -> Pipeline<DownloadedFile, any Error> { sendDownload(to: target) }
        }
        let session = transport.make()
        try await expectSame { url in
            let target = folder.file(UUID().uuidString)
            let request = File(url, target)
            request.session = session
            let file = try await request.start().value
            return [Int(file.byteCount), try Data(contentsOf: target) == content ? 1 : 0]
        }
    }

    @Test(arguments: RecordedTransport.allCases)
    func `a recorded stream is replayed to its end`(_ transport: RecordedTransport) async throws {
        server.on(.get, "/numbers") { _ in .chunked((0..<50).map { Data("\($0)\n".utf8) }) }
        let session = transport.make()
        let archive = try await expectSame { url in
            var data = Data()
            let request = AnyRequest(url, "/numbers") { $0.session = session }
            for try await piece in request.startStream() { data += piece }
            return data
        }
        #expect(archive.log.entries.first?.response.content.text?.hasSuffix("48\n49\n") == true)
        #expect(archive.log.entries.first?.response.content.cut == nil)
    }

    @Test func `a recorded stream that broke off fails at the same byte in the replay`() async throws {
        server.on(.get, "/numbers") { _ in .text("0123456789").with(fault: .closeInBody(after: 4)) }
        let archive = try await expectSame { url in
            var text = ""
            let error = await expectFailure(.transportFailed) {
                for try await piece in AnyRequest(url, "/numbers").startStream() {
                    text += String(decoding: piece, as: UTF8.self)
                }
            }
            return [text, "\((error?.underlyingError as? URLError)?.code.rawValue ?? 0)"]
        }
        #expect(archive.log.entries.first?.response.content.text == "0123")
        #expect(archive.log.entries.first?.response.content.cut == .failed)
    }

    @Test func `recorded events replay up to where they were read, and then fail`() async throws {
        let gate = Gate()
        server.on(.get, "/events") { _ in
            let sent = Recorder<Int>()
            return MockResponse.stream {
                sent.record(1)
                if sent.elements.count > 2 { try await gate.pass() }
                return Data("data: \(sent.elements.count)\n\n".utf8)
            }.with(header: "Content-Type", "text/event-stream")
        }
        let archive = try await expectSame { url in
            var seen: [String] = []
            for try await event in AnyRequest(url, "/events").sendStream().eventSource() {
                seen.append(event.data)
                if seen.count == 2 { break }
            }
            return seen
        }
        gate.open()
        #expect(archive.log.entries.first?.response.content.cut == .released)
        let url = server.url
        let error = await expectFailure(.notRecorded) {
            try await cassette(.replay).run {
                for try await _ in AnyRequest(url, "/events").sendStream().eventSource() {}
            }
        }
        #expect(error?.reason == "the body of entry 1 of shelf.har was recorded only as far as it was read")
    }

    @Test(arguments: RecordedTransport.allCases)
    func `a streamed request body is recorded and matched`(_ transport: RecordedTransport) async throws {
        server.on(.post, "/lines") { request in .text("\(request.body.count)") }
        let session = transport.make()
        let archive = try await expectSame(matching: [.method, .url, .body]) { url in
            var seen: [String?] = []
            for text in ["one two", "three"] {
                let pieces = AsyncStream<Data> { continuation in
                    for word in text.split(separator: " ") { continuation.yield(Data(word.utf8)) }
                    continuation.finish()
                }
                let request = AnyRequest(url, "/lines") { request in
                    request.method = .post
                    request.session = session
                    request.body = .stream(BodyStream(pieces), type: "text/plain")
                }
                seen.append(try await request.start().value.text())
            }
            return seen
        }
        #expect(archive.log.entries.map(\.request.postData?.text) == ["onetwo", "three"])
    }

    @Test func `a recording keeps bodies up to its limit and notes what is missing`() async throws {
        server.on(.post, "/") { _ in .text("0123456789") }
        func limited(_ mode: Cassette.Mode) -> Cassette {
            Cassette(
                at: folder.file(), mode: mode, matching: [.method, .url, .body], redacting: .keepingAll,
                maximumBodySize: 4)
        }
        let url = server.url
        func send() async throws -> String? {
            let request = AnyRequest(url, "/") { request in
                request.method = .post
                request.body = .data(Data("abcdefgh".utf8), type: "text/plain")
            }
            return try await request.start().value.text()
        }
        #expect(try await limited(.record).run { try await send() } == "0123456789")
        let entry = try #require(try HAR(contentsOf: folder.file()).log.entries.first)
        #expect(entry.response.content.text == "0123")
        #expect(entry.response.content.size == 10)
        #expect(entry.response.content.cut == .limit)
        #expect(entry.request.postData?.text == "abcd")
        #expect(entry.request.bodySize == 8)
        let error = await expectFailure(.notRecorded) { try await limited(.replay).run { try await send() } }
        #expect(error?.reason == "the body of entry 1 of shelf.har was cut at `maximumBodySize` when it was recorded")
    }

    @Test func `a recording keeps a stream up to its limit and delivers all of it`() async throws {
        server.on(.get, "/") { _ in .chunked([Data("012".utf8), Data("345".utf8), Data("6789".utf8)]) }
        func limited(_ mode: Cassette.Mode) -> Cassette {
            Cassette(at: folder.file(), mode: mode, redacting: .keepingAll, maximumBodySize: 4)
        }
        let (url, read) = (server.url, Recorder<UInt8>())
        func send() async throws {
            for try await piece in AnyRequest(url, "/").startStream() {
                for byte in piece { read.record(byte) }
            }
        }
        try await limited(.record).run { try await send() }
        #expect(read.elements == Array("0123456789".utf8))
        let content = try #require(try HAR(contentsOf: folder.file()).log.entries.first?.response.content)
        #expect(content.text == "0123")
        #expect(content.size == 10)
        #expect(content.cut == .limit)
        await expectFailure(.notRecorded) { try await limited(.replay).run { try await send() } }
        #expect(read.elements == Array("01234567890123".utf8))
    }

    @Test func `a cassette sees requests after their interceptors and does not replace stubs`() async throws {
        server.on(.get, "/books") { request in .text(request.headers["X-Version"] ?? "none") }
        let archive = try await expectSame(matching: [.method, .url, .headers("X-Version")]) { url in
            struct Versioned: Interceptor {
                func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                    var request = request
                    request.urlRequest.setValue("7", forHTTPHeaderField: "X-Version")
                    return try await next(request)
                }
            }
            let stubbed = AnyRequest(url, "/books") { $0.dataTaskPipeline = $0.stubResponse(statusCode: 418) }
            #expect(try await stubbed.start().value.statusCode == 418)
            return try await AnyRequest(url, "/books") { $0.interceptors = [Versioned()] }.start().value.text()
        }
        #expect(archive.log.entries.count == 1)
        #expect(archive.log.entries.first?.request.headers.contains(HAR.Pair("X-Version", "7")) == true)
    }

    @Test func `a cassette run can be used as an interceptor of single requests`() async throws {
        server.on(.get, "/books") { _ in .text("books") }
        for mode in [Cassette.Mode.record, .replay] {
            let run = try cassette(mode).start()
            let request = AnyRequest(server.url, "/books") { $0.interceptors = [run] }
            #expect(try await request.start().value.text() == "books")
            try run.finish()
            try run.finish()
            let error = await expectFailure(.notRecorded) { try await request.start().value }
            #expect(error?.reason?.contains("had ended") == true)
        }
        #expect(server.requests.count == 1)
    }

    @Test func `a cassette does not record the handshake of a WebSocket`() async throws {
        let run = try cassette(.record).start()
        let response = try await run.intercept(
            TransportRequest(URLRequest(url: try .nowhere("/chat"))), next: Next { _ in DataResponse(statusCode: 101) })
        #expect(response.statusCode == 101)
        try run.finish()
        #expect(!FileManager.default.fileExists(atPath: folder.file().path))
    }

    @Test func `concurrent tests do not see each other's cassettes`() async throws {
        server.onAny { request in .text(request.path) }
        let (url, folder) = (server.url, folder)
        for mode in [Cassette.Mode.record, .replay] {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let file = folder.file("\(number).har")
                        let cassette = Cassette(
                            at: file, mode: mode, redacting: .keepingAll, requiresAllUsed: true)
                        try await cassette.run {
                            let response = try await AnyRequest(url, "/\(number)").start().value
                            #expect(try response.text() == "/\(number)")
                        }
                        #expect(try HAR(contentsOf: file).log.entries.count == 1)
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(server.requests.count == 50)
    }

    /// A JSON document of 131 bytes.
    private static let gzip = "H4sIAAAAAAACA6tWKsksyUlVslJQ8k3MSUwrSs1LVNJRUCpITE8tBooam1kCeSWpFSUgJYnUB0q1AMlTA4+DAAAA"
}

/// Delays the 401 responses until the expected number of requests has arrived.
private struct Refusals: Interceptor {
    let expected: Int
    private let all = Gate()
    private let refused = Recorder<Int>()

    init(expected: Int) { self.expected = expected }

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let response = try await next(request)
        guard response.statusCode == 401 else { return response }
        refused.record(1)
        if refused.elements.count >= expected { all.open() }
        try await all.pass()
        return response
    }
}
