import CCompression

/// A content coding that this system can decode (RFC 9110, section 8.4.1).
enum ContentCoding: Sendable {
    case gzip, deflate, brotli, zstandard

    /// The codings that this system can decode, as the value of an `Accept-Encoding` field.
    static let accepted =
        "gzip, deflate" + (cdecoder_supports(CDECODER_BROTLI) ? ", br" : "")
        + (cdecoder_supports(CDECODER_ZSTANDARD) ? ", zstd" : "")

    /// The maximum number of codings of a body: 5, as in libcurl.
    static let limit = 5

    /// Returns the codings to undo, in the order in which they were applied, from the value of a `Content-Encoding`
    /// field. Empty elements of the list are ignored (RFC 9110, section 5.6.1.2), and so is `identity`.
    ///
    /// - Returns: The codings, which may be empty. Also empty if the only coding is unknown: such a body is
    ///   delivered as received, so that the caller can decode it.
    /// - Throws: `URLError` with `cannotDecodeContentData` for more than ``limit`` codings, and for several codings of
    ///   which any is unknown: the caller could not tell which ones were undone.
    static func list(_ field: String) throws(URLError) -> [ContentCoding] {
        let names = field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            .filter { !["", "identity"].contains($0) }
        let codings = names.compactMap { ContentCoding(name: $0) }
        guard names.count <= limit, codings.count == names.count || names.count == 1 else {
            throw URLError(.cannotDecodeContentData)
        }
        return codings
    }

    private init?(name: String) {
        switch name {
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        case "br" where cdecoder_supports(CDECODER_BROTLI): self = .brotli
        case "zstd" where cdecoder_supports(CDECODER_ZSTANDARD): self = .zstandard
        default: return nil
        }
    }
}

/// A decoder for one content coding of a body (RFC 9110, section 8.4), which works piece by piece.
///
/// libcurl could decode bodies, but accepts a truncated gzip body as complete. This decoder checks the end in
/// ``finish()``.
struct ContentDecoder: ~Copyable {
    /// An error for a body that is invalid for its coding or incomplete.
    struct Broken: Error {}

    private let coding: ContentCoding
    private var decoder: DecoderPool.Decoder?
    /// Whether the input so far ends with a complete body.
    private var isWhole = false
    /// Whether ``decodeSome(of:)`` can return more data without more input.
    private(set) var hasMore = false

    init(_ coding: ContentCoding) {
        self.coding = coding
    }

    deinit {
        if let decoder { DecoderPool.shared.give(back: decoder) }
    }

    /// Decodes part of the input, and removes that part from `input`.
    ///
    /// - Returns: At most 64 KiB, valid until the next call; empty if that part of the input yields no output.
    mutating func decodeSome(of input: inout UnsafeBufferPointer<UInt8>) throws(Broken) -> UnsafeBufferPointer<UInt8> {
        guard !input.isEmpty || hasMore else { return UnsafeBufferPointer(start: nil, count: 0) }
        let decoder = try startedDecoder(firstByte: input.first)
        let output = decoder.output
        var from = input.baseAddress
        var left = input.count
        var to = output.baseAddress
        var room = output.count
        let result = cdecoder_decode(decoder.state, &from, &left, &to, &room)
        guard result != CDECODER_BROKEN else { throw Broken() }
        input = UnsafeBufferPointer(rebasing: input.suffix(left))
        // More input after the end is another member or frame of the body, or an error.
        isWhole = result == CDECODER_END
        hasMore = room == 0 && !isWhole
        return UnsafeBufferPointer(rebasing: output[..<(output.count - room)])
    }

    /// Checks the end of the body.
    ///
    /// - Throws: ``Broken`` if the body is incomplete. A body of 0 bytes has no coding and is valid.
    func finish() throws(Broken) {
        guard isWhole || decoder == nil else { throw Broken() }
    }

