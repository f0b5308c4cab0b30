#if canImport(CCurl)
/// A request body from which libcurl reads.
///
/// A body in memory is passed on unchanged. A separate task reads a stream ahead, until ``readAhead`` bytes or
/// ``maximumPieces`` pieces wait. If libcurl reads before the next piece has arrived, the transfer pauses until then.
final class CurlUpload: Sendable {
    enum Reading {
        /// The number of bytes that were copied; 0 is the end.
        case bytes(Int)
        case nothingYet
        case failed
    }

    /// The number of waiting bytes at which reading ahead stops: 128 KiB.
    static let readAhead = 128 << 10
    /// The number of waiting pieces at which reading ahead stops.
    static let maximumPieces = 4_096

    fileprivate struct State {
        /// The pieces that were not completely sent.
        var pieces = Queue<Data>()
        /// The number of bytes of the first piece that were sent.
        var offset = 0
        /// The number of bytes that were read ahead and not yet sent.
        var waiting = 0
        var hasEnded = false
        /// The trailer fields after the body as lines, once it has ended.
        var trailerLines: [String] = []
        var failure: (any Error)?
        var sent: Int64 = 0
        var isPaused = false
        /// The continuation of the task that reads ahead while it waits for room.
        var producer: CheckedContinuation<Void, Never>?
    }

    /// The body, if it is in memory: it can be sent again.
    private let data: Data?
    /// The size of the body in bytes; `nil` if it is unknown.
    let count: Int64?
    /// The state that the task that reads ahead shares with the loop's thread.
    private let state: Locked<State>
    private let progress: TransferProgress?
    /// Creates the trailer fields after the body, in the task that reads ahead; `nil` for none.
    let trailers: (@Sendable () throws -> HeaderFields)?
    /// Called when a paused transfer can continue.
    private let resume: @Sendable () -> Void
    /// The task that reads a stream ahead; `nil` for a body in memory.
    private let readAheadTask = Locked<Task<Void, Never>?>(nil)

    init(_ data: Data, progress: TransferProgress?) {
        self.data = data
        count = Int64(data.count)
        state = Locked(State(pieces: Queue([data]), waiting: data.count, hasEnded: true))
        self.progress = progress
        trailers = nil
        resume = {}
    }

    /// Creates an upload and starts to read ahead.
    ///
    /// - Parameter resume: Called when a paused transfer can continue.
    init(
        _ read: @escaping BodyStream.Reader, count: Int?, trailers: (@Sendable () throws -> HeaderFields)? = nil,
        progress: TransferProgress?, resume: @escaping @Sendable () -> Void
    ) {
        data = nil
        self.count = count.map(Int64.init)
        self.trailers = trailers
        state = Locked(State())
        self.progress = progress
        self.resume = resume
        let task = Task { await self.produce(read) }
        readAheadTask.withLock { $0 = task }
    }

    /// Whether libcurl has read the whole body.
    var isGiven: Bool {
        state.withLock { state in
            count.map { state.sent >= $0 } ?? (state.hasEnded && state.waiting == 0)
        }
    }

    /// Whether libcurl waits for the next bytes of the body.
    var isPaused: Bool { state.withLock { $0.isPaused } }

    /// The error of the body or of its trailer fields.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Stops reading ahead.
    func cancel() {
        readAheadTask.withLock { $0 }?.cancel()
        let producer = state.withLock { state in
            defer { state.producer = nil }
            return state.producer
        }
        producer?.resume()
    }

    /// Stops the upload because the server has responded and does not want the rest. The transfer is resumed, because a
    /// paused transfer would wait forever.
    func stop() {
        cancel()
        resume()
    }

    /// Copies the next bytes. Only the loop's thread calls it.
    func read(into room: UnsafeMutableRawBufferPointer) -> Reading {
        let (reading, sent, producer) = state.withLock { state in
            let reading = state.take(into: room)
            var producer: CheckedContinuation<Void, Never>?
            if state.hasRoom { swap(&producer, &state.producer) }
            return (reading, state.sent, producer)
        }
        producer?.resume()
        if case .bytes = reading { progress?.update(.init(completed: sent, total: count)) }
        return reading
    }

    /// The trailer fields as lines, once the body has ended.
    var trailerLines: [String] { state.withLock { $0.trailerLines } }

    /// Creates the trailer fields as lines.
    private func makeTrailerLines() throws -> [String] {
        let fields = try trailers?() ?? [:]
        for field in fields { try RequestCheck.check(field: field) }
        return fields.map { "\($0.name): \($0.value)" }
    }

    /// Moves back in the body to send it again. A stream cannot move: returns `false` unless it is already at the
    /// offset.
    func seek(to offset: Int) -> Bool {
        state.withLock { state in
            guard let data, offset <= data.count else { return state.sent == Int64(offset) }
            state.pieces = Queue([data])
            state.offset = offset
            state.sent = Int64(offset)
            state.waiting = data.count - offset
            return true
        }
    }

    /// Reads the stream ahead until it ends or fails, or the upload is cancelled.
    private func produce(_ read: BodyStream.Reader) async {
        var isOver = false
        while !isOver, !Task.isCancelled {
            var lines: [String] = []
            let outcome: Result<Data?, any Error>
            do {
                let piece = try await read()
                if piece == nil { lines = try makeTrailerLines() }
                outcome = .success(piece)
            } catch {
                outcome = .failure(error)
            }
            // After cancellation, the result of the reader is not the reason for the end of the transfer.
            if Task.isCancelled { return }
            let wasPaused = state.withLock { state in
                state.add(outcome)
                state.trailerLines = lines
                isOver = state.hasEnded || state.failure != nil
                defer { state.isPaused = false }
                return state.isPaused
            }
            if wasPaused { resume() }
            if !isOver { await waitForRoom() }
        }
    }

    /// Waits until libcurl has read enough, or the upload is cancelled.
    private func waitForRoom() async {
        await withCheckedContinuation { continuation in
            let hasRoom = state.withLock { state in
                let hasRoom = state.hasRoom || Task.isCancelled
                if !hasRoom { state.producer = continuation }
                return hasRoom
            }
            if hasRoom { continuation.resume() }
        }
    }
}

extension CurlUpload.State {
    /// Whether reading ahead may continue.
    fileprivate var hasRoom: Bool {
        waiting < CurlUpload.readAhead && pieces.count < CurlUpload.maximumPieces
    }

    fileprivate mutating func add(_ outcome: Result<Data?, any Error>) {
        switch outcome {
        case .success(let piece?) where piece.isEmpty: break
        case .success(let piece?):
            pieces.append(piece)
            waiting += piece.count
        case .success(nil): hasEnded = true
        case .failure(let error): failure = error
        }
    }

    /// Fills the buffer as far as possible.
    fileprivate mutating func take(into room: UnsafeMutableRawBufferPointer) -> CurlUpload.Reading {
        if failure != nil { return .failed }
        var filled = 0
        while filled < room.count, let piece = pieces.first {
            let count = min(room.count - filled, piece.count - offset)
            piece.withUnsafeBytes { bytes in
                let part = UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
                UnsafeMutableRawBufferPointer(rebasing: room[filled...]).copyMemory(from: part)
            }
            filled += count
            offset += count
            if offset == piece.count {
                pieces.popFirst()
                offset = 0
            }
        }
        waiting -= filled
        sent += Int64(filled)
        if filled > 0 { return .bytes(filled) }
        isPaused = !hasEnded
        return hasEnded ? .bytes(0) : .nothingYet
    }
}
#endif
