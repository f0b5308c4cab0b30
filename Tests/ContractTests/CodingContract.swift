import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Contract: content codings and sizes` {
    let server: MockServer

    init() throws {
        server = try MockServer()
    }

    private func respond(with body: Data, coding: String) {
        server.onAny { _ in .data(body, contentType: "text/plain").with(header: "Content-Encoding", coding) }
    }

    @Test(arguments: TransportUnderTest.allCases, CodedText.all.indices)
    func `a compressed body is decoded`(_ transport: TransportUnderTest, _ index: Int) async throws {
        let (coding, body) = CodedText.all[index]
        respond(with: body, coding: coding)
        let request = transport.probe(server)
        let expected = body.isEmpty ? Data() : CodedText.plain
        #expect(try await request.start().value.data == expected)
        #expect(request.downloadProgress.latest?.completed == Int64(expected.count))
        let accepted = try #require(server.requests.first?.headers["Accept-Encoding"])
        #expect(accepted.contains("gzip") && accepted.contains("deflate") && accepted.contains("br"))
    }

    #if canImport(CCurl)
    /// Runs where the system has the Zstandard library. `URLSession` decodes it if its libcurl does.
    @Test func `a Zstandard body is decoded`() async throws {
        respond(with: CodedText.zstandard, coding: "zstd")
        #expect(try await TransportUnderTest.curl.probe(server).start().value.data == CodedText.plain)
        #expect(try #require(server.requests.first?.headers["Accept-Encoding"]).hasSuffix(", zstd"))
    }
    #endif

    @Test(arguments: TransportUnderTest.allCases)
    func `a request for a range asks for no coding`(_ transport: TransportUnderTest) async throws {
        server.onAny { _ in .text("part", statusCode: 206).with(header: "Content-Range", "bytes 5-8/20") }
        let request = transport.probe(server)
        request.headers["range"] = "bytes=5-8"
        #expect(try await request.start().value.text == "part")
        #expect(server.requests.map { $0.headers["Accept-Encoding"] } == ["identity"])
        // The caller's own field has precedence.
        request.headers["Accept-Encoding"] = "gzip"
        _ = try await request.start().value
        #expect(server.requests.last?.headers["Accept-Encoding"] == "gzip")
    }

    #if canImport(CCurl)
    /// libcurl, which `URLSession` uses on Linux, would decode it.
    @Test(arguments: ["gzip", "br", "deflate", "unknown"])
    func `a part of a compressed body is not decoded`(_ coding: String) async throws {
        let part = CodedText.gzip.dropFirst(10)
        server.onAny { _ in
            MockResponse.data(Data(part), contentType: "text/plain", statusCode: 206)
                .with(header: "Content-Range", "bytes 10-\(9 + part.count)/\(10 + part.count)")
                .with(header: "Content-Encoding", coding)
        }
        let request = TransportUnderTest.curl.probe(server)
        request.headers["Range"] = "bytes=10-"
        let response = try await request.start().value
        #expect(response.data == part)
        #expect(response.headers["Content-Encoding"] == coding)
    }
    #endif

    @Test(arguments: TransportUnderTest.allCases)
    func `a compressed body is decoded wherever its chunks are cut`(_ transport: TransportUnderTest) async throws {
        server.onAny { _ in
            .chunked(CodedText.gzip.map { Data([$0]) }).with(header: "Content-Encoding", "gzip")
        }
        #expect(try await transport.probe(server).start().value.data == CodedText.plain)
    }

    static let cuts = [
        ("gzip", CodedText.gzip.dropLast(9)), ("gzip", CodedText.gzip.prefix(30)),
        ("br", CodedText.brotli.dropLast(3)),
        ("deflate", CodedText.rawDeflate.dropLast(5)),
    ]

    @Test(arguments: TransportUnderTest.without(.cutCoding), cuts.indices)
    func `a truncated compressed body fails the request`(_ transport: TransportUnderTest, _ index: Int) async throws {
        let (coding, body) = Self.cuts[index]
        respond(with: body, coding: coding)
        await expectTransportFailure(.cannotDecodeContentData) { try await transport.probe(server).start().value }
    }

    @Test(arguments: TransportUnderTest.allCases, ["gzip", "deflate", "br"])
    func `a body that does not match its content coding fails the request`(
        _ transport: TransportUnderTest, _ coding: String
    ) async throws {
        respond(with: Data("\u{7}this is no compressed text at all".utf8), coding: coding)
        await expectTransportFailure(.cannotDecodeContentData) { try await transport.probe(server).start().value }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a body of the maximum size is accepted, and one byte more fails`(_ transport: TransportUnderTest)
        async throws
    {
        for body in [MockResponse.text("0123456789"), .chunked([Data("01234".utf8), Data("56789".utf8)])] {
            server.onAny { _ in body }
            let request = transport.probe(server)
            request.maximumBodySize = 10
            #expect(try await request.start().value.data.count == 10)
            request.maximumBodySize = 9
            await expectTransportFailure(.dataLengthExceedsMaximum) { try await request.start().value }
        }
    }

    @Test(arguments: TransportUnderTest.without(.cancellationAtTheSocket))
    func `a body over the maximum size stops the transfer`(_ transport: TransportUnderTest) async throws {
        server.onAny { _ in
            .chunked([Data(count: 100), Data(count: 100)]).with(fault: .stallInBody(after: 101))
        }
        let request = transport.probe(server)
        request.maximumBodySize = 100
        await expectTransportFailure(.dataLengthExceedsMaximum) { try await request.start().value }
        try await server.waitUntil(openConnections: 0)
    }

    @Test(arguments: TransportUnderTest.without(.expansion))
    func `a megabyte that expands to a gigabyte stops at the maximum size`(_ transport: TransportUnderTest)
        async throws
    {
        respond(with: Data((0..<1_024).map { _ in CodedText.megabyteOfZeros }.joined()), coding: "gzip")
        let request = transport.probe(server)
        request.maximumBodySize = 4 << 20
        let error = await expectFailure(.transportFailed) { try await request.start().value }
        #expect((error?.underlyingError as? URLError)?.code == .dataLengthExceedsMaximum)
        #expect(error?.metrics != nil)
    }

    @Test(arguments: TransportUnderTest.without(.expansion))
    func `a compressed body that expands to the maximum size is decoded complete`(
        _ transport: TransportUnderTest
    ) async throws {
        respond(with: Data((0..<4).map { _ in CodedText.megabyteOfZeros }.joined()), coding: "gzip")
        let request = transport.probe(server)
        request.maximumBodySize = 4 << 20
        #expect(try await request.start().value.data == Data(count: 4 << 20))
    }
}
