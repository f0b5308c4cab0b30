#if canImport(CCurl)
/// A streamed body between the loop's thread, which fills it, and the one task that reads it.
///
/// What it holds is as it was on the wire; the content coding is undone as the reader asks, so that a small body that
/// expands does so piece by piece.
final class CurlBody: Sendable {
    private struct State: Sendable {
        var pieces: [Data] = []
        var count = 0
        var end: Result<Void, any Error>?
        var isPaused = false
        /// One, unless the body is iterated twice at once, which nobody should.
        var readers: [CheckedContinuation<Void, Never>] = []

        mutating func add(_ piece: Data) -> (CurlReceipt, [CheckedContinuation<Void, Never>]) {
            if count >= CurlTransport.bodyBufferSize {
                isPaused = true
                return (.notYet, [])
            }
            pieces.append(piece)
            count += piece.count
            defer { readers = [] }
            return (.taken, readers)
        }
    }

    private enum Taking {
        case piece(Data, resumes: Bool)
        case end(Result<Void, any Error>)
        case nothingYet
    }

    private let transfer: CurlTransfer
    private let engine: CurlEngine
    private let transport: CurlTransport
    /// Guards what the loop's thread and the reader share.
    private let state = Locked(State())
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
extension CurlBody {
    func begin(contentEncoding: String?) {
        guard let contentEncoding else { return }
        decoding.withLock { $0 = StreamDecoding(contentEncoding: contentEncoding) }
    }

    func receive(_ bytes: UnsafeBufferPointer<UInt8>) -> CurlReceipt {
        let piece = Data(bytes)
        let (receipt, readers) = state.withLock { $0.add(piece) }
        for reader in readers { reader.resume() }
        return receipt
    }

    func end(_ result: Result<Void, any Error>) {
        let readers = state.withLock { state in
            state.end = result
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.resume() }
    }
}

// The reader's side.
extension CurlBody {
    /// The body as its reader sees it; letting go of the last copy ends the transfer.
    var sequence: ResponseBody {
        let lease = CurlBodyLease(self)
        return ResponseBody { try await lease.body.next() }
    }

    /// Ends the transfer, unless it is over.
    func abandon() {
        engine.submit(.cancel(transfer))
    }

    private func next() async throws -> Data? {
        while true {
            if let decoded = try decode(nil) { return decoded }
            switch take() {
            case .piece(let piece, let resumes):
                if resumes { engine.submit(.resumeBody(transfer)) }
                guard decoding.withLock({ $0 != nil }) else { return piece }
                if let decoded = try decode(piece) { return decoded }
            case .end(let result):
                try result.get()
                try decoding.withLock { try $0?.finish() }
                return nil
            case .nothingYet:
                try await waitForMore()
            }
        }
    }

    private func decode(_ piece: Data?) throws -> Data? {
        do {
            return try decoding.withLock { try $0?.next(after: piece) }
        } catch {
            abandon()
            throw error
        }
    }

    private func take() -> Taking {
        state.withLock { state in
            guard !state.pieces.isEmpty else { return state.end.map { .end($0) } ?? .nothingYet }
            let piece = state.pieces.removeFirst()
            state.count -= piece.count
            let resumes = state.isPaused && state.count <= CurlTransport.bodyBufferSize / 2
            if resumes { state.isPaused = false }
            return .piece(piece, resumes: resumes)
        }
    }

    private func waitForMore() async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasMore = state.withLock { state in
                    let hasMore = !state.pieces.isEmpty || state.end != nil
                    if !hasMore { state.readers.append(continuation) }
                    return hasMore
                }
                if hasMore { continuation.resume() }
            }
        } onCancel: {
            // The loop answers with the end of the body, which wakes the reader.
            abandon()
        }
    }
}

/// Held by whoever may still read; when the last goes, so does the transfer.
private final class CurlBodyLease: Sendable {
    let body: CurlBody

    init(_ body: CurlBody) {
        self.body = body
    }

    deinit {
        body.abandon()
    }
}
#endif
