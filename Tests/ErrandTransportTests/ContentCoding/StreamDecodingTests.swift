import TestSupport
import Testing

@testable import Errand

struct `A decoder of pieces` {
    /// Decodes the pieces, each until the decoder needs another one.
    private func decode(_ pieces: [Data], _ coding: String) throws -> [Data] {
        let decoding = try #require(StreamDecoding(try ContentCoding.list(coding)))
        var decoded: [Data] = []
        for piece in pieces {
            var next = try decoding.next(after: piece)
            while let some = next {
                decoded.append(some)
                next = try decoding.next(after: nil)
            }
        }
        try decoding.finish()
        return decoded
    }

    @Test(arguments: CodedText.decodable.indices)
    func `a coded stream is decoded completely wherever it is cut`(_ index: Int) throws {
        let (coding, body) = CodedText.decodable[index]
        for cut in 0...body.count {
            let pieces = try decode([body.prefix(cut), body.dropFirst(cut)], coding)
            #expect(Data(pieces.joined()) == CodedText.plain)
            #expect(pieces.allSatisfy { !$0.isEmpty })
        }
    }

    @Test func `decoded data is returned before more input is needed`() throws {
        let decoding = try #require(StreamDecoding([.gzip]))
        #expect(try decoding.next(after: CodedText.gzip + CodedText.gzip.prefix(5)) == CodedText.plain)
        #expect(try decoding.next(after: nil) == nil)
        #expect(throws: URLError(.cannotDecodeContentData)) { try decoding.finish() }
        #expect(try decoding.next(after: CodedText.gzip.dropFirst(5)) == CodedText.plain)
        #expect(throws: Never.self) { try decoding.finish() }
    }

    @Test func `expanding data is returned in pieces`() throws {
        let pieces = try decode([CodedText.megabyteOfZeros + CodedText.megabyteOfZeros], "gzip")
        #expect(pieces.count >= 32)
        #expect(pieces.allSatisfy { $0.count <= 65_536 })
        #expect(pieces.reduce(0) { $0 + $1.count } == 2 << 20)
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd"])
    func `a stream that does not match its coding fails`(_ coding: String) throws {
        let decoding = try #require(StreamDecoding(try ContentCoding.list(coding)))
        #expect(throws: URLError(.cannotDecodeContentData)) {
            while try decoding.next(after: Data("\u{7}no such thing".utf8)) != nil {}
        }
    }

    /// Each member counts as progress of the transfer, and produces no bytes.
    @Test func `a mebibyte of empty members fails`() throws {
        let decoding = try #require(StreamDecoding([.gzip]))
        let emptyMember = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        let piece = Data(Array(repeating: emptyMember, count: 3_200).joined())
        for _ in 0..<16 { #expect(try decoding.next(after: piece) == nil) }
        // A member with content resets the count.
        #expect(try decoding.next(after: CodedText.gzip) == CodedText.plain)
        for _ in 0..<16 { #expect(try decoding.next(after: piece) == nil) }
        #expect(throws: URLError(.cannotDecodeContentData)) { try decoding.next(after: piece) }
    }

    @Test func `an empty coded stream is accepted`() throws {
        #expect(try decode([], "gzip") == [])
        #expect(try decode([Data()], "br") == [])
    }

    @Test func `the identity coding needs no decoding`() throws {
        #expect(StreamDecoding(try ContentCoding.list("identity")) == nil)
    }
}
