#if canImport(CCurl)
/// The body of a collected response as received, with a size limit. It is decoded after it is complete, outside the
/// loop.
struct CollectedBody: Sendable {
    private(set) var data = Data()
    /// The content coding to decode; `nil` for none.
    private(set) var contentEncoding: String?
    private let limit: Int

    /// The maximum capacity in bytes that is reserved because a head declares it.
    private static let maximumReservation = 1 << 20
    /// The maximum number of bytes that the waiting task decodes on its own actor: 256 KiB. A larger body is decoded on
    /// the global executor.
    private static let decodedInPlace = 256 << 10

    init(limit: Int) {
        self.limit = limit
    }

    mutating func begin(expecting count: Int?, contentEncoding: String?) {
        if let count, count > 0 { data.reserveCapacity(min(count, limit, Self.maximumReservation)) }
        self.contentEncoding = contentEncoding
    }

    /// Adds a piece of the body.
    ///
    /// - Throws: `URLError` for a body that is too long, with or without a content coding. A coded body may exceed the
    ///   limit by a small fraction, because no coding makes a body much longer.
    mutating func receive(_ piece: UnsafeBufferPointer<UInt8>) throws(URLError) {
        let slack = contentEncoding == nil ? 0 : limit / 64 + 4096
        guard data.count + piece.count - slack <= limit else { throw URLError(.dataLengthExceedsMaximum) }
        data.append(piece)
    }

    /// Returns the body after decoding its content coding.
    ///
    /// - Parameter isOnLoop: Whether the task runs on the loop's thread, which must not decode.
    /// - Throws: `URLError` for a body that is too long, invalid for its coding, or incomplete.
    func decoded(isOnLoop: Bool) async throws -> Data {
        guard let contentEncoding else { return data }
        if !isOnLoop, let decoded = try decode(contentEncoding, atMost: Self.decodedInPlace) { return decoded }
        // A small body may expand to a large one.
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try decode(contentEncoding, atMost: .max) ?? Data()
        }
    }

    /// - Returns: The decoded body; `nil` if it is longer than `count`.
    private func decode(_ contentEncoding: String, atMost count: Int) throws -> Data? {
        guard var decoder = ContentDecoder(contentEncoding: contentEncoding) else { return data }
        var decoded = Data()
        do {
            try data.withUnsafeBytes { bytes in
                var rest = bytes.bindMemory(to: UInt8.self)
                repeat {
                    let part = try decoder.decodeSome(of: &rest)
                    guard part.count <= limit - decoded.count else { throw URLError(.dataLengthExceedsMaximum) }
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
