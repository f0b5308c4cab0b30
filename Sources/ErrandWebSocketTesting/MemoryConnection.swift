package import Errand

/// One end of a connection within the process, for the peer of a stub.
package final class MemoryConnection: ByteConnection {
    private let incoming: MemoryPipe
    private let outgoing: MemoryPipe

    private init(incoming: MemoryPipe, outgoing: MemoryPipe) {
        self.incoming = incoming
        self.outgoing = outgoing
    }

    deinit {
        close()
    }

    /// Returns both ends of a new connection.
    ///
    /// - Parameter capacity: The number of bytes that each direction buffers before a writer has to wait.
    package static func pair(capacity: Int = 65_536) -> (MemoryConnection, MemoryConnection) {
        let (one, other) = (MemoryPipe(capacity: capacity), MemoryPipe(capacity: capacity))
        return (MemoryConnection(incoming: one, outgoing: other), MemoryConnection(incoming: other, outgoing: one))
    }

    package func read() async throws -> [UInt8]? {
        try await incoming.read()
    }

    package func startWriting(_ bytes: [UInt8]) throws -> PipelinePromise<Void, any Error>? {
        try outgoing.startWriting(bytes)
    }

    package var sentCount: Int64 { outgoing.takenCount }

    package func close() {
        outgoing.end(.closed)
        incoming.end(.abandoned)
    }

    /// Resets the connection: buffered bytes are lost, and both ends fail.
    package func reset() {
        outgoing.end(.reset)
        incoming.end(.reset)
    }
}

/// One direction of a ``MemoryConnection``.
private final class MemoryPipe: Sendable {
    enum End {
        /// The writer has closed its end.
        case closed
        /// The reader has closed its end.
        case abandoned
        case reset
    }

    fileprivate struct State {
        var pieces: [[UInt8]] = []
        var count = 0
        /// The number of bytes that the reader has taken.
        var taken: Int64 = 0
        var end: End?
        var reader: PipelinePromise<Void, any Error>?
        var writer: PipelinePromise<Void, any Error>?
    }

    fileprivate enum Taking {
        case piece([UInt8])
        case end
        case failed(any Error)
        case wait(PipelinePromise<Void, any Error>)
    }

    private let capacity: Int
    private let state = Locked(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    var takenCount: Int64 { state.withLock { $0.taken } }

    func read() async throws -> [UInt8]? {
        while true {
            if Task.isCancelled { throw ErrandError(.cancelled) }
            let (taking, writer) = state.withLock { $0.take(capacity: capacity) }
            writer?.resolve(with: .success(()))
            switch taking {
            case .piece(let piece): return piece
            case .end: return nil
            case .failed(let error): throw error
            case .wait(let promise): try await promise.value
            }
        }
    }

    func startWriting(_ bytes: [UInt8]) throws -> PipelinePromise<Void, any Error>? {
        let (reader, room) = try state.withLock { state throws(URLError) in
            guard state.end == nil else { throw URLError(.networkConnectionLost) }
            if !bytes.isEmpty { state.pieces.append(bytes) }
            state.count += bytes.count
            defer { state.reader = nil }
            guard state.count > capacity else { return (state.reader, PipelinePromise<Void, any Error>?.none) }
            let room = PipelinePromise<Void, any Error>()
            state.writer = room
            return (state.reader, room)
        }
        reader?.resolve(with: .success(()))
        return room
    }

    func end(_ end: End) {
        let (reader, writer) = state.withLock { state in
            if state.end == nil || end == .reset { state.end = end }
            if end != .closed { state.pieces = [] }
            defer { (state.reader, state.writer) = (nil, nil) }
            return (state.reader, state.writer)
        }
        reader?.resolve(with: .success(()))
        writer?.resolve(with: .failure(URLError(.networkConnectionLost)))
    }
}

extension MemoryPipe.State {
    /// Returns the next piece for the reader, and the writer that may continue.
    fileprivate mutating func take(capacity: Int) -> (MemoryPipe.Taking, PipelinePromise<Void, any Error>?) {
        if !pieces.isEmpty {
            let piece = pieces.removeFirst()
            count -= piece.count
            taken += Int64(piece.count)
            guard count <= capacity else { return (.piece(piece), nil) }
            defer { writer = nil }
            return (.piece(piece), writer)
        }
        switch end {
        case .closed: return (.end, nil)
        case .abandoned: return (.failed(URLError(.cancelled)), nil)
        case .reset: return (.failed(URLError(.networkConnectionLost)), nil)
        case nil:
            let promise = PipelinePromise<Void, any Error>()
            reader = promise
            return (.wait(promise), nil)
        }
    }
}
