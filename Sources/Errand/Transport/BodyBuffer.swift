/// What has come of a streamed body and was not read yet: between whoever receives it and the one task that reads it.
final class BodyBuffer: Sendable {
    /// What a reader gets.
    enum Next: Sendable {
        /// A piece, and whether there is room again where there was none.
        case piece(Data, hasRoomAgain: Bool)
        /// Nothing more comes.
        case end(Result<Void, any Error>)
    }

    private struct State: Sendable {
        let capacity: Int
        var pieces: [Data] = []
        /// How many of them were read; they are let go of by and by, since each time moves all the others.
        var head = 0
        var count = 0
        var end: Result<Void, any Error>?
        var isFull = false
        /// Whether the reader has left before the end.
        var isAbandoned = false
        /// One, unless the body is iterated twice at once, which nobody should.
        var readers: [CheckedContinuation<Void, Never>] = []

        private var unread: Int { pieces.count - head }
        var isEmpty: Bool { unread == 0 && end == nil }

        /// - Parameter count: How many bytes are sure to come besides.
        mutating func hasRoom(besides count: Int) -> Bool {
            isFull = isFull || self.count + count >= capacity || unread >= BodyBuffer.maximumPieces
            return !isFull
        }

        mutating func add(_ piece: Data) {
            guard !isAbandoned else { return }
            pieces.append(piece)
            count += piece.count
        }

        /// What comes after pieces were lost is no whole body.
        mutating func end(_ result: Result<Void, any Error>) {
            guard end == nil else { return }
            if case .success = result, isAbandoned { end = .failure(URLError(.cancelled)) } else { end = result }
        }

        mutating func abandon() {
            if case .success = end, head == pieces.count { return }
            isAbandoned = true
            isFull = false
            pieces = []
            head = 0
            count = 0
            if case .success = end { end = .failure(URLError(.cancelled)) }
        }

        mutating func take() -> Next? {
            guard head < pieces.count else { return end.map { .end($0) } }
            let piece = pieces[head]
            pieces[head] = Data()
            head += 1
            if head == pieces.count || (head >= 64 && head * 2 >= pieces.count) {
                pieces.removeFirst(head)
                head = 0
            }
            count -= piece.count
            let hasRoomAgain = isFull && count <= capacity / 2 && unread <= BodyBuffer.maximumPieces / 2
            if hasRoomAgain { isFull = false }
            return .piece(piece, hasRoomAgain: hasRoomAgain)
        }
    }

    /// Guards what both sides share; readers are resumed behind it.
    private let state: Locked<State>

    /// From how many pieces on nothing more should come: small ones cost more than their bytes.
    static let maximumPieces = 4_096

    /// - Parameter capacity: From how many bytes on nothing more should come.
    init(capacity: Int) {
        state = Locked(State(capacity: capacity))
    }

    /// Whether a piece may come; where it may not, a reader is told when there is room again.
    ///
    /// - Parameter count: How many bytes are sure to come besides.
    func hasRoom(besides count: Int = 0) -> Bool {
        state.withLock { $0.hasRoom(besides: count) }
    }

    /// Whether nothing should come until a reader is told that there is room again.
    var isFull: Bool { state.withLock { $0.isFull } }

    /// Takes a piece, room or not.
    func add(_ piece: Data) {
        let readers = state.withLock { state in
            state.add(piece)
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.resume() }
    }

    /// Says that nothing more comes, and why.
    func end(_ result: Result<Void, any Error>) {
        let readers = state.withLock { state in
            state.end(result)
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.resume() }
    }

    /// Throws away what was not read, and what is still to come.
    func abandon() {
        state.withLock { $0.abandon() }
    }

    /// The next piece, as soon as there is one.
    ///
    /// - Parameter abandon: Called when the reading task is cancelled, once or more; has to bring about the end.
    func next(orAbandon abandon: @escaping @Sendable () -> Void) async -> Next {
        while true {
            // A reader that is cancelled gets no more, however much has come.
            if Task.isCancelled {
                self.abandon()
                abandon()
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
                abandon()
            }
        }
    }
}
