#if canImport(CCurl)
@testable import Errand
import Foundation
import Testing

struct `A piece of a streamed body` {
    @Test func `a piece returns the appended bytes in order and is empty afterward`() {
        var piece = CurlPiece()
        #expect(piece.isEmpty)
        append("one", to: &piece)
        append("two", to: &piece)
        let first = piece.take()
        #expect(first == Data("onetwo".utf8))
        #expect(piece.isEmpty)
        append("three", to: &piece)
        let second = piece.take()
        #expect(second == Data("three".utf8))
    }

    @Test func `a piece is full at half of the body buffer size`() {
        var piece = CurlPiece()
        append(count: CurlTransport.bodyBufferSize / 2 - 1, to: &piece)
        #expect(!piece.isFull)
        append(count: 1, to: &piece)
        #expect(piece.isFull)
    }

    /// Otherwise, a server that sends small pieces to a waiting reader would fill the memory.
    @Test(arguments: [
        [16, 16], [100, 1, 1], [16_384, 1], [16_384, 16_384, 1_000], [16_384, 16_384, 16_384, 16_384],
        [Int](repeating: 16_384, count: 8), [Int](repeating: 9_000, count: 15),
    ])
    func `a piece uses little more memory than its bytes`(_ parts: [Int]) throws {
        var piece = CurlPiece()
        for count in parts { append(count: count, to: &piece) }
        let data = piece.take()
        #expect(data.count == parts.reduce(0, +))
        let allocated = try Self.allocatedSize(of: data)
        #expect(allocated >= data.count)
        #expect(allocated < data.count + data.count / 2 + 128)
    }

    /// The data must not be stored inline, as data of up to 14 bytes is.
    private static func allocatedSize(of data: Data) throws -> Int {
        typealias Sizing = @convention(c) (UnsafeMutableRawPointer?) -> Int
        let sizing = unsafeBitCast(try #require(dlsym(nil, "malloc_usable_size")), to: Sizing.self)
        return data.withUnsafeBytes { sizing(UnsafeMutableRawPointer(mutating: $0.baseAddress)) }
    }

    private func append(_ text: String, to piece: inout CurlPiece) {
        Array(text.utf8).withUnsafeBufferPointer { piece.append($0) }
    }

    private func append(count: Int, to piece: inout CurlPiece) {
        [UInt8](repeating: 7, count: count).withUnsafeBufferPointer { piece.append($0) }
    }
}
#endif
