#if canImport(CCurl)
/// The body of a collected response as received, with a size limit. It is decoded after it is complete, outside the
/// loop.
struct CollectedBody: Sendable {
    private(set) var data = Data()
    /// The content codings to undo, in the order in which they were applied.
    private(set) var codings: [ContentCoding] = []
    private let limit: Int

    /// The maximum capacity in bytes that is reserved because a head declares it.
    private static let maximumReservation = 1 << 20
    /// The maximum number of bytes that the waiting task decodes on its own actor: 256 KiB. A larger body is decoded on
    /// the global executor.
    private static let decodedInPlace = 256 << 10

    init(limit: Int) {
        self.limit = limit
    }

    mutating func begin(expecting count: Int?, codings: [ContentCoding]) {
        if let count, count > 0 { data.reserveCapacity(min(count, limit, Self.maximumReservation)) }
        self.codings = codings
    }

    /// Adds a piece of the body.
    ///
    /// - Throws: `URLError` for a body that is too long, with or without a content coding. A coded body may exceed the
    ///   limit by a small fraction, because no coding makes a body much longer.
    mutating func receive(_ piece: UnsafeBufferPointer<UInt8>) throws(URLError) {
        let slack = codings.isEmpty ? 0 : codedSlack
        guard data.count + piece.count - slack <= limit else { throw URLError(.dataLengthExceedsMaximum) }
        data.append(piece)
    }

    /// The number of bytes by which a coded body may exceed the limit.
    private var codedSlack: Int { limit / 64 + 4096 }

    /// Returns the body after undoing its content codings.
    ///
    /// - Parameter isOnLoop: Whether the task runs on the loop's thread, which must not decode.
    /// - Throws: `URLError` for a body that is too long, invalid for its codings, or incomplete.
    func decoded(isOnLoop: Bool) async throws -> Data {
        guard !codings.isEmpty else { return data }
        if !isOnLoop, let decoded = try decode(atMost: Self.decodedInPlace) { return decoded }
        // A small body may expand to a large one.
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { try decode(atMost: .max) ?? Data() }
    }

    /// - Returns: The decoded body; `nil` if it is longer than `count`, also before the last coding is undone.
    private func decode(atMost count: Int) throws -> Data? {
        var body = data
        for (index, coding) in codings.enumerated().reversed() {
            let slack = index == 0 ? 0 : codedSlack
            guard let decoded = try decode(body, coding, slack: slack, atMost: count) else { return nil }
            body = decoded
        }
        return body
    }

    private func decode(_ body: Data, _ coding: ContentCoding, slack: Int, atMost count: Int) throws -> Data? {
        var decoder = ContentDecoder(coding)
        var decoded = Data()
        do {
            try body.withUnsafeBytes { bytes in
                var rest = bytes.bindMemory(to: UInt8.self)
                repeat {
                    let part = try decoder.decodeSome(of: &rest)
                    guard decoded.count + part.count - slack <= limit else {
                        throw URLError(.dataLengthExceedsMaximum)
                    }
                    decoded.append(part)
                } while (!rest.isEmpty || decoder.hasMore) && decoded.count <= count
            }
            guard decoded.count <= count else { return nil }
            try decoder.finish()
        } catch is ContentDecoder.Broken {
            throw URLError(.cannotDecodeContentData)
        }
        return decoded
    }
}
#endif