    /// Returns the decoder. Creates it at the first input, because the format of `deflate` depends on the first byte.
    private mutating func startedDecoder(firstByte: UInt8?) throws(Broken) -> DecoderPool.Decoder {
        if let decoder { return decoder }
        let format: CDecoderFormat =
            switch coding {
            case .gzip: CDECODER_GZIP
            case .brotli: CDECODER_BROTLI
            case .zstandard: CDECODER_ZSTANDARD
            // RFC 9110 specifies zlib; some servers send raw deflate. A zlib stream has its method, 8, in the low four
            // bits of its first byte.
            case .deflate: (firstByte ?? 8) & 0x0F == 8 ? CDECODER_ZLIB : CDECODER_RAW_DEFLATE
            }
        guard let created = DecoderPool.shared.take(format) else { throw Broken() }
        decoder = created
        return created
    }
}

/// A pool of unused decoders. Each has about 100 KB of memory or more, so it is kept for the next body if it can be
/// reset. Brotli decoders cannot.
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

    /// The unused decoders.
    let free = Locked<[Decoder]>([])

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

/// The decoders of a body's content codings, which return pieces on demand and store encoded bytes that they have not
/// processed yet.
final class StreamDecoding {
    /// The decoder of each coding. The coding that was applied last is the first one, because it is undone first.
    private let stages: [Stage]

    /// Creates the decoders; `nil` if there is no coding.
    ///
    /// - Parameter codings: The codings in the order in which they were applied.
    init?(_ codings: [ContentCoding]) {
        guard !codings.isEmpty else { return nil }
        stages = codings.reversed().map(Stage.init)
    }

    /// Whether output may be available without another piece.
    var hasMore: Bool { stages.contains { $0.hasMore } }

    /// Decodes part of the stored bytes and of `piece`, which follows them. The output has at most 64 KiB.
    ///
    /// - Returns: The decoded bytes; `nil` if another piece is needed.
    /// - Throws: `URLError` for a body that is invalid for its codings.
    func next(after piece: Data?) throws(URLError) -> Data? {
        if let piece { stages[0].append(piece) }
        // The last stage that has something left comes first, so that no later stage stores more than one output of the
        // stage before it.
        while let index = stages.lastIndex(where: { $0.hasMore }) {
            guard let decoded = try stages[index].next() else { continue }
            guard index + 1 < stages.count else {
                for stage in stages { stage.bytesSinceOutput = 0 }
                return decoded
            }
            stages[index + 1].append(decoded)
        }
        return nil
    }

    /// Checks the end of the body.
    ///
    /// - Throws: `URLError` if the body is incomplete.
    func finish() throws(URLError) {
        for stage in stages { try stage.finish() }
    }
}

/// The decoder of one coding, with the encoded bytes that it has not processed yet.
private final class Stage {
    private var decoder: ContentDecoder
    private var unprocessed: [UInt8] = []
    /// The number of encoded bytes that this stage has decoded since the last output of the last stage.
    var bytesSinceOutput = 0

    /// The maximum number of consecutive encoded bytes without output: 1 MiB. Without it, a peer could send such bytes
    /// forever, because each byte counts as activity for the idle timeout.
    private static let maximumBytesSinceOutput = 1 << 20

    init(_ coding: ContentCoding) {
        decoder = ContentDecoder(coding)
    }

    var hasMore: Bool { !unprocessed.isEmpty || decoder.hasMore }

    func append(_ piece: Data) {
        unprocessed.append(contentsOf: piece)
    }

    /// Returns at most 64 KiB of decoded bytes; `nil` if more input is needed.
    func next() throws(URLError) -> Data? {
        var decoded = Data()
        var used = 0
        do {
            try unprocessed.withUnsafeBufferPointer { bytes in
                var input = bytes
                repeat {
                    decoded = Data(try decoder.decodeSome(of: &input))
                } while decoded.isEmpty && !input.isEmpty
                used = bytes.count - input.count
            }
        } catch {
            throw URLError(.cannotDecodeContentData)
        }
        unprocessed.removeFirst(used)
        bytesSinceOutput += used
        guard decoded.isEmpty else { return decoded }
        guard bytesSinceOutput <= Self.maximumBytesSinceOutput else { throw URLError(.cannotDecodeContentData) }
        return nil
    }

    func finish() throws(URLError) {
        do {
            try decoder.finish()
        } catch {
            throw URLError(.cannotDecodeContentData)
        }
    }
}
