import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `The digest of a download` {
    let folder: DownloadFolder
    let content = Data(BookServer.content.prefix(20_000))

    init() throws {
        folder = try DownloadFolder()
    }

    private func field(_ data: Data, _ algorithm: FileDigest.Algorithm = .sha256) -> String {
        "\(algorithm.rawValue)=:\(FileDigest(algorithm, of: data).bytes.base64EncodedString()):"
    }

    private func server(_ fields: HeaderFields = [:], faults: [MockFault?] = []) throws -> BookServer {
        let server = try BookServer(content, faults: faults)
        server.book.withLock { $0.fields = fields }
        return server
    }

    @Test(arguments: FileDigest.Algorithm.allCases)
    func `a digest set by the caller is verified against the file`(_ algorithm: FileDigest.Algorithm) async throws {
        let server = try server()
        let request = server.request(to: folder)
        request.digest = FileDigest(algorithm, of: content)
        let file = try await request.start().value
        #expect(file.verifiedDigests == [FileDigest(algorithm, of: content)])
        #expect(folder.content == content)
    }

    @Test(arguments: FileDigest.Algorithm.allCases)
    func `a mismatch with the caller's digest fails the download and removes the received bytes`(
        _ algorithm: FileDigest.Algorithm
    ) async throws {
        try Data("old".utf8).write(to: folder.target)
        let server = try server()
        let request = server.request(to: folder)
        request.retryPolicy = .immediate
        request.digest = FileDigest(algorithm, of: Data("another".utf8))
        let error = await expectFailure(.digestMismatch) { try await request.start().value }
        #expect(error?.statusCode == 200)
        #expect(folder.content == Data("old".utf8))
        #expect(try folder.names == ["book.pdf"])
        #expect(server.ranges.count == 1)
    }

    @Test(arguments: ["Repr-Digest", "Content-Digest"])
    func `a digest sent by the server is verified against the file`(_ name: String) async throws {
        let good = try server(HeaderFields([HeaderFields.Field(name, field(content, .sha512))]))
        #expect(try await good.request(to: folder).start().value.verifiedDigests == [FileDigest(.sha512, of: content)])
        let bad = try server(HeaderFields([HeaderFields.Field(name, field(Data("another".utf8)))]))
        await expectFailure(.digestMismatch) { try await bad.request(to: folder).start().value }
        #expect(folder.content == content)
        #expect(try folder.names == ["book.pdf"])
    }

    @Test func `an unknown or malformed digest is ignored`() async throws {
        for text in ["md5=:XrY7u+Ae7tCTyyK7j1rNww==:", "sha-256=:AAAA:", "nonsense!"] {
            let server = try server(["Repr-Digest": text])
            #expect(try await server.request(to: folder).start().value.verifiedDigests.isEmpty)
        }
    }

    @Test func `the digests of the caller and the server are both verified`() async throws {
        let server = try server(["Repr-Digest": field(content)])
        let request = server.request(to: folder)
        request.digest = FileDigest(.sha512, of: content)
        #expect(try await request.start().value.verifiedDigests.map(\.algorithm) == [.sha512, .sha256])
        request.digest = FileDigest(.sha512, of: Data())
        await expectFailure(.digestMismatch) { try await request.start().value }
        request.digest = FileDigest(.sha256, of: content)
        #expect(try await request.start().value.verifiedDigests.count == 1)
    }

    @Test func `a digest covers the bytes of an earlier run, which are read again`() async throws {
        let server = try server(["Repr-Digest": field(content)], faults: [.closeInBody(after: 5_000)])
        await expectFailure(.transportFailed) { try await server.request(to: folder).start().value }
        // The second response has no digest field.
        server.book.withLock { $0.fields = [:] }
        let file = try await server.request(to: folder).start().value
        #expect(file.resumedByteCount == 5_000)
        #expect(file.verifiedDigests == [FileDigest(.sha256, of: content)])
    }

    @Test func `a digest detects that the bytes of an earlier run were changed`() async throws {
        let server = try server(["Repr-Digest": field(content)], faults: [.closeInBody(after: 5_000)])
        await expectFailure(.transportFailed) { try await server.request(to: folder).start().value }
        folder.part = Data(count: 5_000)
        await expectFailure(.digestMismatch) { try await server.request(to: folder).start().value }
        #expect(try folder.names == [])
        #expect(try await server.request(to: folder).start().value.byteCount == 20_000)
    }

    @Test func `a digest that is first sent with the rest of the file covers the whole file`() async throws {
        let server = try server(faults: [.closeInBody(after: 5_000), nil, .closeInBody(after: 5_000)])
        await expectFailure(.transportFailed) { try await server.request(to: folder).start().value }
        server.book.withLock { $0.fields = ["Repr-Digest": field(content)] }
        #expect(try await server.request(to: folder).start().value.verifiedDigests.count == 1)
        server.book.withLock { $0.fields = [:] }
        await expectFailure(.transportFailed) { try await server.request(to: folder).start().value }
        server.book.withLock { $0.fields = ["Repr-Digest": field(Data("another".utf8))] }
        await expectFailure(.digestMismatch) { try await server.request(to: folder).start().value }
    }

    @Test func `the digest of the caller covers all parts of one run`() async throws {
        let server = try server(faults: [.closeInBody(after: 5_000), .closeInBody(after: 3_000)])
        let request = server.request(to: folder)
        request.retryPolicy = .immediate
        request.digest = FileDigest(.sha256, of: content)
        #expect(try await request.start().value.verifiedDigests.count == 1)
        #expect(server.ranges == [nil, "bytes=5000-", "bytes=8000-"])
    }

    @Test func `a Content-Digest of a partial response covers only that part`() async throws {
        let server = try server(faults: [.closeInBody(after: 5_000)])
        await expectFailure(.transportFailed) { try await server.request(to: folder).start().value }
        server.book.withLock { $0.fields = ["Content-Digest": field(content.dropFirst(5_000))] }
        #expect(try await server.request(to: folder).start().value.resumedByteCount == 5_000)
        #expect(folder.content == content)
    }

    @Test func `a mismatch with a partial Content-Digest removes the received bytes`() async throws {
        let server = try server(faults: [.closeInBody(after: 5_000)])
        await expectFailure(.transportFailed) { try await server.request(to: folder).start().value }
        // The digest of the whole file, although the response is partial.
        server.book.withLock { $0.fields = ["Content-Digest": field(content)] }
        let error = await expectFailure(.digestMismatch) { try await server.request(to: folder).start().value }
        #expect(error?.statusCode == 206)
        #expect(try folder.names == [])
    }

    @Test func `a digest covers a file that was already complete`() async throws {
        let server = try server(["Repr-Digest": field(content)], faults: [.closeInBody(after: 19_999)])
        await expectFailure(.transportFailed) { try await server.request(to: folder).start().value }
        folder.part? += content.suffix(1)
        let request = server.request(to: folder)
        request.digest = FileDigest(.sha512, of: content)
        let file = try await request.start().value
        #expect(file.statusCode == 416)
        #expect(file.verifiedDigests.count == 2)
    }
}
