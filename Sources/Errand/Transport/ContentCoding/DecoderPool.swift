import CCompression

/// A pool of unused decoders. Each uses about 100 KB of memory and is therefore kept for the next body.
final class DecoderPool: Sendable {
    /// A decoder and its output buffer.
    ///
    /// `@unchecked Sendable` is safe because a decoder has one owner at a time: the pool, or the task that took it.
    struct Decoder: @unchecked Sendable {
        let state: OpaquePointer
        let format: CDecoderFormat
        let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: DecoderPool.outputSize)
    }

    /// The maximum number of bytes decoded at once: 64 KiB.
    static let outputSize = 64 << 10
    /// The maximum number of unused decoders.
    static let capacity = 16
    static let shared = DecoderPool()

    private let free = Locked<[Decoder]>([])

    /// The number of unused decoders.
    var count: Int { free.withLock { $0.count } }

    /// Takes a decoder from the pool, or creates one.
    ///
    /// - Returns: A decoder; `nil` if memory runs out or the format is not supported.
    func take(_ format: CDecoderFormat) -> Decoder? {
        let kept = free.withLock { free in
            free.lastIndex { $0.format == format }.map { free.remove(at: $0) }
        }
        return kept ?? cdecoder_create(format).map { Decoder(state: $0, format: format) }
    }

    func give(back decoder: Decoder) {
        let isKept =
            cdecoder_reset(decoder.state)
            && free.withLock { free in
                guard free.count < Self.capacity else { return false }
                free.append(decoder)
                return true
            }
        guard !isKept else { return }
        cdecoder_destroy(decoder.state)
        decoder.output.deallocate()
    }
}
