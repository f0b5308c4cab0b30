#if canImport(CCompression)
import CCompression

/// Undoes the content codings of a body (RFC 9110, section 8.4), piece by piece.
///
/// libcurl could do it, but takes a body that is cut short inside its gzip for whole. This one is asked at the end.
struct ContentDecoder: ~Copyable {
    /// The body is not of its coding, or ends inside it.
    struct Broken: Error {}

    /// What this system can decode, as an `Accept-Encoding`.
    static let accepted =
        "gzip, deflate" + (cdecoder_supports(CDECODER_BROTLI) ? ", br" : "")
        + (cdecoder_supports(CDECODER_ZSTANDARD) ? ", zstd" : "")

    private let coding: Coding
    private var decoder: DecoderPool.Decoder?
    private var isWhole = false

    private enum Coding {
        case gzip, deflate, brotli, zstandard
    }

    /// A decoder for a `Content-Encoding`; nil when there is nothing to undo, or nothing that is known here.
    init?(contentEncoding: String) {
        switch contentEncoding.trimmingCharacters(in: .whitespaces).lowercased() {
        case "gzip", "x-gzip": coding = .gzip
        case "deflate": coding = .deflate
        case "br" where cdecoder_supports(CDECODER_BROTLI): coding = .brotli
        case "zstd" where cdecoder_supports(CDECODER_ZSTANDARD): coding = .zstandard
        default: return nil
        }
    }

    deinit {
        if let decoder { DecoderPool.shared.give(back: decoder) }
    }

    /// Whether ``decodeSome(of:)`` has more to give even without more input.
    private(set) var hasMore = false

    /// Decodes some of the input and moves it on.
    ///
    /// - Returns: At most 64 KiB, valid until the next call. Nothing when more input is needed.
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

    /// Says that the body has ended.
    ///
    /// - Throws: When it ended too early. A body of no bytes at all has no coding, and passes.
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
            // RFC 9110 means zlib; some servers send the bare stream. A zlib stream begins with its method, 8.
            case .deflate: (first ?? 8) & 0x0F == 8 ? CDECODER_ZLIB : CDECODER_RAW_DEFLATE
            }
        guard let created = DecoderPool.shared.take(format) else { throw Broken() }
        decoder = created
        return created
    }
}
#endif
