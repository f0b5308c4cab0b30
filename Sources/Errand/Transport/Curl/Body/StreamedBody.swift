#if canImport(CCurl)
/// A streamed body between the loop's thread, which fills it, and the one task that reads it.
///
/// What it holds is as it was on the wire; the content coding is undone as the reader asks, so that a small body that
/// expands does so piece by piece.
final class StreamedBody: Sendable {
    private let transfer: CurlTransfer
    private let engine: CurlEngine
    private let transport: CurlTransport
    let trailers = ResponseTrailers()
    private let buffer = BodyBuffer(capacity: CurlTransport.bodyBufferSize)
    /// Touched by the reader alone, once the head was given.
    private let decoding = Locked<StreamDecoding?>(nil)

    /// - Parameter transport: Kept alive, and with it the engine, as long as somebody may read.
    init(_ transfer: CurlTransfer, of engine: CurlEngine, keeping transport: CurlTransport) {
        self.transfer = transfer
        self.engine = engine
        self.transport = transport
    }
}

// The loop's side.
extension StreamedBody {
    func begin(contentEncoding: String?) {
        guard let contentEncoding else { return }
        decoding.withLock { $0 = StreamDecoding(contentEncoding: contentEncoding) }
    }

    /// Whether a piece may come; where it may not, the engine is told when there is room again.
    ///
    /// - Parameter count: How many bytes are to come besides.
    func hasRoom(besides count: Int) -> Bool { buffer.hasRoom(besides: count) }

    func add(_ piece: Data) {
        buffer.add(piece)
    }

    func end(_ result: Result<Void, any Error>) {
        buffer.end(result)
    }
}

// The reader's side.
extension StreamedBody {
    /// The body as its reader sees it; letting go of the last copy ends the transfer.
    var sequence: ResponseBody {
        let lease = StreamedBodyLease(self)
        return ResponseBody { try await lease.body.next() }
    }

    /// Ends the transfer, unless it is over.
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

    /// Decodes on the global executor: decoding must block neither the reader's actor nor the loop's thread, on which tasks of
    /// the transport's executor run.
    private func decode(_ piece: Data?) async throws -> Data? {
        do {
            // As from the buffer, a reader that is cancelled gets no more, however much is left of a piece; one that was just
            // taken is not lost.
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

/// Held by whoever may still read; when the last goes, so does the transfer.
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
