import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import Errand

@Suite(.hangGuard) struct `Interrupted downloads` {
    let folder: DownloadFolder
    let content = BookServer.content

    init() throws {
        folder = try DownloadFolder()
    }

    /// Interrupts the first run after 40,000 bytes, and returns the server for the next.
    private func interrupted(_ validators: HeaderFields = ["ETag": "\"one\""]) async throws -> BookServer {
        let server = try BookServer(faults: [.closeInBody(after: 40_000)])
        server.book.withLock { $0.validators = validators }
        await expectTransportFailure(.networkConnectionLost) { try await server.request(to: folder).start().value }
        return server
    }

    @Test func `a download requests only the rest with Range and If-Range`() async throws {
        let server = try await interrupted()
        #expect(folder.content == nil)
        #expect(folder.part == content.prefix(40_000))
        let file = try await server.request(to: folder).start().value
        #expect(server.ranges == [nil, "bytes=40000-"])
        #expect(server.server.requests.last?.headers["If-Range"] == "\"one\"")
        #expect(file.byteCount == 100_000)
        #expect(file.resumedByteCount == 40_000)
        #expect(file.statusCode == 206)
        #expect(folder.content == content)
        #expect(try folder.names == ["book.pdf"])
    }

    @Test func `a download that accepts only status 200 resumes too`() async throws {
        let server = try await interrupted()
        let request = server.request(to: folder)
        request.acceptedStatusCodes = [200]
        #expect(try await request.start().value.resumedByteCount == 40_000)
        #expect(folder.content == content)
    }

    @Test func `a download resumes with a Last-Modified date if there is no entity tag`() async throws {
        let date = "Sat, 21 Nov 2026 08:00:00 GMT"
        let server = try await interrupted(["Last-Modified": date, "Date": "Sat, 21 Nov 2026 09:00:00 GMT"])
        #expect(try await server.request(to: folder).start().value.resumedByteCount == 40_000)
        #expect(server.server.requests.last?.headers["If-Range"] == date)
        #expect(folder.content == content)
    }

    @Test(arguments: [["ETag": "W/\"one\""], [:]])
    func `a download starts again without a strong validator`(_ fields: [String: String]) async throws {
        let server = try await interrupted(HeaderFields(fields.map { HeaderFields.Field($0.key, $0.value) }))
        #expect(try folder.names == [])
        #expect(try await server.request(to: folder).start().value.resumedByteCount == 0)
        #expect(server.ranges == [nil, nil])
        #expect(folder.content == content)
    }

    @Test func `a download starts again if the file has changed`() async throws {
        let server = try await interrupted()
        let changed = Data("a new edition".utf8)
        server.book.withLock { $0 = .init(content: changed, validators: ["ETag": "\"two\""]) }
        let file = try await server.request(to: folder).start().value
        #expect(server.ranges == [nil, "bytes=40000-"])
        #expect(file.resumedByteCount == 0)
        #expect(file.byteCount == 13)
        #expect(folder.content == changed)
    }

    @Test func `a download starts again if the server ignores If-Range`() async throws {
        let server = try await interrupted()
        let changed = Data(content.reversed())
        // The server still accepts the old tag, and reports another one.
        server.book.withLock { $0 = .init(content: changed, fields: ["ETag": "\"two\""]) }
        #expect(try await server.request(to: folder).start().value.byteCount == 100_000)
        #expect(server.ranges == [nil, "bytes=40000-", nil])
        #expect(folder.content == changed)
    }

    @Test func `a download starts again if the URL or the Accept field differs`() async throws {
        let server = try await interrupted()
        let request = server.request(to: folder)
        request.headers[.accept] = "application/pdf"
        #expect(try await request.start().value.resumedByteCount == 0)
        #expect(server.ranges == [nil, nil])
    }

    @Test func `a failed download of another file keeps the partial file`() async throws {
        let server = try await interrupted()
        let other = server.request(to: folder)
        other.path = "/none"
        await expectFailure(.unacceptableStatusCode) { try await other.start().value }
        #expect(try await server.request(to: folder).start().value.resumedByteCount == 40_000)
        #expect(folder.content == content)
    }

    @Test func `a download resumes with another access token`() async throws {
        let server = try await interrupted()
        let request = server.request(to: folder)
        request.headers["Authorization"] = "Bearer secret"
        #expect(try await request.start().value.resumedByteCount == 40_000)
    }

    @Test func `the record of a download contains no secrets`() async throws {
        let server = try BookServer(faults: [.closeInBody(after: 40_000)])
        let request = server.request(to: folder)
        request.query = ["signature": "s3cret"]
        request.headers["Authorization"] = "Bearer s3cret"
        await expectFailure(.transportFailed) { try await request.start().value }
        let record = try String(contentsOf: folder.record, encoding: .utf8)
        #expect(!record.contains("s3cret"))
        #expect(!record.contains("127.0.0.1"))
    }

    @Test func `a download whose partial file is complete only moves it into place`() async throws {
        let server = try await interrupted()
        folder.part? += content.dropFirst(40_000)
        let file = try await server.request(to: folder).start().value
        #expect(server.ranges == [nil, "bytes=100000-"])
        #expect(file.statusCode == 416)
        #expect(file.resumedByteCount == 100_000)
        #expect(folder.content == content)
    }

