import CCompression

/// A decoder for one content coding of a body (RFC 9110, section 8.4), which works piece by piece.
///
/// libcurl could decode bodies, but accepts a truncated gzip body as complete. This decoder checks the end in
/// ``finish()``.
struct ContentDecoder: ~Copyable {
    /// An error for a body that is invalid for its coding or incomplete.
    struct Broken: Error {}

    private let coding: ContentCoding
    private var decoder: DecoderPool.Decoder?
    private var isWhole = false

    init(_ coding: ContentCoding) {
        self.coding = coding
    }

    deinit {
        if let decoder { DecoderPool.shared.give(back: decoder) }
    }

    /// Whether ``decodeSome(of:)`` can return more data without more input.
    private(set) var hasMore = false

    /// Decodes part of the input, and removes that part from `input`.
    ///
    /// - Returns: At most 64 KiB, valid until the next call; empty if more input is needed.
    mutating func decodeSome(of input: inout UnsafeBufferPointer<UInt8>) throws(Broken) -> UnsafeBufferPointer<UInt8> {
        guard !input.isEmpty || hasMore else { return UnsafeBufferPointer(start: nil, count: 0) }
        let decoder = try start(with: input.first)
        let output = decoder.output
        var from = input.baseAddress
        var left = input.count
        var to = output.baseAddress
        var room = output.count
        let result = cdecoder_decode(decoder.state, &from, &left, &to, &room)
        guard result != CDECODER_BROKEN else { throw Broken() }
        input = UnsafeBufferPointer(rebasing: input.suffix(left))
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

    private mutating func start(with first: UInt8?) throws(Broken) -> DecoderPool.Decoder {
        if let decoder { return decoder }
        let format: CDecoderFormat =
            switch coding {
            case .gzip: CDECODER_GZIP
            case .brotli: CDECODER_BROTLI
            case .zstandard: CDECODER_ZSTANDARD
            // RFC 9110 specifies zlib; some servers send raw deflate. A zlib stream begins with its method, 8.
            case .deflate: (first ?? 8) & 0x0F == 8 ? CDECODER_ZLIB : CDECODER_RAW_DEFLATE
            }
        guard let created = DecoderPool.shared.take(format) else { throw Broken() }
        decoder = created
        return created
    }
}
