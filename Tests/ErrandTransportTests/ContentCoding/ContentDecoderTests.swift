import TestSupport
import Testing

@testable import Errand

struct `A content decoder` {
    /// Decodes these pieces, one after the other.
    private func decode(_ pieces: [Data], _ coding: String) throws -> Data {
        var decoder = ContentDecoder(try #require(try ContentCoding.list(coding).first))
        var decoded = Data()
        for piece in pieces {
            try Array(piece).withUnsafeBufferPointer { bytes in
                var input = bytes
                repeat { decoded.append(try decoder.decodeSome(of: &input)) } while !input.isEmpty || decoder.hasMore
            }
        }
        try decoder.finish()
        return decoded
    }

    @Test(arguments: CodedText.decodable.indices)
    func `a coded body is decoded wherever it is cut`(_ index: Int) throws {
        let (coding, body) = CodedText.decodable[index]
        for cut in 0...body.count {
            #expect(try decode([body.prefix(cut), body.dropFirst(cut)], coding) == CodedText.plain)
        }
        #expect(try decode(body.map { Data([$0]) }, coding) == CodedText.plain)
    }

    @Test(arguments: [("gzip", CodedText.gzip), ("zstd", CodedText.zstandard)])
    func `consecutive members are decoded as one body`(_ coding: String, _ member: Data) throws {
        let body = member + member
        for cut in 0...body.count {
            #expect(
                try decode([body.prefix(cut), body.dropFirst(cut)], coding) == CodedText.plain + CodedText.plain)
        }
    }

    @Test(arguments: [1, 4, 512, 100_000], [1, 2])
    func `zeros after a gzip body are ignored`(_ zeros: Int, _ members: Int) throws {
        let body = Data(Array(repeating: CodedText.gzip, count: members).joined())
        let plain = Data(Array(repeating: CodedText.plain, count: members).joined())
        #expect(try decode([body + Data(count: zeros)], "gzip") == plain)
        #expect(try decode([body, Data(count: zeros)], "gzip") == plain)
        #expect(try decode([body + Data(count: 1), Data(count: zeros - 1)], "gzip") == plain)
        // After the zeros, only another member may follow.
        #expect(try decode([body + Data(count: zeros) + CodedText.gzip], "gzip") == plain + CodedText.plain)
        #expect(throws: ContentDecoder.Broken.self) { try decode([body + Data(count: zeros) + Data([1])], "gzip") }
        #expect(throws: ContentDecoder.Broken.self) {
            try decode([body + Data(count: zeros), CodedText.gzip.prefix(9)], "gzip")
        }
    }

    @Test func `zeros are a gzip body neither before a member nor inside it`() {
        #expect(throws: ContentDecoder.Broken.self) { try decode([Data(count: 4)], "gzip") }
        #expect(throws: ContentDecoder.Broken.self) { try decode([Data(count: 4) + CodedText.gzip], "gzip") }
        #expect(throws: ContentDecoder.Broken.self) {
            try decode([CodedText.gzip.dropLast(8) + Data(count: 8)], "gzip")
        }
    }

    /// RFC 9659: a decoder need not support a window of more than 8 MiB. The frame begins a raw block of one byte.
    @Test(arguments: [(UInt8(13 << 3), true), (UInt8(14 << 3), false)])
    func `a Zstandard frame with too large a window is rejected`(_ window: UInt8, _ isAccepted: Bool) throws {
        let body = Data([0x28, 0xB5, 0x2F, 0xFD, 0, window, 0x09, 0, 0, 0x61])
        if isAccepted {
            #expect(try decode([body], "zstd") == Data("a".utf8))
        } else {
            #expect(throws: ContentDecoder.Broken.self) { try decode([body], "zstd") }
        }
    }

    @Test(arguments: CodedText.decodable.indices)
    func `a truncated coded body is rejected`(_ index: Int) {
        let (coding, body) = CodedText.decodable[index]
        for cut in 1..<body.count {
            #expect(throws: ContentDecoder.Broken.self) { try decode([body.prefix(cut)], coding) }
        }
    }

    @Test func `a body truncated inside a second member is rejected`() {
        for cut in 1..<CodedText.gzip.count {
            #expect(throws: ContentDecoder.Broken.self) {
                try decode([CodedText.gzip + CodedText.gzip.prefix(cut)], "gzip")
            }
        }
    }

    @Test(arguments: CodedText.decodable.indices)
    func `bytes after the end of a coded body are rejected`(_ index: Int) {
        let (coding, body) = CodedText.decodable[index]
        #expect(throws: ContentDecoder.Broken.self) { try decode([body + Data("more".utf8)], coding) }
        #expect(throws: ContentDecoder.Broken.self) { try decode([body, Data("more".utf8)], coding) }
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd"])
    func `a body that does not match its coding is rejected`(_ coding: String) {
        #expect(throws: ContentDecoder.Broken.self) { try decode([Data("\u{7}no such thing".utf8)], coding) }
        #expect(throws: ContentDecoder.Broken.self) { try decode([Data(repeating: 0xFF, count: 100)], coding) }
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd"])
    func `an empty coded body is accepted`(_ coding: String) throws {
        #expect(try decode([], coding).isEmpty)
        #expect(try decode([Data(), Data()], coding).isEmpty)
    }

    @Test func `decoded data is returned in pieces of at most 64 KiB`() throws {
        var decoder = ContentDecoder(.gzip)
        var sizes: [Int] = []
        try Array(CodedText.megabyteOfZeros).withUnsafeBufferPointer { bytes in
            var input = bytes
            repeat { sizes.append(try decoder.decodeSome(of: &input).count) } while !input.isEmpty || decoder.hasMore
        }
        try decoder.finish()
        #expect(sizes.allSatisfy { $0 <= 65_536 })
        let total = sizes.reduce(0, +)
        #expect(total == 1_048_576)
    }
}