    @Test func `a download starts again if its partial file is longer than the file`() async throws {
        let server = try BookServer(faults: [.closeInBody(after: 40_000)])
        // If the length is unknown, the partial file may have any length.
        server.book.withLock { $0.isChunked = true }
        await expectFailure(.transportFailed) { try await server.request(to: folder).start().value }
        server.book.withLock { $0.content = Data(content.prefix(30_000)) }
        #expect(try await server.request(to: folder).start().value.byteCount == 30_000)
        #expect(server.ranges == [nil, "bytes=40000-", nil])
        #expect(folder.content == content.prefix(30_000))
    }

    @Test func `a download of unknown length is resumed`() async throws {
        let server = try BookServer(faults: [.closeInBody(after: 40_000)])
        server.book.withLock { $0.isChunked = true }
        await expectFailure(.transportFailed) { try await server.request(to: folder).start().value }
        #expect(try await server.request(to: folder).start().value.resumedByteCount == 40_000)
        #expect(folder.content == content)
    }

    @Test func `a download requests more if the server sends less than requested`() async throws {
        let server = try await interrupted()
        server.server.onAny { _ in .status(500) }
        server.server.on(.get, "/book") { [content] request in
            let first = Int(request.headers["Range"]?.dropFirst(6).dropLast() ?? "") ?? 0
            let piece = content.dropFirst(first).prefix(25_000)
            return MockResponse(
                statusCode: 206,
                headers: ["Content-Range": "bytes \(first)-\(first + piece.count - 1)/100000", "ETag": "\"one\""],
                body: .sized(Data(piece)))
        }
        #expect(try await server.request(to: folder).start().value.byteCount == 100_000)
        #expect(server.ranges == [nil, "bytes=40000-", "bytes=65000-", "bytes=90000-"])
        #expect(folder.content == content)
    }

    @Test(arguments: [
        [:], ["Content-Range": "bytes 39999-99999/100000"], ["Content-Range": "bytes 40000-99998/100000"],
        ["Content-Range": "bytes 40000-100000/100000"],
        ["Content-Range": "bytes 40000-99999/100000", "Content-Type": "multipart/byteranges; boundary=x"],
    ])
    func `a partial response with another range is rejected, and the next run starts again`(_ fields: [String: String])
        async throws
    {
        let server = try await interrupted()
        server.server.on(.get, "/book") { [content] request in
            guard request.headers["Range"] != nil else { return .data(content, contentType: "text/plain") }
            return MockResponse(
                statusCode: 206, headers: HeaderFields(fields.map { HeaderFields.Field($0.key, $0.value) }),
                body: .sized(Data(content.dropFirst(40_000))))
        }
        let error = await expectFailure(.invalidContentRange) { try await server.request(to: folder).start().value }
        #expect(error?.statusCode == 206)
        #expect(folder.content == nil)
        #expect(try await server.request(to: folder).start().value.resumedByteCount == 0)
        #expect(folder.content == content)
    }

    @Test func `a part with status 200 is rejected, and the next run starts again`() async throws {
        let server = try await interrupted()
        server.server.on(.get, "/book") { [content] request in
            guard request.headers["Range"] != nil else { return .data(content, contentType: "text/plain") }
            return MockResponse(
                statusCode: 200, headers: ["Content-Range": "bytes 40000-99999/100000", "ETag": "\"one\""],
                body: .sized(Data(content.dropFirst(40_000))))
        }
        let error = await expectFailure(.invalidContentRange) { try await server.request(to: folder).start().value }
        #expect(error?.statusCode == 200)
        #expect(folder.content == nil)
        #expect(try await server.request(to: folder).start().value.resumedByteCount == 0)
        #expect(folder.content == content)
    }

    @Test func `a partial response with more bytes than its range is rejected`() async throws {
        let server = try await interrupted()
        server.server.on(.get, "/book") { [content] _ in
            MockResponse(
                statusCode: 206, headers: ["Content-Range": "bytes 40000-40009/100000"],
                body: .chunked([Data(content.dropFirst(40_000))])
            ).with(fault: .stallInBody(after: 20_000))
        }
        await expectFailure(.invalidContentRange) { try await server.request(to: folder).start().value }
        try await server.server.waitUntil(openConnections: 0)
    }

    @Test func `a failed response keeps the partial file`() async throws {
        let server = try await interrupted()
        server.server.on(.get, "/book") { _ in .text("later", statusCode: 503) }
        await expectFailure(.unacceptableStatusCode) { try await server.request(to: folder).start().value }
        #expect(folder.part == content.prefix(40_000))
    }

