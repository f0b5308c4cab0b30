import TestSupport
import Testing

@testable import Errand

struct `A body compressed with gzip` {
    /// Bytes that cannot be compressed.
    private static func noise(_ count: Int) -> Data {
        var state: UInt64 = 1
        return Data(
            (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 33)
            })
    }

    @Test(arguments: [(0, true), (1, false), (65_536, true), (5 << 20, true), (65_535, false), (1 << 20, false)])
    func `a gzip body expands to the original data, as data and as a stream`(
        _ count: Int, _ isZeros: Bool
    ) async throws {
        let plain = isZeros ? Data(count: count) : Self.noise(count)
        let data = try #require(try RequestBody.data(plain).gzipped().data)
        #expect(try expanded(data) == plain)
        #expect(data.starts(with: [0x1F, 0x8B, 8]))
        let file = try TemporaryFile(plain)
        let stream = try #require(try RequestBody.file(file.url).gzipped().stream)
        #expect(stream.count == nil)
        #expect(try await expanded(stream.contents()) == plain)
        // A file can be read again, so its compressed form can be, too.
        #expect(try await expanded(stream.contents()) == plain)
        if count > 100_000, isZeros { #expect(data.count < plain.count / 500) }
    }

    @Test func `a gzip body sets Content-Encoding and keeps its content type`() throws {
        let request = APIBase()
        request.baseURL = URL(string: "https://example.com")
        request.method = .post
        request.body = .json(["a": "b"]).gzipped()
        let built = try request.buildURLRequest()
        #expect(built.value(forHTTPHeaderField: "Content-Encoding") == "gzip")
        #expect(built.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(try expanded(#require(built.httpBody)) == Data(#"{"a":"b"}"#.utf8))
        request.headers[.contentEncoding] = "x-gzip"
        #expect(try request.buildURLRequest().value(forHTTPHeaderField: "Content-Encoding") == "x-gzip")
    }

    @Test func `an empty body is not compressed, and no body is compressed twice`() throws {
        let request = APIBase()
        request.baseURL = URL(string: "https://example.com")
        request.body = RequestBody.empty.gzipped()
        let built = try request.buildURLRequest()
        #expect(built.httpBody == nil)
        #expect(built.value(forHTTPHeaderField: "Content-Encoding") == nil)
        let twice = try #require(try RequestBody.text("x").gzipped().gzipped().data)
        #expect(try expanded(twice) == Data("x".utf8))
    }

    @Test func `a stream is compressed in small pieces while it is read`() async throws {
        let pulled = Recorder<Int>()
        let source = AsyncStream<Data> {
            guard pulled.elements.count < 64 else { return nil }
            pulled.record(1)
            return Self.noise(65_536)
        }
        let stream = try #require(try RequestBody.stream(BodyStream(source)).gzipped().stream)
        let read = try stream.open()
        var largest = 0
        let first = try #require(try await read())
        #expect(pulled.elements.count < 8)
        largest = first.count
        var whole = first
        while let piece = try await read() {
            largest = max(largest, piece.count)
            whole += piece
        }
        #expect(largest <= 65_536)
        #expect(try expanded(whole).count == 64 * 65_536)
    }

    @Test func `a gzip body of a one-time stream can be sent once`() throws {
        let once = BodyStream(InputStream(data: Data("once".utf8)))
        let stream = try #require(try RequestBody.stream(once).gzipped().stream)
        try stream.claimForSending()
        #expect { try stream.claimForSending() } throws: { ErrandError.Code.bodyStreamAlreadyOpened ~= $0 }
    }

    @Test func `reading a gzip body fails with the error of the plain body`() async throws {
        let failing = AsyncThrowingStream<Data, any Error> { throw Fault.first }
        let stream = try #require(try RequestBody.stream(BodyStream(failing)).gzipped().stream)
        await #expect(throws: Fault.first) { try await stream.contents() }
        let short = BodyStream(InputStream(data: Data("four".utf8)), count: 5)
        let counted = try #require(try RequestBody.stream(short).gzipped().stream)
        await expectFailure(.bodyCountMismatch) { try await counted.contents() }
    }

    @Test func `a multipart form can be compressed`() async throws {
        let file = try TemporaryFile(Data(count: 200_000))
        let body = RequestBody.multipart([.text("a", "b"), .file("c", file.url)]).gzipped()
        let content = try await #require(try body.stream).contents()
        #expect(content.count < 2_000)
        let parts = try MultipartReader.parts(of: expanded(content), contentType: body.type?.description)
        #expect(parts.map(\.content) == [Data("b".utf8), Data(count: 200_000)])
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
