import Errand
import TestSupport
import Testing

struct `A part of a file as a body` {
    private let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8) &* 7) })

    @Test(arguments: [
        0..<200_000, 0..<1, 65_536..<131_072, 65_535..<200_000, 199_999..<200_000, 7..<7, 200_000..<200_000,
    ])
    func `a part of a file has exactly these bytes each time it is read`(_ bytes: Range<Int>) async throws {
        let file = try TemporaryFile(content, pathExtension: "pdf")
        let body = RequestBody.file(file.url, bytes: bytes)
        let stream = try #require(try body.stream)
        #expect(stream.count == bytes.count)
        #expect(stream.canBeReadAgain)
        #expect(try await stream.contents() == content[bytes])
        #expect(try await stream.contents() == content[bytes])
        #expect(body.type == .pdf)
        #expect(RequestBody.file(file.url, bytes: bytes, type: .json).type == .json)
    }

    @Test(arguments: [0..<11, 10..<11, 11..<11, -1..<5, Int.min..<Int.max, -5..<(-1)])
    func `a file part outside the file is rejected`(_ bytes: Range<Int>) async throws {
        let file = try TemporaryFile(Data(count: 10))
        await expectFailure(.bodyEncodingFailed) { try RequestBody.file(file.url, bytes: bytes).content() }
        let missing = URL(fileURLWithPath: "/nowhere/at/all")
        await expectFailure(.bodyEncodingFailed) { try RequestBody.file(missing, bytes: 0..<0).content() }
    }

    @Test func `reading a file part fails if the file was truncated`() async throws {
        let file = try TemporaryFile(content)
        let stream = try BodyStream(file: file.url, bytes: 100_000..<200_000)
        try file.resize(to: 150_000)
        await expectFailure(.bodyCountMismatch) { try await stream.contents() }
        try file.resize(to: 50_000)
        await expectFailure(.bodyCountMismatch) { try await stream.contents() }
    }

    @Test func `reading a file part is not affected by a file that grows`() async throws {
        let file = try TemporaryFile(content)
        let stream = try BodyStream(file: file.url, bytes: 100_000..<200_000)
        try file.resize(to: 300_000)
        #expect(try await stream.contents() == content[100_000...])
    }
}
