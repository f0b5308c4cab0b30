#if canImport(CCurl)
/// The body of a request, as libcurl asks for it.
///
/// Data is there. A stream is read ahead by a task of its own into at most two pieces; when libcurl finds nothing, the
/// transfer pauses, and the next piece resumes it.
final class CurlUpload: Sendable {
    enum Reading {
        /// So many were given; 0 is the end.
        case bytes(Int)
        case nothingYet
        case failed
    }

    fileprivate struct State {
        var pieces: [Data]
        /// How far the first piece has been given.
        var offset = 0
        var hasEnded: Bool
        var failure: (any Error)?
        var sent: Int64 = 0
        var isPaused = false
        /// The task that waits for room.
        var producer: CheckedContinuation<Void, Never>?
    }

    /// How many bytes there are in all; nil when that is not known.
    let count: Int64?
    /// Guards what the task that reads ahead and the loop's thread share.
    private let state: Locked<State>
    private let isData: Bool
    private let progress: TransferProgress?
    /// Called when a paused transfer can go on.
    private let resume: @Sendable () -> Void
    private let pump = Locked<Task<Void, Never>?>(nil)

    init(_ data: Data, progress: TransferProgress?) {
        count = Int64(data.count)
        isData = true
        state = Locked(State(pieces: data.isEmpty ? [] : [data], hasEnded: true))
        self.progress = progress
        resume = {}
    }

    /// Begins to read ahead.
    ///
    /// - Parameter resume: Called when a paused transfer can go on.
    init(
        _ read: @escaping BodyStream.Reader, count: Int?, progress: TransferProgress?,
        resume: @escaping @Sendable () -> Void
    ) {
        self.count = count.map(Int64.init)
        isData = false
        state = Locked(State(pieces: [], hasEnded: false))
        self.progress = progress
        self.resume = resume
        let task = Task { await self.readAhead(read) }
        pump.withLock { $0 = task }
    }

    /// Why the body could not be read.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Stops reading ahead.
    func cancel() {
        pump.withLock { $0 }?.cancel()
        let producer = state.withLock { state in
            defer { state.producer = nil }
            return state.producer
        }
        producer?.resume()
    }

    /// Says that the server has answered and wants no more. libcurl then waits for ever for what it was told to wait for,
    /// unless that is taken back.
    func stop() {
        cancel()
        resume()
    }

    /// Gives the next bytes; for the loop's thread.
    func read(into room: UnsafeMutableRawBufferPointer) -> Reading {
        let (reading, sent, producer) = state.withLock { state in
            let reading = state.take(into: room)
            var producer: CheckedContinuation<Void, Never>?
            if state.pieces.count < 2 { swap(&producer, &state.producer) }
            return (reading, state.sent, producer)
        }
        producer?.resume()
        if case .bytes = reading { progress?.update(.init(completed: sent, total: count)) }
        return reading
    }

    /// Goes back, to send it again; a stream cannot.
    func seek(to offset: Int) -> Bool {
        state.withLock { state in
            guard isData, offset <= Int(count ?? 0) else { return state.sent == Int64(offset) }
            state.offset = offset
            state.sent = Int64(offset)
            return true
        }
    }

    private func readAhead(_ read: BodyStream.Reader) async {
        var isOver = false
        while !isOver, !Task.isCancelled {
            let outcome: Result<Data?, any Error>
            do { outcome = .success(try await read()) } catch { outcome = .failure(error) }
            // What was cut off because the transfer is over is not why it ended.
            if Task.isCancelled { return }
            let wasPaused = state.withLock { state in
                state.add(outcome)
                isOver = state.hasEnded || state.failure != nil
                defer { state.isPaused = false }
                return state.isPaused
            }
            if wasPaused { resume() }
            if !isOver { await waitForRoom() }
        }
    }

    private func waitForRoom() async {
        await withCheckedContinuation { continuation in
            let hasRoom = state.withLock { state in
                let hasRoom = state.pieces.count < 2 || Task.isCancelled
                if !hasRoom { state.producer = continuation }
                return hasRoom
            }
            if hasRoom { continuation.resume() }
        }
    }
}

extension CurlUpload.State {
    fileprivate mutating func add(_ outcome: Result<Data?, any Error>) {
        switch outcome {
        case .success(let piece?): pieces.append(piece)
        case .success(nil): hasEnded = true
        case .failure(let error): failure = error
        }
    }

    fileprivate mutating func take(into room: UnsafeMutableRawBufferPointer) -> CurlUpload.Reading {
        if failure != nil { return .failed }
        guard let piece = pieces.first, offset < piece.count else {
            isPaused = !hasEnded
            return hasEnded ? .bytes(0) : .nothingYet
        }
        let count = min(room.count, piece.count - offset)
        piece.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<(offset + count)])) }
        offset += count
        sent += Int64(count)
        if offset == piece.count, !isOnlyCopy {
            pieces.removeFirst()
            offset = 0
        }
        return .bytes(count)
    }

    /// Data is kept, in case it has to be sent again.
    private var isOnlyCopy: Bool { hasEnded && pieces.count == 1 && sent == Int64(offset) }
}
#endif
