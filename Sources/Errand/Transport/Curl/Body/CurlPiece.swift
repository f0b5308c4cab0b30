#if canImport(CCurl)
/// The result of offering a piece of a body.
enum CurlReceipt: Sendable {
    case taken
    /// The piece was not accepted, because the reader must catch up first.
    case notYet
    /// The piece was rejected, and the transfer ends.
    case refused
}

/// The received data of a streamed body that the reader has not been given yet. A pure value.
///
/// libcurl delivers at most 16 KiB at a time, and waking the reader for each of these parts costs more than all other
/// work. So the reader gets the data of one loop round, or half of the buffer size. It then has data to process while
/// more arrives.
struct CurlPiece {
    private var data = Data()
    private var hasReserve = false

    /// The number of bytes at which data is passed on before the round ends: 128 KiB.
    static let size = CurlTransport.bodyBufferSize / 2
    /// The maximum number of bytes that libcurl delivers at once (`CURL_MAX_WRITE_SIZE`).
    private static let largestPart = 16 << 10

    var count: Int { data.count }
    var isEmpty: Bool { data.isEmpty }
    var isFull: Bool { data.count >= Self.size }

    mutating func append(_ part: UnsafeBufferPointer<UInt8>) {
        // After a full part, more data usually follows. Small parts come from a server that sends small parts, and need
        // no reserve.
        if !hasReserve, data.count >= Self.largestPart {
            data.reserveCapacity(Self.size)
            hasReserve = true
        }
        data.append(part)
    }

    /// Returns all data, without spare capacity: the buffer of the reader counts bytes, not capacity.
    mutating func take() -> Data {
        defer { self = CurlPiece() }
        return hasReserve && !isFull ? data.withUnsafeBytes { Data($0) } : data
    }
}
#endif
