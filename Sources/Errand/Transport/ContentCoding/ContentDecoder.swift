#if canImport(CCompression)
import CCompression

/// Undoes the content codings of a body (RFC 9110, section 8.4), piece by piece.
///
/// libcurl could do it, but takes a body that is cut short inside its gzip for whole. This one is asked at the end.
struct ContentDecoder: ~Copyable {
    /// What went wrong.
    enum Failure: Error {
        /// The body is not of its coding, or ends inside it.
        case broken
        /// The sink wants no more.
        case stopped
    }

    /// What this system can decode, as an `Accept-Encoding`.
    static let accepted = cdecoder_supports(CDECODER_BROTLI) ? "gzip, deflate, br" : "gzip, deflate"

    private let coding: Coding
    private var decoder: OpaquePointer?
    private var isWhole = false
    private var hasStarted = false
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

    /// Decodes a piece and hands on what comes of it, at most 64 KiB at a time.
    ///
    /// - Parameter sink: Returns false to stop.
    mutating func decode(
        _ piece: UnsafeBufferPointer<UInt8>, into sink: (UnsafeBufferPointer<UInt8>) -> Bool
    ) throws(Failure) {
        guard let base = piece.baseAddress, piece.count > 0 else { return }
        hasStarted = true
        let decoder = try start(with: piece[0])
        var input: UnsafePointer<UInt8>? = base
        var left = piece.count
        while true {
            var next = output.baseAddress
            var room = output.count
            let result = cdecoder_decode(decoder, &input, &left, &next, &room)
            let count = output.count - room
            if count > 0, !sink(UnsafeBufferPointer(start: output.baseAddress, count: count)) { throw .stopped }
            guard result != CDECODER_BROKEN else { throw .broken }
            isWhole = result == CDECODER_END
            if left == 0, room > 0 || isWhole { return }
        }
    }

    /// Says that the body has ended.
    ///
    /// - Throws: `broken` when it ended too early. A body of no bytes at all is no coding, and passes.
    func finish() throws(Failure) {
        guard isWhole || !hasStarted else { throw .broken }
    }

    private mutating func start(with first: UInt8) throws(Failure) -> OpaquePointer {
        if let decoder { return decoder }
        let format: CDecoderFormat =
            switch coding {
            case .gzip: CDECODER_GZIP
            case .brotli: CDECODER_BROTLI
            // RFC 9110 means zlib; some servers send the bare stream. A zlib stream begins with its method, 8.
            case .deflate: first & 0x0F == 8 ? CDECODER_ZLIB : CDECODER_RAW_DEFLATE
            }
        guard let created = cdecoder_create(format) else { throw .broken }
        decoder = created
        return created
    }
}
#endif
