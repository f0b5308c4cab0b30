#if canImport(CCurl)
/// The body of a request, as libcurl asks for it.
///
/// A body in memory is given as it is. A stream is read by a separate task, at most ``readAhead`` bytes or ``maximumPieces``
/// pieces ahead. If libcurl asks and there is nothing yet, the transfer pauses, and the next piece resumes it.
final class CurlUpload: Sendable {
    enum Reading {
        /// So many were given; 0 is the end.
        case bytes(Int)
        case nothingYet
        case failed
    }

    /// From how many bytes on nothing more is read ahead: 128 KiB.
    static let readAhead = 128 << 10
    /// From how many pieces on nothing more is read ahead.
    static let maximumPieces = 4_096

    fileprivate struct State {
        var pieces: [Data]
        /// How many of them were given, and how far the next one was. The others are removed together.
        var head = 0
        var offset = 0
        /// How many bytes were read ahead and not given yet.
        var waiting = 0
        /// Whether it is one piece of data, which can be sent again.
        var isData = false
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
    private let progress: TransferProgress?
    /// Makes the fields behind the body; nil for none.
    let trailers: (@Sendable () throws -> HeaderFields)?
    /// Called when a paused transfer can go on.
    private let resume: @Sendable () -> Void
    private let pump = Locked<Task<Void, Never>?>(nil)

    init(_ data: Data, progress: TransferProgress?) {
        count = Int64(data.count)
        state = Locked(State(pieces: data.isEmpty ? [] : [data], waiting: data.count, isData: true, hasEnded: true))
        self.progress = progress
        trailers = nil
        resume = {}
    }

    /// Begins to read ahead.
    ///
    /// - Parameter resume: Called when a paused transfer can go on.
    init(
        _ read: @escaping BodyStream.Reader, count: Int?, trailers: (@Sendable () throws -> HeaderFields)? = nil,
        progress: TransferProgress?, resume: @escaping @Sendable () -> Void
    ) {
        self.count = count.map(Int64.init)
        self.trailers = trailers
        state = Locked(State(pieces: [], hasEnded: false))
        self.progress = progress
        self.resume = resume
        let task = Task { await self.produce(read) }
        pump.withLock { $0 = task }
    }

    /// Whether libcurl was given all of it.
    var isGiven: Bool {
        state.withLock { state in
            count.map { state.sent >= $0 } ?? (state.hasEnded && state.waiting == 0)
        }
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
            if state.hasRoom { swap(&producer, &state.producer) }
            return (reading, state.sent, producer)
        }
        producer?.resume()
        if case .bytes = reading { progress?.update(.init(completed: sent, total: count)) }
        return reading
    }

    /// The fields behind the body, as lines; for the loop's thread. Nil when they cannot be made, for which the upload fails.
    func trailerLines() -> [String]? {
        do {
            let fields = try trailers?() ?? [:]
            for field in fields { try RequestCheck.check(field: field) }
            return fields.map { "\($0.name): \($0.value)" }
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
            return nil
        }
    }

    /// Goes back, to send it again; a stream cannot.
    func seek(to offset: Int) -> Bool {
        state.withLock { state in
            guard state.isData, offset <= Int(count ?? 0) else { return state.sent == Int64(offset) }
            state.head = 0
            state.offset = offset
            state.sent = Int64(offset)
            state.waiting = Int(count ?? 0) - offset
            return true
        }
    }

    private func produce(_ read: BodyStream.Reader) async {
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
                let hasRoom = state.hasRoom || Task.isCancelled
                if !hasRoom { state.producer = continuation }
                return hasRoom
            }
            if hasRoom { continuation.resume() }
        }
    }
}

extension CurlUpload.State {
    /// Whether more is to be read ahead.
    fileprivate var hasRoom: Bool {
        waiting < CurlUpload.readAhead && pieces.count - head < CurlUpload.maximumPieces
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

    /// Fills the room with as many pieces as fit.
    fileprivate mutating func take(into room: UnsafeMutableRawBufferPointer) -> CurlUpload.Reading {
        if failure != nil { return .failed }
        var filled = 0
        while filled < room.count, head < pieces.count {
            let piece = pieces[head]
            let count = min(room.count - filled, piece.count - offset)
            piece.withUnsafeBytes { bytes in
                let part = UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
                UnsafeMutableRawBufferPointer(rebasing: room[filled...]).copyMemory(from: part)
            }
            filled += count
            offset += count
            if offset == piece.count { (head, offset) = (head + 1, 0) }
        }
        waiting -= filled
        sent += Int64(filled)
        if filled > 0 {
            removeGiven()
            return .bytes(filled)
        }
        isPaused = !hasEnded
        return hasEnded ? .bytes(0) : .nothingYet
    }

    /// Drops the pieces that were given, so that each is moved once on average. One piece of data is kept, in case it has to
    /// be sent again.
    private mutating func removeGiven() {
        guard !isData, head == pieces.count || head * 2 >= pieces.count else { return }
        pieces.removeFirst(head)
        head = 0
    }
}
#endif
