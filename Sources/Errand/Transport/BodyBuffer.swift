/// The unread data of a streamed body, shared between the producer and the one task that reads it.
final class BodyBuffer: Sendable {
    /// The result of a read.
    enum Next: Sendable {
        /// A piece, and whether the buffer was full and now has room again.
        case piece(Data, hasRoomAgain: Bool)
        /// The end of the body.
        case end(Result<Void, any Error>)
    }

    private struct State: Sendable {
        let capacity: Int
        var pieces = Queue<Data>()
        /// The number of unread bytes.
        var count = 0
        var end: Result<Void, any Error>?
        /// Whether the buffer was found full, and neither a read nor ``abandon()`` made room since. A read reports room
        /// when half of the buffer is free, so that the producer is not resumed for each piece.
        var isFull = false
        /// Whether the body was abandoned before its end, so that further pieces are discarded.
        var isAbandoned = false
        /// The waiting readers. There is at most one, unless the body is iterated twice at the same time, which is not
        /// supported.
        var readers: [CheckedContinuation<Void, Never>] = []

        var isEmpty: Bool { pieces.isEmpty && end == nil }

        /// - Parameter count: The number of bytes that are not in the buffer yet but will be added.
        mutating func checkRoom(besides count: Int) -> Bool {
            isFull = isFull || self.count + count >= capacity || pieces.count >= BodyBuffer.maximumPieces
            return !isFull
        }

        mutating func add(_ piece: Data) {
            guard !isAbandoned else { return }
            pieces.append(piece)
            count += piece.count
        }

        /// After ``abandon()``, a successful end becomes a failure, because the body is incomplete.
        mutating func end(_ result: Result<Void, any Error>) {
            guard end == nil else { return }
            if case .success = result, isAbandoned { end = .failure(URLError(.cancelled)) } else { end = result }
        }

        mutating func abandon() {
            // A body that was read to its end stays complete.
            if case .success = end, pieces.isEmpty { return }
            isAbandoned = true
            isFull = false
            pieces = Queue()
            count = 0
            if case .success = end { end = .failure(URLError(.cancelled)) }
        }

        /// Returns the next piece, or the end; `nil` if the reader must wait.
        mutating func take() -> Next? {
            guard let piece = pieces.popFirst() else { return end.map { .end($0) } }
            count -= piece.count
            let hasRoomAgain = isFull && count <= capacity / 2 && pieces.count <= BodyBuffer.maximumPieces / 2
            if hasRoomAgain { isFull = false }
            return .piece(piece, hasRoomAgain: hasRoomAgain)
        }
    }

    /// The state that both sides share. Readers are resumed outside the lock.
    private let state: Locked<State>

    /// The number of unread pieces at which the buffer is full. The limit exists because a small piece costs more than
    /// its bytes.
    static let maximumPieces = 4_096

    /// - Parameter capacity: The number of unread bytes at which the buffer is full.
    init(capacity: Int) {
        state = Locked(State(capacity: capacity))
    }

    /// Returns whether the buffer is not full. If it is, a later read reports when there is room again.
    ///
    /// - Parameter count: The number of bytes that are not in the buffer yet but will be added.
    func checkRoom(besides count: Int = 0) -> Bool {
        state.withLock { $0.checkRoom(besides: count) }
    }

    /// Whether ``checkRoom(besides:)`` has found the buffer full, and neither a read nor ``abandon()`` made room since.
    var isFull: Bool { state.withLock { $0.isFull } }

    /// Adds a piece, even if the buffer is full.
    func add(_ piece: Data) {
        changeAndResumeReaders { $0.add(piece) }
    }

    /// Ends the body with a result.
    func end(_ result: Result<Void, any Error>) {
        changeAndResumeReaders { $0.end(result) }
    }

    /// Discards unread pieces and all later ones. A waiting reader continues only after ``end(_:)``.
    func abandon() {
        state.withLock { $0.abandon() }
    }

    /// Waits for the next piece or the end.
    ///
    /// - Parameter endTransfer: Called, possibly several times, when the reading task is cancelled; it must cause a
    ///   call of ``end(_:)``.
    func next(orAbandon endTransfer: @escaping @Sendable () -> Void) async -> Next {
        while true {
            // A cancelled reader gets no more data, even if some is available.
            if Task.isCancelled {
                abandon()
                endTransfer()
            }
            if let next = state.withLock({ $0.take() }) { return next }
            await withCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isEmpty = state.withLock { state in
                        if state.isEmpty { state.readers.append(continuation) }
                        return state.isEmpty
                    }
                    if !isEmpty { continuation.resume() }
                }
            } onCancel: {
                endTransfer()
            }
        }
    }

    private func changeAndResumeReaders(_ change: (inout State) -> Void) {
        let readers = state.withLock { state in
            change(&state)
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.resume() }
    }
}
