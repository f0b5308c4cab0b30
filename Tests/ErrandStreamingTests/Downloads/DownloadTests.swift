import Errand
import ErrandMockServer
import ErrandResilience
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `A download` {
    let folder: DownloadFolder
    let content = BookServer.content

    init() throws {
        folder = try DownloadFolder()
    }

    @Test func `a download creates the target file and no other file`() async throws {
        let server = try BookServer()
        let file = try await server.request(to: folder).start().value
        #expect(file.url == folder.target)
        #expect(file.byteCount == 100_000)
        #expect(file.resumedByteCount == 0)
        #expect(file.verifiedDigests.isEmpty)
        #expect(file.statusCode == 200)
        #expect(file.headers["ETag"] == "\"one\"")
        #expect(folder.content == content)
        #expect(try folder.names == ["book.pdf"])
        let sent = try #require(server.server.requests.first)
        #expect(sent.headers[values: "Accept-Encoding"] == ["identity"])
        #expect(sent.headers["Range"] == nil)
        #expect(sent.headers["If-Range"] == nil)
    }

    @Test func `a download does not replace the target before it is complete`() async throws {
        try Data("old".utf8).write(to: folder.target)
        let server = try MockServer()
        let gates = Gates(3)
        server.onAny { _ in
            .chunked([Data("new".utf8), Data("er".utf8)]).with(fault: .pauseBeforeEachChunk(gates.passNext))
        }
        let request = BookRequest(server.url, to: folder.target)
        let pipeline = request.start()
        async let file = pipeline.value
        gates.open(0)
        for await snapshot in request.downloadProgress where snapshot.completed == 3 { break }
        #expect(folder.content == Data("old".utf8))
        gates.open(1)
        gates.open(2)
        #expect(try await file.byteCount == 5)
        #expect(folder.content == Data("newer".utf8))
    }

    @Test func `a download of an empty file creates an empty file`() async throws {
        let server = try BookServer(Data())
        #expect(try await server.request(to: folder).start().value.byteCount == 0)
        #expect(folder.content == Data())
        #expect(try folder.names == ["book.pdf"])
    }

    @Test func `a download pipeline downloads on each run, and a scheduled download only once`() async throws {
        let server = try BookServer()
        let pipeline = server.request(to: folder).start()
        _ = try await pipeline.value
        _ = try await pipeline.value
        #expect(server.ranges.count == 2)
        let response = server.request(to: folder).schedule()
        async let one = response.value.byteCount
        async let other = response.value.byteCount
        #expect(try await one == other)
        #expect(server.ranges.count == 3)
    }

    @Test func `a download uses the base URL and the retry policy of its service`() async throws {
        let server = try BookServer(faults: [.closeInBody(after: 10)])
        let request = BookRequest(URL(string: "http://nowhere.invalid"), to: folder.target)
        let mirror = APIService(baseURL: BaseURL(server.server.url), retryPolicy: .immediate)
        #expect(try await request.schedule(with: mirror).value.byteCount == 100_000)
        #expect(server.ranges == [nil, "bytes=10-"])
    }

    @Test func `a download can be stubbed`() async throws {
        let request = BookRequest(URL(string: "https://library.example.com"), to: folder.target)
        request.dataTaskPipeline = request.stubStream(["one", "two"])
        #expect(try await request.start().value.byteCount == 6)
        #expect(folder.content == Data("onetwo".utf8))
    }

    @Test func `a compressed file is decoded and not resumed`() async throws {
        let server = try MockServer()
        let gzip = CodedText.gzip
        server.onAny { _ in
            .data(gzip, contentType: "text/plain").with(header: "Content-Encoding", "gzip")
                .with(header: "ETag", "\"one\"").with(
                    header: "Repr-Digest", "sha-256=:\(Data(count: 32).base64EncodedString()):")
        }
        for transport in TransportUnderTest.allCases {
            let request = BookRequest(server.url, to: folder.target)
            request.session = transport.make()
            #expect(try await request.start().value.byteCount == Int64(CodedText.plain.count))
            #expect(folder.content == CodedText.plain)
        }
        server.onAny { _ in
            .data(gzip, contentType: "text/plain").with(header: "Content-Encoding", "gzip")
                .with(header: "ETag", "\"one\"").with(fault: .closeInBody(after: gzip.count - 1))
        }
        await #expect(throws: ErrandError.self) { try await BookRequest(server.url, to: folder.target).start().value }
        #expect(try folder.names == ["book.pdf"])
    }

    @Test func `a response with an error status leaves the target file unchanged`() async throws {
        try Data("old".utf8).write(to: folder.target)
        let server = try MockServer()
        server.onAny { _ in .text("no such book", statusCode: 404) }
        let error = await expectFailure(.unacceptableStatusCode) {
            try await BookRequest(server.url, to: folder.target).start().value
        }
        #expect(error?.statusCode == 404)
        #expect(error?.bodyPrefix == Data("no such book".utf8))
        #expect(error?.url?.path == "/book")
        #expect(folder.content == Data("old".utf8))
        #expect(try folder.names == ["book.pdf"])
    }

    @Test func `the error document of a failed download is decoded with the decoder of the request`() async throws {
        struct Problem: Decodable, Sendable {
            var errorCode: Int
        }
        final class FileRequest: APIBase, Request {
            let target: URL

            init(_ target: URL) {
                self.target = target
                super.init()
                var decoder = FastJSONDecoder()
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                self.decoder = decoder
                dataTaskPipeline = stubResponse(statusCode: 500, data: Data(#"{"error_code": 1}"#.utf8))
            }

            func start() -> Pipeline<DownloadedFile, any Error> { sendDownload(to: target) }
        }
        let service = APIService(baseURL: "https://books.example.com", errorDocument: Problem.self)
        let request = FileRequest(folder.target)
        let error = await expectFailure(.unacceptableStatusCode) { try await request.schedule(with: service).value }
        #expect(error?.payload(as: Problem.self)?.errorCode == 1)
    }

    @Test func `a download is validated by its class like any other response`() async throws {
        final class Strict: APIBase, Errand.Request {
            var target = URL(filePath: "/")
            override func startRequest() -> Pipeline<DataResponse, any Error> {
                super.startRequest().validateStatusCode(in: 200..<300).hasContentType("application/pdf")
            }
            func start() -> Pipeline<DownloadedFile, any Error> { sendDownload(to: target) }
        }
        let server = try BookServer()
        let request = Strict()
        request.baseURL = server.server.url
        request.path = "/book"
        request.target = folder.target
        await expectFailure(.unacceptableContentType) { try await request.start().value }
        #expect(try folder.names == [])
        server.book.withLock { $0.fields = ["Content-Type": "application/pdf"] }
        server.faults.withLock { $0 = [.closeInBody(after: 99_999), .closeInBody(after: 1)] }
        await expectFailure(.transportFailed) { try await request.start().value }
        // The class accepts 206. It need not accept 416.
        await expectFailure(.transportFailed) {
            folder.part? += content.suffix(1)
            server.faults.withLock { $0 = [.closeBeforeHead] }
            return try await request.start().value
        }
        #expect(try await request.start().value.statusCode == 416)
        #expect(folder.content == content)
    }

    @Test(arguments: ["https://example.com/x", "file:///", "file:///tmp/", "data:,x"])
    func `a download target that is not the URL of a file is rejected`(_ target: String) async throws {
        let server = try BookServer()
        let url = try #require(URL(string: target))
        await expectFailure(.invalidDownloadTarget) { try await BookRequest(server.server.url, to: url).start().value }
        #expect(server.ranges.isEmpty)
    }

    @Test func `a download to a missing directory or onto a directory fails`() async throws {
        let server = try BookServer()
        let nowhere = folder.url.appendingPathComponent("none/book.pdf")
        let error = await expectFailure(.fileAccessFailed) {
            try await BookRequest(server.server.url, to: nowhere).start().value
        }
        #expect((error?.underlyingError as? POSIXError)?.code == .ENOENT)
        let inTheWay = URL(fileURLWithPath: folder.url.path, isDirectory: false)
        await expectFailure(.invalidDownloadTarget) {
            try await BookRequest(server.server.url, to: inTheWay).start().value
        }
        #expect(server.ranges.isEmpty)
    }

    @Test func `the name of a downloaded file can have any length that the file system supports`() async throws {
        let server = try BookServer()
        let target = folder.url.appendingPathComponent(String(repeating: "n", count: 255))
        #expect(try await BookRequest(server.server.url, to: target).start().value.byteCount == 100_000)
        #expect(try folder.names == [target.lastPathComponent])
    }

    @Test func `a download whose request cannot be built creates no file`() async throws {
        await expectFailure(.missingBaseURL) { try await BookRequest(nil, to: folder.target).start().value }
        #expect(try folder.names == [])
    }

    @Test func `download progress counts the bytes of the file over all responses`() async throws {
        let server = try BookServer(faults: [.closeInBody(after: 40_000)])
        let request = server.request(to: folder)
        await expectFailure(.transportFailed) { try await request.start().value }
        #expect(request.downloadProgress.latest == .init(completed: 40_000, total: 100_000))
        let again = server.request(to: folder)
        let progress = again.downloadProgress
        let seen = Recorder<TransferProgress.Snapshot>()
        let watching = Task { for await snapshot in progress { seen.record(snapshot) } }
        _ = try await again.start().value
        await watching.value
        #expect(seen.elements.allSatisfy { $0.completed >= 40_000 && $0.total == 100_000 })
        #expect(seen.elements.last == .init(completed: 100_000, total: 100_000))
    }

    @Test func `a cancelled download fails at once, closes its connection and keeps the partial file`() async throws {
        let server = try BookServer(faults: [.stallInBody(after: 60_000)])
        let request = server.request(to: folder)
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        for await snapshot in request.downloadProgress where snapshot.completed == 60_000 { break }
        task.cancel()
        let error = await expectFailure(.cancelled) { try await task.value }
        #expect(error?.url?.path == "/book")
        try await server.server.waitUntil(openConnections: 0)
        // The next download waits until the first one has closed the file.
        #expect(try await server.request(to: folder).start().value.resumedByteCount == 60_000)
        #expect(folder.content == content)
    }

    @Test func `a download that is cancelled and starts again waits for the end of its first run`() async throws {
        let server = try BookServer(faults: [.stallInBody(after: 60_000)])
        let download = server.request(to: folder).schedule()
        let task = Task { try await download.value }
        for await snapshot in download.downloadProgress where snapshot.completed == 60_000 { break }
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        #expect(try await download.value.resumedByteCount == 60_000)
        #expect(folder.content == content)
    }

    @Test func `a download that is cancelled before it begins does nothing`() async throws {
        let server = try BookServer()
        let pipeline = server.request(to: folder).start()
        let gate = Gate()
        let task = Task {
            try? await gate.pass()
            return try await pipeline.value
        }
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        #expect(server.ranges.isEmpty)
        try await waitUntil { try folder.names.isEmpty }
    }

    @Test func `a second download to the same target fails, and the first one continues`() async throws {
        let server = try MockServer()
        let gates = Gates(2)
        server.onAny { _ in .chunked([Data("one".utf8)]).with(fault: .pauseBeforeEachChunk(gates.passNext)) }
        let first = BookRequest(server.url, to: folder.target)
        let pipeline = first.start()
        async let file = pipeline.value
        _ = try await server.takeRequest()
        await expectFailure(.downloadInProgress) { try await BookRequest(server.url, to: folder.target).start().value }
        // The same target by another path, as another process could name it.
        let link = folder.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
        await expectFailure(.downloadInProgress) {
            try await BookRequest(server.url, to: link.appendingPathComponent("book.pdf")).start().value
        }
        gates.open(0)
        gates.open(1)
        #expect(try await file.byteCount == 3)
        #expect(server.requests.count == 1)
    }

    @Test func `a rejected second run of a request does not end the progress of the first`() async throws {
        let server = try MockServer()
        let gates = Gates(1)
        server.onAny { _ in .chunked([Data("one".utf8)]).with(fault: .pauseBeforeEachChunk(gates.passNext)) }
        let request = BookRequest(server.url, to: folder.target)
        let (first, second) = (request.start(), request.start())
        async let file = first.value
        _ = try await server.takeRequest()
        await expectFailure(.downloadInProgress) { try await second.value }
        var loop = request.downloadProgress.makeAsyncIterator()
        #expect(await loop.next()?.completed == 0)
        gates.open(0)
        #expect(try await file.byteCount == 3)
        #expect(await loop.next()?.completed == 3)
    }

    /// The open files of this process below the folder.
    private func openFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { descriptor in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        }.filter { $0.hasPrefix(folder.url.path) }
    }

    @Test(.enabled(if: Footprint.isKnown)) func `a download closes its files, however it ends`() async throws {
        let server = try BookServer(
            faults: [.closeInBody(after: 10), .closeBeforeHead, .stallInBody(after: 50_000), nil])
        for _ in 0..<2 {
            await expectFailure(.transportFailed) { try await server.request(to: folder).start().value }
            #expect(try openFiles() == [])
        }
        let request = server.request(to: folder)
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        for await snapshot in request.downloadProgress where snapshot.completed == 50_010 { break }
        #expect(try openFiles().count == 1)
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        #expect(try await request.start().value.resumedByteCount == 50_010)
        try await waitUntil { try openFiles() == [] }
    }

    @Test func `a concurrency limit applies to downloads`() async throws {
        let server = try MockServer()
        let gate = Gate()
        server.onAny { request in
            let response = MockResponse.chunked([Data("one".utf8)])
            return request.path == "/other"
                ? response : response.with(fault: .pauseBeforeEachChunk { try await gate.pass() })
        }
        let limit = ConcurrencyLimit(3)
        let folder = folder
        try await withThrowingTaskGroup { group in
            for number in 0..<10 {
                let request = BookRequest(server.url, to: folder.url.appendingPathComponent("\(number)"))
                request.interceptors = [limit]
                let pipeline = request.start()
                group.addTask { _ = try await pipeline.value }
            }
            try await gate.waitForArrivals(3)
            // The heads have been sent. A limit on heads alone would let others through before this response arrives.
            #expect(try await OtherRequest(server.url).start().value.statusCode == 200)
            #expect(server.requests.count == 4)
            gate.open()
            try await group.waitForAll()
        }
        #expect(try folder.names.count == 10)
    }
}
