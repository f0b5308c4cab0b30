#if canImport(CCurl)
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import Errand

@Suite(.hangGuard) struct `A body with several content codings` {
    private let server: MockServer
    private let transport = TransportUnderTest.curl.make()

    init() throws {
        server = try MockServer()
    }

    private var request: TransportRequest {
        TransportRequest(URLRequest(url: server.url, timeoutInterval: .hangGuard))
    }

    private func respond(_ fields: [String], _ body: Data) {
        server.onAny { _ in
            fields.reduce(.data(body, contentType: "text/plain")) { $0.with(header: "Content-Encoding", $1) }
        }
    }

    private func streamed() async throws -> Data {
        var body = Data()
        for try await piece in try await transport.stream(request).body { body += piece }
        return body
    }

    private static func nested(_ body: Data, _ count: Int) throws -> Data {
        try (0..<count).reduce(body) { body, _ in try body.gzipped() }
    }

    /// The fields, and closures that return the body on the wire and the decoded body.
    private static let bodies: [@Sendable () throws -> (fields: [String], body: Data, plain: Data)] = [
        { (["gzip, gzip"], try CodedText.gzip.gzipped(), CodedText.plain) },
        { (["x-gzip, gzip"], try CodedText.gzip.gzipped(), CodedText.plain) },
        { (["gzip", "gzip"], try CodedText.gzip.gzipped(), CodedText.plain) },
        { (["deflate, gzip"], try CodedText.zlib.gzipped(), CodedText.plain) },
        { (["deflate", "gzip"], try CodedText.rawDeflate.gzipped(), CodedText.plain) },
        { (["br, identity, gzip"], try CodedText.brotli.gzipped(), CodedText.plain) },
        { (["zstd", "", "gzip"], try CodedText.zstandard.gzipped(), CodedText.plain) },
        { (["gzip,gzip,gzip,gzip,gzip"], try nested(CodedText.gzip, 4), CodedText.plain) },
        { (["gzip,"], CodedText.gzip, CodedText.plain) },
        { ([", gzip, identity"], CodedText.gzip, CodedText.plain) },
        { (["gzip, gzip"], try (CodedText.gzip + Data(count: 512)).gzipped() + Data(count: 9), CodedText.plain) },
        { (["gzip, gzip"], try CodedText.megabyteOfZeros.gzipped(), Data(count: 1 << 20)) },
        { (["gzip, gzip"], Data(), Data()) },
        { (["sdch"], CodedText.gzip, CodedText.gzip) },
    ]

    @Test(arguments: bodies.indices)
    func `the codings are undone from the last to the first`(_ index: Int) async throws {
        let (fields, body, plain) = try Self.bodies[index]()
        respond(fields, body)
        #expect(try await transport.send(request).data == plain)
        #expect(try await streamed() == plain)
    }

    /// The body is zlib data inside gzip data, without some of its last bytes.
    @Test(arguments: [
        ("gzip, deflate", 0), ("gzip, br", 0), ("gzip, gzip", 0), ("gzip, sdch", 0), ("sdch, gzip", 0),
        ("deflate, gzip, gzip", 0), ("deflate, gzip", 1), ("deflate, gzip", 9),
    ])
    func `a body that does not match its codings fails`(_ field: String, _ missing: Int) async throws {
        respond([field], try CodedText.zlib.gzipped().dropLast(missing))
        let collected = await #expect(throws: (any Error).self) { try await transport.send(request) }
        #expect(collected?.urlErrorCode == .cannotDecodeContentData)
        let stream = await #expect(throws: (any Error).self) { try await streamed() }
        #expect(stream?.urlErrorCode == .cannotDecodeContentData)
    }

    /// The gzip data is whole, but its content is not.
    @Test func `a truncated inner body fails`() async throws {
        respond(["deflate, gzip"], try CodedText.zlib.dropLast().gzipped())
        let collected = await #expect(throws: (any Error).self) { try await transport.send(request) }
        #expect(collected?.urlErrorCode == .cannotDecodeContentData)
        let stream = await #expect(throws: (any Error).self) { try await streamed() }
        #expect(stream?.urlErrorCode == .cannotDecodeContentData)
    }

    @Test func `a response without a body may have any coding`() async throws {
        server.onAny { _ in .status(204).with(header: "Content-Encoding", "sdch, gzip") }
        #expect(try await transport.send(request).statusCode == 204)
        server.onAny { _ in .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n") }
        var head = request
        head.urlRequest.httpMethod = "HEAD"
        #expect(try await transport.send(head).statusCode == 200)
    }

    /// RFC 9112, section 6.1: the request does not ask for such a coding. libcurl does not undo it.
    @Test(arguments: ["gzip, chunked", "deflate, chunked", "gzip,identity,Chunked"])
    func `a transfer coding other than chunked fails`(_ field: String) async throws {
        let size = String(CodedText.gzip.count, radix: 16)
        server.onAny { _ in
            .raw(
                Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(field)\r\n\r\n\(size)\r\n".utf8) + CodedText.gzip
                    + Data("\r\n0\r\n\r\n".utf8))
        }
        let collected = await #expect(throws: (any Error).self) { try await transport.send(request) }
        #expect(collected?.urlErrorCode == .cannotDecodeContentData)
        let stream = await #expect(throws: (any Error).self) { try await streamed() }
        #expect(stream?.urlErrorCode == .cannotDecodeContentData)
    }

    /// The inner body is longer than the limit; the outer one and the decoded one are shorter.
    @Test func `the size between two codings is limited too`() async throws {
        let emptyMember = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        respond(["gzip, gzip"], try Data(Array(repeating: emptyMember, count: 60_000).joined()).gzipped())
        var limited = request
        limited.maximumBodySize = 1 << 20
        let collected = await #expect(throws: (any Error).self) { try await transport.send(limited) }
        #expect(collected?.urlErrorCode == .dataLengthExceedsMaximum)
        // A streamed body has no maximum size, but a maximum number of bytes without output.
        let stream = await #expect(throws: (any Error).self) { try await streamed() }
        #expect(stream?.urlErrorCode == .cannotDecodeContentData)
    }

    @Test func `a stream with two codings is decoded wherever it is cut`() throws {
        let body = try CodedText.zlib.gzipped()
        for cut in 0...body.count {
            let decoding = try #require(StreamDecoding([.deflate, .gzip]))
            var decoded = Data()
            for piece in [body.prefix(cut), body.dropFirst(cut)] {
                var next = try decoding.next(after: piece)
                while let some = next {
                    decoded += some
                    next = try decoding.next(after: nil)
                }
            }
            try decoding.finish()
            #expect(decoded == CodedText.plain)
        }
    }
}
#endif
