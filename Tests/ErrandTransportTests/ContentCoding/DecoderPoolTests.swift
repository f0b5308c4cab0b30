import CCompression
import Testing

@testable import Errand

struct `A pool of decoders` {
    @Test func `a returned decoder is reused only for the same coding`() throws {
        let pool = DecoderPool()
        let first = try #require(pool.take(CDECODER_GZIP))
        pool.give(back: first)
        let other = try #require(pool.take(CDECODER_ZLIB))
        let second = try #require(pool.take(CDECODER_GZIP))
        #expect(other.state != first.state)
        #expect(second.state == first.state)
        for decoder in [other, second] { pool.give(back: decoder) }
    }

    @Test func `a decoder pool keeps a limited number of decoders`() throws {
        let pool = DecoderPool()
        let decoders = try (0...DecoderPool.capacity).map { _ in try #require(pool.take(CDECODER_GZIP)) }
        for decoder in decoders { pool.give(back: decoder) }
        #expect(pool.free.withLock { $0.count } == DecoderPool.capacity)
    }
}
