/// A decoder that returns pieces on demand and stores encoded bytes that it has not processed yet.
final class StreamDecoding {
    private var decoder: ContentDecoder
    private var rest: [UInt8] = []
    /// The number of encoded bytes that were decoded since the last output.
    private var barren = 0

    /// The maximum number of consecutive encoded bytes without output: 1 MiB. Without it, a peer could send such bytes
    /// forever, because each byte counts as progress.
    private static let mostBarren = 1 << 20

    /// Creates a decoder; `nil` if there is no coding or it is not supported.
    init?(contentEncoding: String) {
        guard let decoder = ContentDecoder(contentEncoding: contentEncoding) else { return nil }
        self.decoder = decoder
    }

    /// Whether output may be available without another piece.
    var hasMore: Bool { !rest.isEmpty || decoder.hasMore }

    /// Decodes part of the stored bytes and of `piece`, which follows them. The output has at most 64 KiB.
    ///
    /// - Returns: The decoded bytes; `nil` if another piece is needed.
    /// - Throws: `URLError` for a body that is invalid for its coding.
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

    /// Checks the end of the body.
    ///
    /// - Throws: `URLError` if the body is incomplete.
    func finish() throws(URLError) {
        do {
            try decoder.finish()
        } catch {
            throw URLError(.cannotDecodeContentData)
        }
    }
}
