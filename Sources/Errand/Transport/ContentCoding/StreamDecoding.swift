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
        // The last stage that has something left comes first, so that no other stage stores more than one output.
        while let index = stages.lastIndex(where: { $0.hasMore }) {
            guard let decoded = try stages[index].next() else { continue }
            guard index + 1 < stages.count else {
                for stage in stages { stage.barren = 0 }
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
    private var rest: [UInt8] = []
    /// The number of encoded bytes that this stage has decoded since the last output of the last stage.
    var barren = 0

    /// The maximum number of consecutive encoded bytes without output: 1 MiB. Without it, a peer could send such bytes
    /// forever, because each byte counts as progress.
    private static let mostBarren = 1 << 20

    init(_ coding: ContentCoding) {
        decoder = ContentDecoder(coding)
    }

    var hasMore: Bool { !rest.isEmpty || decoder.hasMore }

    func append(_ piece: Data) {
        rest.append(contentsOf: piece)
    }

    /// Returns at most 64 KiB of decoded bytes; `nil` if more input is needed.
    func next() throws(URLError) -> Data? {
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
        barren += used
        guard decoded.isEmpty else { return decoded }
        guard barren <= Self.mostBarren else { throw URLError(.cannotDecodeContentData) }
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
