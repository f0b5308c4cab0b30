import Errand

/// The byte stream of an upgraded connection, between the server's thread, which owns the socket, and the task that
/// serves the connection.
final class MockWire: ByteConnection {
    private struct State {
        var pieces: [[UInt8]] = []
        var count = 0
        var reader: CheckedContinuation<Void, Never>?
        /// Whether no more bytes will arrive.
        var isOver = false
    }

    /// The maximum number of bytes that wait to be read before the socket is not read any more: 256 KiB.
    private static let capacity = 256 << 10

    private let number: Int
    private let mailbox: Mailbox
    private let state = Locked(State())

    /// - Parameters:
    ///   - number: The number of the connection.
    ///   - rest: The bytes after the request.
    init(number: Int, mailbox: Mailbox, rest: [UInt8]) {
        self.number = number
        self.mailbox = mailbox
        if !rest.isEmpty { deliver(rest) }
    }

    func read() async throws -> [UInt8]? {
        while true {
            let (piece, isDrained, isOver) = state.withLock { state -> ([UInt8]?, Bool, Bool) in
                guard !state.pieces.isEmpty else { return (nil, false, state.isOver) }
                let wasFull = state.count >= Self.capacity
                let piece = state.pieces.removeFirst()
                state.count -= piece.count
                return (piece, wasFull && state.count < Self.capacity, false)
            }
            if isDrained { mailbox.post(.drained(connection: number)) }
            if let piece { return piece }
            if isOver { return nil }
            if Task.isCancelled { throw CancellationError() }
            await waitForMore()
        }
    }

    func startWriting(_ bytes: [UInt8]) -> PipelinePromise<Void, any Error>? {
        let written = PipelinePromise<Void, any Error>()
        mailbox.post(.output(Data(bytes), connection: number, written: written))
        return written
    }

    func close() {
        mailbox.post(.abandon(connection: number))
    }

    private func waitForMore() async {
        await withCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    let isReady = !state.pieces.isEmpty || state.isOver || Task.isCancelled
                    if !isReady { state.reader = continuation }
                    return isReady
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            wake()
        }
    }

    private func wake() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }
}

// The server's side.
extension MockWire {
    /// Whether more bytes may be read from the socket.
    var hasRoom: Bool { state.withLock { $0.count < Self.capacity } }

    func deliver(_ bytes: [UInt8]) {
        state.withLock { state in
            state.pieces.append(bytes)
            state.count += bytes.count
        }
        wake()
    }

    /// Records that no more bytes will arrive.
    func end() {
        state.withLock { $0.isOver = true }
        wake()
    }
}
