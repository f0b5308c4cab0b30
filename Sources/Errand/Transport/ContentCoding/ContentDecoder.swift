#if canImport(CCompression)
import CCompression

/// Undoes the content codings of a body (RFC 9110, section 8.4), piece by piece.
///
/// libcurl could do it, but takes a body that is cut short inside its gzip for whole. This one is asked at the end.
struct ContentDecoder: ~Copyable {
    /// The body is not of its coding, or ends inside it.
    struct Broken: Error {}

    /// What this system can decode, as an `Accept-Encoding`.
    static let accepted = cdecoder_supports(CDECODER_BROTLI) ? "gzip, deflate, br" : "gzip, deflate"

    private let coding: Coding
    private var decoder: OpaquePointer?
    private var isWhole = false
    private let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 65_536)

    private enum Coding {
        case gzip, deflate, brotli
    }

    /// A decoder for a `Content-Encoding`; nil when there is nothing to undo, or nothing that is known here.
    init?(contentEncoding: String) {
        switch contentEncoding.trimmingCharacters(in: .whitespaces).lowercased() {
        case "gzip", "x-gzip": coding = .gzip
        case "deflate": coding = .deflate
        case "br" where cdecoder_supports(CDECODER_BROTLI): coding = .brotli
        default: return nil
        }
    }

    deinit {
        if let decoder { cdecoder_destroy(decoder) }
        output.deallocate()
    }

    /// Whether ``decodeSome(of:)`` has more to give even without more input.
    private(set) var hasMore = false

    /// Decodes some of the input and moves it on.
    ///
    /// - Returns: At most 64 KiB, valid until the next call. Nothing when more input is needed.
    mutating func decodeSome(of input: inout UnsafeBufferPointer<UInt8>) throws(Broken) -> UnsafeBufferPointer<UInt8> {
        guard !input.isEmpty || hasMore else { return UnsafeBufferPointer(rebasing: output[..<0]) }
        let decoder = try start(with: input.first)
        var from = input.baseAddress
        var left = input.count
        var to = output.baseAddress
        var room = output.count
        let result = cdecoder_decode(decoder, &from, &left, &to, &room)
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

    private mutating func start(with first: UInt8?) throws(Broken) -> OpaquePointer {
        if let decoder { return decoder }
        let format: CDecoderFormat =
            switch coding {
            case .gzip: CDECODER_GZIP
            case .brotli: CDECODER_BROTLI
            // RFC 9110 means zlib; some servers send the bare stream. A zlib stream begins with its method, 8.
            case .deflate: (first ?? 8) & 0x0F == 8 ? CDECODER_ZLIB : CDECODER_RAW_DEFLATE
            }
        guard let created = cdecoder_create(format) else { throw Broken() }
        decoder = created
        return created
    }
}
#endif
