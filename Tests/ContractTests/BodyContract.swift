import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import Errand

@Suite(.hangGuard) struct `Contract: forms and compressed bodies` {
    let server: MockServer
    private let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    init() throws {
        server = try MockServer()
        server.onAny { request in
            request.path == "/from" ? .status(307).with(header: "Location", "/to") : .text("ok")
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a multipart form with a file is sent complete, and again after a redirect`(
        _ transport: TransportUnderTest
    ) async throws {
        let file = try TemporaryFile(content, pathExtension: "png")
        let request = transport.probe(server, "/from", method: .post)
        request.body = .multipart([
            .text("title", "Summer"), .file("photo", file.url, fileName: "a.png"), .data("tags", Data("[]".utf8)),
        ])
        _ = try await request.start().value
        #expect(server.requests.map(\.path) == ["/from", "/to"])
        for request in server.requests {
            #expect(request.headers[values: .contentLength] == ["\(request.body.count)"])
            let parts = try MultipartReader.parts(of: request.body, contentType: request.headers[.contentType])
            #expect(parts.map(\.name) == ["title", "photo", "tags"])
            #expect(parts.map(\.type) == [nil, "image/png", "application/octet-stream"])
            #expect(parts.map(\.content) == [Data("Summer".utf8), content, Data("[]".utf8)])
        }
        let sent = Int64(server.requests[1].body.count)
        #expect(request.uploadProgress.latest == .init(completed: sent, total: sent))
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a multipart form with a file is sent again by a retry`(_ transport: TransportUnderTest) async throws {
        let file = try TemporaryFile(content)
        let statuses = Locked([200, 503])
        server.on(.post, "/busy") { _ in .status(statuses.withLock { $0.popLast() } ?? 500) }
        let request = transport.probe(server, "/busy", method: .post)
        request.body = .multipart([.file("photo", file.url)])
        let response = try await request.start().validateStatusCode(in: [200]).retry(1, where: { _ in true }).value
        #expect(response.statusCode == 200)
        #expect(server.requests.count == 2)
        #expect(server.requests[0].body == server.requests[1].body)
    }

    @Test(arguments: TransportUnderTest.without(.bodyBeforeItsResponse))
    func `a multipart form with a read-once stream is not sent again after a redirect`(
        _ transport: TransportUnderTest
    ) async throws {
        let request = transport.probe(server, "/from", method: .post)
        request.body = .multipart([.stream("once", BodyStream(InputStream(data: Data("x".utf8)), count: 1))])
        await expectFailure(.bodyStreamAlreadyOpened) { try await request.start().value }
        #expect(server.requests.map(\.path) == ["/from"])
    }

    @Test(arguments: TransportUnderTest.without(.bodyBeforeItsResponse))
    func `a multipart form of unknown length is sent chunked`(_ transport: TransportUnderTest) async throws {
        let request = transport.probe(server, method: .post)
        request.body = .multipart([.stream("a", BodyStream(InputStream(data: content))), .text("b", "c")])
        _ = try await request.start().value
        let received = try #require(server.requests.first)
        #expect(received.headers[.transferEncoding] == "chunked")
        #expect(received.headers[.contentLength] == nil)
        let parts = try MultipartReader.parts(of: received.body, contentType: received.headers[.contentType])
        #expect(parts.map(\.content) == [content, Data("c".utf8)])
    }

    @Test(arguments: TransportUnderTest.allCases, [299_999, 300_001])
    func `a request fails if a file in the form changes its size before it is sent`(
        _ transport: TransportUnderTest, _ count: UInt64
    ) async throws {
        let file = try TemporaryFile(content)
        let request = transport.probe(server, method: .post)
        request.body = .multipart([.file("photo", file.url)])
        let pipeline = request.start()
        try file.resize(to: count)
        await expectFailure(.bodyCountMismatch) { try await pipeline.value }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `cancelling a request that waits for a part of the form returns at once`(_ transport: TransportUnderTest)
        async throws
    {
        let (gate, hasBegun) = (Gate(), Gate())
        let request = transport.probe(server, method: .post)
        let waiting = AsyncThrowingStream<Data, any Error> {
            hasBegun.open()
            try await gate.pass()
            return nil
        }
        request.body = RequestBody.multipart([.text("a", "b"), .stream("c", BodyStream(waiting))]).gzipped()
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        try await hasBegun.pass()
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `gzipped data is sent with its Content-Length and Content-Encoding`(
        _ transport: TransportUnderTest
    ) async throws {
        let request = transport.probe(server, "/from", method: .post)
        request.body = RequestBody.data(content, type: .csv).gzipped()
        _ = try await request.start().value
        #expect(server.requests.map(\.path) == ["/from", "/to"])
        for request in server.requests {
            #expect(request.headers[.contentEncoding] == "gzip")
            #expect(request.headers[.contentType] == "text/csv")
            #expect(request.headers[.contentLength] == "\(request.body.count)")
            #expect(try expanded(request.body) == content)
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a gzipped file is sent complete, and compressed again after a redirect`(
        _ transport: TransportUnderTest
    ) async throws {
        let file = try TemporaryFile(content)
        let request = transport.probe(server, "/from", method: .put)
        request.body = RequestBody.file(file.url).gzipped()
        _ = try await request.start().value
        #expect(server.requests.map(\.path) == ["/from", "/to"])
        for request in server.requests {
            #expect(request.headers[.contentEncoding] == "gzip")
            if transport == .curl { #expect(request.headers[.transferEncoding] == "chunked") }
            #expect(try expanded(request.body) == content)
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a redirect that drops the body drops Content-Encoding too`(_ transport: TransportUnderTest) async throws {
        server.on(.post, "/see") { _ in .status(303).with(header: "Location", "/other") }
        let request = transport.probe(server, "/see", method: .post)
        request.body = RequestBody.text("x").gzipped()
        _ = try await request.start().value
        let last = try #require(server.requests.last)
        #expect(last.method == .get && last.path == "/other" && last.body.isEmpty)
        #expect(last.headers[.contentEncoding] == nil)
        #expect(last.headers[.contentType] == nil)
    }

    private func expanded(_ data: Data) throws -> Data {
        let decoding = try #require(StreamDecoding([.gzip]))
        var plain = Data()
        var piece: Data? = data
        while let some = try decoding.next(after: piece) {
            plain += some
            piece = nil
        }
        try decoding.finish()
        return plain
    }
}
