import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `A HAR recorder` {
    private let server: MockServer
    private let folder: CassetteFolder

    init() throws {
        server = try MockServer()
        folder = try CassetteFolder()
    }

    /// A recorder of the requests to the server.
    private func recorder(bodies: Bool = true, maximumBodySize: Int = 1 << 20) -> HARRecorder {
        HARRecorder(hosts: ["127.0.0.1"], bodies: bodies, redacting: .keepingAll, maximumBodySize: maximumBodySize)
    }

    private func request(
        _ path: RequestPath, _ recorder: HARRecorder, change: (AnyRequest) -> Void = { _ in }
    ) -> AnyRequest {
        AnyRequest(server.url, path) { request in
            request.interceptors = [recorder]
            change(request)
        }
    }

    @Test func `a written file has the requests in order, with their responses`() async throws {
        server.on(.get, "/books") { _ in .json("[1]") }
        server.on(.post, "/books") { _ in .status(201) }
        let recorder = recorder()
        _ = try await request("/books", recorder).start().value
        _ = try await request("/books", recorder) { request in
            request.method = .post
            request.body = .data(Data("{\"id\": 2}".utf8), type: .json)
        }.start().value
        try recorder.write(to: folder.file())
        let archive = try HAR(contentsOf: folder.file())
        #expect(archive == recorder.archive)
        #expect(archive.log.comment == nil)
        #expect(archive.log.entries.map(\.request.method) == ["GET", "POST"])
        #expect(archive.log.entries.map(\.response.status) == [200, 201])
        #expect(archive.log.entries.first?.response.content.text == "[1]")
        #expect(archive.log.entries.last?.request.postData?.text == "{\"id\": 2}")
    }

    @Test func `the recording continues after a write, which replaces the file`() async throws {
        server.on(.get, "/") { _ in .text("ok") }
        let recorder = recorder()
        for count in 1...2 {
            _ = try await request("/", recorder).start().value
            try recorder.write(to: folder.file())
            #expect(try HAR(contentsOf: folder.file()).log.entries.count == count)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["shelf.har"])
    }

    @Test func `a file that cannot be written fails with its name`() async throws {
        try Data().write(to: folder.file("not a folder"))
        let file = folder.file("not a folder/shelf.har")
        let error = await expectFailure(.fileAccessFailed) { try recorder().write(to: file) }
        #expect(error?.reason?.hasPrefix("shelf.har cannot be written") == true)
    }

    @Test func `the caller receives the response unchanged`() async throws {
        server.on(.get, "/") { _ in .chunked([Data("ab".utf8), Data("c".utf8)], trailers: ["X-Sum": "3"]) }
        let recorder = recorder(bodies: false)
        let response = try await request("/", recorder).start().value
        #expect(response.data == Data("abc".utf8))
        #expect(response.trailers["X-Sum"] == "3")
        var read = Data()
        for try await piece in request("/", recorder).startStream() { read += piece }
        #expect(read == Data("abc".utf8))
    }

    @Test func `without bodies, no byte of a body is recorded, but sizes and media types are`() async throws {
        server.on(.post, "/") { _ in .text("0123456789") }
        let recorder = recorder(bodies: false)
        let pieces = AsyncStream<Data> { continuation in
            continuation.yield(Data("abc".utf8))
            continuation.finish()
        }
        for body in [
            RequestBody.data(Data("abc".utf8), type: "text/x-sent"), .stream(BodyStream(pieces), type: "text/x-sent"),
        ] {
            for try await _ in request("/", recorder, change: { ($0.method, $0.body) = (.post, body) }).startStream() {}
        }
        _ = try await request("/", recorder) { $0.method = .post }.start().value
        let archive = recorder.archive
        let text = try String(decoding: archive.encoded(), as: UTF8.self)
        #expect(!text.contains("0123") && !text.contains("abc"))
        #expect(archive.log.entries.map(\.response.content.size) == [10, 10, 10])
        #expect(archive.log.entries.map(\.response.bodySize) == [10, 10, 10])
        #expect(archive.log.entries.map(\.response.content.mimeType).allSatisfy { $0.hasPrefix("text/plain") })
        #expect(archive.log.entries.map(\.response.content.text) == [nil, nil, nil])
        #expect(archive.log.entries.map(\.response.content.cut) == [nil, nil, nil])
        #expect(archive.log.entries.map(\.request.bodySize) == [3, 3, 0])
        #expect(archive.log.entries.map(\.request.postData?.mimeType) == ["text/x-sent", "text/x-sent", nil])
        #expect(archive.log.entries.map(\.request.postData?.text) == [nil, nil, nil])
    }

    @Test func `a body that is neither JSON nor a form is recorded only if its type is kept`() async throws {
        server.onAny { request in .data(Data([0xFF, 0x00]), contentType: "image/\(request.path.dropFirst())") }
        var redaction = Cassette.Redaction()
        redaction.keptTypes = ["image/png"]
        let recorder = HARRecorder(hosts: ["127.0.0.1"], bodies: true, redacting: redaction)
        _ = try await request("/png", recorder).start().value
        _ = try await request("/gif", recorder).start().value
        let contents = recorder.archive.log.entries.map(\.response.content)
        #expect(contents.map(\.data) == [Data([0xFF, 0x00]), nil])
        #expect(contents.map(\.size) == [2, 2])
        #expect(contents.map(\.comment) == [nil, "not recorded"])
    }

    @Test func `a body is recorded up to its maximum size, and the size of all of it`() async throws {
        server.on(.post, "/") { _ in .text("0123456789") }
        let recorder = recorder(maximumBodySize: 4)
        let request = request("/", recorder) { request in
            request.method = .post
            request.body = .data(Data("abcdefgh".utf8), type: "text/plain")
        }
        _ = try await request.start().value
        for try await _ in request.startStream() {}
        for entry in recorder.archive.log.entries {
            #expect(entry.response.content.text == "0123")
            #expect(entry.response.content.size == 10 && entry.response.bodySize == 10)
            #expect(entry.request.bodySize == 8)
            #expect(entry.request.postData?.text == "abcd")
        }
    }

    @Test func `each attempt of a retry is an entry`() async throws {
        server.on(.get, "/", inTurn: [.status(503), .text("ok")])
        let recorder = recorder()
        _ = try await request("/", recorder) { $0.retryPolicy = .immediate }.start().value
        #expect(recorder.archive.log.entries.map(\.response.status) == [503, 200])
    }

    @Test func `a recorder before a cache records the source of each response`() async throws {
        server.on(.get, "/") { _ in .text("ok").with(header: "Cache-Control", "max-age=60") }
        let (recorder, cache) = (recorder(), HTTPCache(store: MemoryCacheStore()))
        for _ in 1...2 {
            _ = try await request("/", recorder) { $0.interceptors = [recorder, cache] }.start().value
        }
        #expect(recorder.archive.log.entries.map(\.comment) == [nil, "the source of the response: cache"])
        #expect(recorder.archive.log.entries.map(\.response.content.text) == ["ok", "ok"])
        #expect(server.requests.count == 1)
    }

    @Test func `a stub is recorded as the response, with the time that it took`() async throws {
        let seconds = Locked(0.0)
        let recorder = HARRecorder(hosts: ["127.0.0.1"], bodies: true) {
            seconds.withLock { seconds in
                seconds += 1.5
                return Date(timeIntervalSince1970: seconds)
            }
        }
        _ = try await request("/", recorder) { $0.dataTaskPipeline = $0.stubJSONResponse(data: Data("[]".utf8)) }
            .start().value
        let entry = try #require(recorder.archive.log.entries.first)
        #expect(entry.response.content.text == "[]")
        #expect(entry.startedDateTime == "1970-01-01T00:00:01.500Z")
        #expect(entry.time == 1500 && entry.timings.total == 1500)
    }

    @Test func `concurrent requests are all recorded, each with its own response`() async throws {
        server.onAny { request in .text(request.path) }
        let recorder = recorder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask { _ = try await request("/\(number)", recorder).start().value }
            }
            try await group.waitForAll()
        }
        let entries = recorder.archive.log.entries
        #expect(Set(entries.map(\.request.url)).count == 100)
        for entry in entries { #expect(URL(string: entry.request.url)?.path == entry.response.content.text) }
    }
}
