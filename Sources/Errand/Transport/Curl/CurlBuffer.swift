#if canImport(CCurl)
/// What became of a piece of a body.
enum CurlReceipt: Sendable {
    case taken
    /// Not now: the reader has to catch up first.
    case notYet
    /// The transfer is to end.
    case refused
}

/// The body of a buffered answer: collected, decoded as it comes, and bounded.
struct CurlBuffer: ~Copyable {
    private(set) var data = Data()
    private let limit: Int
    private var decoder: ContentDecoder?

    /// The most that is set aside because a head promises it.
    private static let maximumReservation = 1 << 20

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { data.count }

    mutating func begin(expecting count: Int?, contentEncoding: String?) {
        if let count, count > 0 { data.reserveCapacity(min(count, limit, Self.maximumReservation)) }
        decoder = contentEncoding.flatMap { ContentDecoder(contentEncoding: $0) }
    }

    /// - Throws: `URLError` for a body that is too long, decoded, or not of its coding.
    mutating func receive(_ piece: UnsafeBufferPointer<UInt8>) throws(URLError) {
        guard decoder != nil else { return try append(piece) }
        var rest = piece
        repeat {
            guard let decoded = try? decoder?.decodeSome(of: &rest) else { throw URLError(.cannotDecodeContentData) }
            try append(decoded)
        } while !rest.isEmpty || decoder?.hasMore == true
    }

    /// - Throws: ``TransportFailure`` for a body that ends inside its coding.
    func finish(_ metrics: TransferMetrics) throws(TransportFailure) {
        do {
            try decoder?.finish()
        } catch {
            throw TransportFailure(URLError(.cannotDecodeContentData), metrics: metrics)
        }
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(URLError) {
        guard data.count + bytes.count <= limit else { throw URLError(.dataLengthExceedsMaximum) }
        data.append(bytes)
    }
}
#endif