    @Test func `a download with a method without ranges requests the whole file`() async throws {
        let server = try BookServer()
        let (first, second) = (server.request(to: folder), server.request(to: folder))
        (first.method, second.method) = (.post, .post)
        let counts = Recorder<Int64?>()
        server.server.on(.post, "/book") { [content, progress = second.downloadProgress] _ in
            counts.record(progress.latest?.completed)
            let response = MockResponse(headers: ["ETag": "\"1\""], body: .sized(content))
            return progress.latest == nil ? response.with(fault: .closeInBody(after: 40_000)) : response
        }
        await expectFailure(.transportFailed) { try await first.start().value }
        #expect(folder.part == content.prefix(40_000))
        #expect(try await second.start().value.byteCount == 100_000)
        #expect(counts.elements == [nil, 0])
        #expect(server.server.requests.allSatisfy { $0.headers["Range"] == nil })
    }

    // The content that remains in the files.

    @Test func `a download continues after the end of a partial file that was truncated`() async throws {
        let server = try await interrupted()
        folder.part = content.prefix(20_000)
        #expect(try await server.request(to: folder).start().value.resumedByteCount == 20_000)
        #expect(server.ranges == [nil, "bytes=20000-"])
        #expect(folder.content == content)
    }

    @Test func `all written bytes are used until a restart of the machine, after which a download starts again`()
        async throws
    {
        let server = try await interrupted()
        server.faults.withLock { $0 = [.closeBeforeHead] }
        await expectFailure(.transportFailed) { try await server.request(to: folder).start().value }
        #expect(server.ranges.last == "bytes=40000-")
        try folder.changeRecord { $0.bootSession = "another" }
        folder.part = content.prefix(10_000) + Data(count: 30_000)
        #expect(try await server.request(to: folder).start().value.resumedByteCount == 0)
        #expect(server.ranges.last == .some(nil))
        #expect(folder.content == content)
    }

    @Test func `a download starts again if the system does not identify its boots`() async throws {
        let server = try await interrupted()
        try folder.changeRecord { $0.bootSession = nil }
        let request = server.request(to: folder)
        request.disk.bootSession = nil
        #expect(try await request.start().value.resumedByteCount == 0)
        #expect(folder.content == content)
    }

    @Test(arguments: ["", "{}", "[]", "\u{0}", #"{"version":2}"#])
    func `a download starts again if its record is invalid`(_ record: String) async throws {
        let server = try await interrupted()
        try Data(record.utf8).write(to: folder.record)
        #expect(try await server.request(to: folder).start().value.resumedByteCount == 0)
        #expect(folder.content == content)
        #expect(try folder.names == ["book.pdf"])
    }

    @Test func `a download starts again if its record or partial file is missing`() async throws {
        var server = try await interrupted()
        try FileManager.default.removeItem(at: folder.record)
        #expect(try await server.request(to: folder).start().value.resumedByteCount == 0)
        server = try await interrupted()
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent(".book.pdf.errand-partial"))
        #expect(try await server.request(to: folder).start().value.resumedByteCount == 0)
        #expect(folder.content == content)
    }

    @Test func `a partial file that others can write is replaced and not changed`() async throws {
        var server = try await interrupted()
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: folder.partial.path)
        #expect(try await server.request(to: folder).start().value.resumedByteCount == 0)
        #expect(folder.content == content)
        server = try await interrupted()
        let other = folder.url.appendingPathComponent("other")
        try FileManager.default.linkItem(at: folder.partial, to: other)
        #expect(try await server.request(to: folder).start().value.resumedByteCount == 0)
        #expect(folder.content == content)
        #expect(try Data(contentsOf: other) == content.prefix(40_000))
    }

    @Test func `a partial file can only be accessed by its owner`() async throws {
        _ = try await interrupted()
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.partial.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.uint32Value == 0o600)
    }

    @Test func `a partial file that another program changed is not moved into place`() async throws {
        let server = try MockServer()
        let gates = Gates(2)
        server.onAny { _ in
            .chunked([Data("one".utf8), Data("two".utf8)]).with(fault: .pauseBeforeEachChunk(gates.passNext))
        }
        let pipeline = BookRequest(server.url, to: folder.target).start()
        let loading = Task { try await pipeline.value }
        gates.open(0)
        try await waitUntil { folder.part?.count == 3 }
        try FileHandle(forWritingTo: folder.partial).truncate(atOffset: 0)
        gates.open(1)
        await expectFailure(.fileAccessFailed) { try await loading.value }
        #expect(folder.content == nil)
    }

    @Test func `a symbolic link in place of the partial file is not followed`() async throws {
        let server = try BookServer()
        let other = folder.url.appendingPathComponent("other")
        try Data("precious".utf8).write(to: other)
        try FileManager.default.createSymbolicLink(
            at: folder.url.appendingPathComponent(".book.pdf.errand-partial"), withDestinationURL: other)
        await expectFailure(.fileAccessFailed) { try await server.request(to: folder).start().value }
        #expect(try Data(contentsOf: other) == Data("precious".utf8))
    }

    /// Opening a named pipe for reading waits for a writer.
    @Test func `a named pipe in place of the record does not block the download`() async throws {
        let server = try BookServer()
        #expect(mkfifo(folder.url.appendingPathComponent(".book.pdf.errand-resume").path, 0o600) == 0)
        _ = try await server.request(to: folder).start().value
        #expect(folder.content == BookServer.content)
    }
}
