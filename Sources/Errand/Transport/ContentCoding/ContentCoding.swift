import CCompression

/// A content coding that this system can decode (RFC 9110, section 8.4.1).
enum ContentCoding: Sendable {
    case gzip, deflate, brotli, zstandard

    /// The codings that this system can decode, as the value of an `Accept-Encoding` field.
    static let accepted =
        "gzip, deflate" + (cdecoder_supports(CDECODER_BROTLI) ? ", br" : "")
        + (cdecoder_supports(CDECODER_ZSTANDARD) ? ", zstd" : "")

    /// The maximum number of codings of a body: 5. No real response has more, and libcurl rejects them too.
    static let limit = 5

    /// Returns the codings to undo, in the order in which they were applied, from the value of a `Content-Encoding`
    /// field. Empty elements of the list are ignored (RFC 9110, section 5.6.1.2), and so is `identity`.
    ///
    /// - Returns: The codings; empty if there are none. Also empty if the only coding is unknown: such a body is
    ///   delivered as received, so that the caller can decode it.
    /// - Throws: `URLError` for more than ``limit`` codings, and for several codings of which one is unknown. In both
    ///   cases, no caller expects the remaining bytes.
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
