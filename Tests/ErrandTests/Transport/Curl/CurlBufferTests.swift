import Testing

@testable import Errand

struct `The body of a buffered answer` {
    /// Gives the pieces to a buffer, and its end.
    private func collect(
        _ pieces: [Data], limit: Int = 1 << 20, expecting count: Int? = nil, coding: String? = nil
    ) throws -> Data {
        var buffer = CurlBuffer(limit: limit)
        buffer.begin(expecting: count, contentEncoding: coding)
        for piece in pieces {
            try Array(piece).withUnsafeBufferPointer { try buffer.receive($0) }
            #expect(buffer.count == buffer.data.count)
        }
        try buffer.finish(TransferMetrics())
        return buffer.data
    }

    @Test(arguments: [nil, 0, 6, 1_000, .max, -1] as [Int?])
    func `is put together, whatever was promised`(_ count: Int?) throws {
        #expect(try collect([Data("one".utf8), Data(), Data("two".utf8)], expecting: count) == Data("onetwo".utf8))
    }

    @Test func `may be as long as the limit and no longer`() throws {
        #expect(try collect([Data(count: 5), Data(count: 5)], limit: 10).count == 10)
        #expect(throws: URLError(.dataLengthExceedsMaximum)) {
            try collect([Data(count: 5), Data(count: 6)], limit: 10)
        }
        #expect(throws: URLError(.dataLengthExceedsMaximum)) { try collect([Data(count: 1)], limit: 0) }
    }

    @Test func `counts decoded`() throws {
        let size = CodedText.plain.count
        #expect(try collect([CodedText.gzip], limit: size, coding: "gzip") == CodedText.plain)
        #expect(throws: URLError(.dataLengthExceedsMaximum)) {
            try collect([CodedText.gzip], limit: size - 1, coding: "gzip")
        }
    }

    @Test func `is stopped at the limit in the middle of one piece that expands`() throws {
        var buffer = CurlBuffer(limit: 100_000)
        buffer.begin(expecting: nil, contentEncoding: "gzip")
        #expect(throws: URLError(.dataLengthExceedsMaximum)) {
            try Array(CodedText.megabyteOfZeros).withUnsafeBufferPointer { try buffer.receive($0) }
        }
        #expect(buffer.count <= 100_000)
    }

    @Test func `that expands to more than fits at once is whole`() throws {
        let body = [CodedText.megabyteOfZeros, CodedText.megabyteOfZeros]
        #expect(try collect(body, limit: 2 << 20, coding: "gzip") == Data(count: 2 << 20))
    }

    @Test func `is not whole inside its coding`() throws {
        let failure = #expect(throws: TransportFailure.self) {
            try collect([CodedText.gzip.dropLast()], coding: "gzip")
        }
        #expect(failure?.error.code == .cannotDecodeContentData)
    }

    @Test func `must be of its coding, unless it is empty`() throws {
        #expect(throws: URLError(.cannotDecodeContentData)) { try collect([Data("text".utf8)], coding: "gzip") }
        #expect(try collect([], coding: "gzip").isEmpty)
        #expect(try collect([Data("text".utf8)], coding: "identity") == Data("text".utf8))
    }
}
