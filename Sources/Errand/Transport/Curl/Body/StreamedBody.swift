#if canImport(CCurl)
/// A streamed body, shared between the loop's thread, which fills it, and the one task that reads it.
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
    /// - Parameter transport: Kept alive, together with the engine, as long as the body can be read.
    init(_ transfer: CurlTransfer, of engine: CurlEngine, keeping transport: CurlTransport) {
        self.transfer = transfer
        self.engine = engine
        self.transport = transport
    }
}

// The interface for the loop.
extension StreamedBody {
    func begin(codings: [ContentCoding]) {
        guard !codings.isEmpty else { return }
        decoding.withLock { $0 = StreamDecoding(codings) }
    }

    /// Returns whether the buffer accepts a piece. If not, the engine is notified when there is room again.
    ///
    /// - Parameter count: The number of bytes that are not in the buffer yet but will be added.
    func hasRoom(besides count: Int) -> Bool { buffer.hasRoom(besides: count) }

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

    /// Decodes on the global executor. Decoding must block neither the reader's actor nor the loop's thread, on which
    /// tasks of the transport's executor run.
    private func decode(_ piece: Data?) async throws -> Data? {
        do {
            // As with the buffer, a cancelled reader gets no more data, even if part of a piece is left. A piece that
            // was just taken is not lost.
            if piece == nil, Task.isCancelled { throw URLError(.cancelled) }
            return try await withTaskExecutorPreference(globalConcurrentExecutor) {
                try await decodeElsewhere(piece)
            }
        } catch {
            abandon()
            throw error
        }
    }

    @concurrent private func decodeElsewhere(_ piece: Data?) async throws -> Data? {
        try decoding.withLock { try $0?.next(after: piece) }
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
