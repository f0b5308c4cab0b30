#if canImport(CCurl)
/// The result of offering a piece of a body.
enum CurlReceipt: Sendable {
    case taken
    /// The piece was not accepted. It is offered again after the reader has caught up, or other transfers had their
    /// turn.
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
        // A round with this much data usually has more. Less comes from a server that sends slowly or little, and needs
        // no reserve.
        if !hasReserve, data.count >= Self.largestPart {
            data.reserveCapacity(Self.size)
            hasReserve = true
        }
        data.append(part)
    }

    /// Returns all data, without the reserve: the buffer of the reader counts bytes, not capacity.
    mutating func take() -> Data {
        defer { self = CurlPiece() }
        return hasReserve && !isFull ? data.withUnsafeBytes { Data($0) } : data
    }
}

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
        // A small body may expand to a large one. The closure does not run on the caller's actor.
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { try decode(atMost: .max) ?? Data() }
    }

    /// - Returns: The decoded body; `nil` if it, or the result of a coding before the last, is longer than `count`.
    private func decode(atMost count: Int) throws -> Data? {
        var body = data
        for (index, coding) in codings.enumerated().reversed() {
            // Only the last result is the body itself; those before it are still coded.
            let slack = index == 0 ? 0 : codedSlack
            guard let decoded = try decode(body, coding, slack: slack, atMost: count) else { return nil }
            body = decoded
        }
        return body
    }

    /// Undoes one coding; returns `nil` if the result is longer than `count`.
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

/// A streamed body, shared between the loop's thread, which fills it, and the one task that reads it.
///
/// The transfer and its body hold each other until the transfer ends.
///
/// It holds data as received. The content codings are undone when the reader reads, so that a small body that expands
/// does so piece by piece.
final class StreamedBody: Sendable {
    private let transfer: CurlTransfer
    private let engine: CurlEngine
    private let transport: CurlTransport
    let trailers = ResponseTrailers()
    private let buffer = BodyBuffer(capacity: CurlTransport.bodyBufferSize)
    /// Used only by the reader after the head was delivered.
    private let decoding = Locked<StreamDecoding?>(nil)

    /// Creates the body of a transfer.
    ///
    /// - Parameter transport: Retained as long as the body can be read, because its deinitialization shuts the engine
    ///   down.
    init(_ transfer: CurlTransfer, of engine: CurlEngine, keeping transport: CurlTransport) {
        self.transfer = transfer
        self.engine = engine
        self.transport = transport
    }
}

// The interface for the loop.
extension StreamedBody {
    /// Prepares decoding, before the head is delivered.
    func begin(codings: [ContentCoding]) {
        guard !codings.isEmpty else { return }
        decoding.withLock { $0 = StreamDecoding(codings) }
    }

    /// Returns whether the buffer accepts a piece. If not, the engine is notified when there is room again.
    ///
    /// - Parameter count: The number of bytes that are not in the buffer yet but will be added.
    func checkRoom(besides count: Int) -> Bool { buffer.checkRoom(besides: count) }

    func add(_ piece: Data) {
        buffer.add(piece)
    }

    func end(_ result: Result<Void, any Error>) {
        buffer.end(result)
    }
}

// The interface for the reader.
extension StreamedBody {
    /// The body for the reader. The transfer is cancelled when the last copy is released.
    var sequence: ResponseBody {
        let lease = StreamedBodyLease(self)
        return ResponseBody { try await lease.body.next() }
    }

    /// Cancels the transfer unless it has ended.
    func abandon() {
        engine.submit(.cancel(transfer))
    }

    private func next() async throws -> Data? {
        while true {
            if hasMoreToDecode, let decoded = try await decode(nil) { return decoded }
            switch await buffer.next(orAbandon: { self.abandon() }) {
            case .piece(let piece, let hasRoomAgain):
                if hasRoomAgain { engine.submit(.resumeBody(transfer)) }
                guard isCoded else { return piece }
                if let decoded = try await decode(piece) { return decoded }
            case .end(let result):
                try result.get()
                try decoding.withLock { try $0?.finish() }
                return nil
            }
        }
    }

    private var isCoded: Bool { decoding.withLock { $0 != nil } }
    private var hasMoreToDecode: Bool { decoding.withLock { $0?.hasMore == true } }

    /// Decodes a piece, or for `nil` the rest of an earlier piece, on the global executor. Decoding must block neither
    /// the reader's actor nor the loop's thread, on which tasks of the transport's executor run.
    private func decode(_ piece: Data?) async throws -> Data? {
        do {
            // A cancelled reader does not get the rest of an earlier piece. A piece that was just taken from the buffer
            // is decoded nevertheless.
            if piece == nil, Task.isCancelled { throw URLError(.cancelled) }
            return try await withTaskExecutorPreference(globalConcurrentExecutor) {
                try decoding.withLock { try $0?.next(after: piece) }
            }
        } catch {
            abandon()
            throw error
        }
    }
}

/// A reference that every copy of the body holds; its deinitialization cancels the transfer.
private final class StreamedBodyLease: Sendable {
    let body: StreamedBody

    init(_ body: StreamedBody) {
        self.body = body
    }

    deinit {
        body.abandon()
    }
}
#endif
