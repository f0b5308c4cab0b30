#if canImport(CCurl)
/// What became of a piece of a body.
enum CurlReceipt: Sendable {
    case taken
    /// Not now: the reader has to catch up first.
    case notYet
    /// The transfer is to end.
    case refused
}

/// What has come of a streamed body and was not handed over yet. A pure value.
///
/// libcurl gives 16 KiB at a time of what it has read from the socket, and to wake a reader for each costs more than all the rest:
/// it gets what a round of the loop has brought, or half of what may wait for it, so that it has something to do while more comes.
struct CurlPiece {
    private var data = Data()
    private var hasReserve = false

    /// From how many bytes on it is handed over before the round is over: 128 KiB.
    static let size = CurlTransport.bodyBufferSize / 2
    /// The most that libcurl gives at once (`CURL_MAX_WRITE_SIZE`).
    private static let largestPart = 16 << 10

    var count: Int { data.count }
    var isEmpty: Bool { data.isEmpty }
    var isFull: Bool { data.count >= Self.size }

    mutating func append(_ part: UnsafeBufferPointer<UInt8>) {
        // Behind a whole one there is mostly more; many small ones are those of a server that sends so.
        if !hasReserve, data.count >= Self.largestPart {
            data.reserveCapacity(Self.size)
            hasReserve = true
        }
        data.append(part)
    }

    /// All of it, in no more memory than it needs: what waits for a reader is counted by its bytes.
    mutating func take() -> Data {
        defer { self = CurlPiece() }
        return hasReserve && !isFull ? data.withUnsafeBytes { Data($0) } : data
    }
}
#endif
