#if canImport(CCompression)
/// A decoder that is asked for pieces, and holds the encoded bytes that it has not come to yet.
final class StreamDecoding {
    private var decoder: ContentDecoder
    private var rest: [UInt8] = []
    /// How many bytes were decoded to nothing since the last that were decoded to something.
    private var barren = 0

    /// The most encoded bytes in a row that may give nothing: 1 MiB. A peer can send such bytes for ever, and each would count as
    /// progress.
    private static let mostBarren = 1 << 20

    /// Nil when there is nothing to undo, or nothing that is known here.
    init?(contentEncoding: String) {
        guard let decoder = ContentDecoder(contentEncoding: contentEncoding) else { return nil }
        self.decoder = decoder
    }

    /// Whether something may be decoded without another piece.
    var hasMore: Bool { !rest.isEmpty || decoder.hasMore }

    /// Decodes some of what is left, and of `piece` behind it: at most 64 KiB.
    ///
    /// - Returns: Nil when another piece is needed.
    /// - Throws: `URLError` for a body that is not of its coding.
    func next(after piece: Data?) throws(URLError) -> Data? {
        if let piece { rest.append(contentsOf: piece) }
        var decoded = Data()
        var used = 0
        do {
            try rest.withUnsafeBufferPointer { bytes in
                var input = bytes
                repeat {
                    decoded = Data(try decoder.decodeSome(of: &input))
                } while decoded.isEmpty && !input.isEmpty
                used = bytes.count - input.count
            }
        } catch {
            throw URLError(.cannotDecodeContentData)
        }
        rest.removeFirst(used)
        barren = decoded.isEmpty ? barren + used : 0
        guard barren <= Self.mostBarren else { throw URLError(.cannotDecodeContentData) }
        return decoded.isEmpty ? nil : decoded
    }

    /// Says that the body has ended.
    ///
    /// - Throws: `URLError` when it ended too early.
    func finish() throws(URLError) {
        do {
            try decoder.finish()
        } catch {
            throw URLError(.cannotDecodeContentData)
        }
    }
}
#endif
