#if canImport(CCompression)
/// A decoder that is asked for pieces, and holds the encoded bytes that it has not come to yet.
final class StreamDecoding {
    private var decoder: ContentDecoder
    private var rest: [UInt8] = []

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
