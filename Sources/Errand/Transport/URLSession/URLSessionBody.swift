extension URLSessionExchange {
    /// Passes received data to the reader, and suspends the task if the reader is slow.
    func pass(_ data: Data, of task: URLSessionTask, to buffer: BodyBuffer) {
        // After a suspension, data that was already on its way still arrives.
        let isWaiting = buffer.isFull
        buffer.add(data)
        guard !isWaiting, !buffer.hasRoom() else { return }
        task.waitForReader()
        // The reader may have made room in the meantime, before the task was suspended.
        if !buffer.isFull { task.readOn() }
    }

    private func nextPiece(from buffer: BodyBuffer) async throws -> Data? {
        // Idle time is not counted while the buffer is full. If this read makes room, counting starts now.
        if buffer.isFull { deadline.touch() }
        switch await buffer.next(orAbandon: { self.abandon() }) {
        case .piece(let piece, let hasRoomAgain):
            if hasRoomAgain {
                deadline.touch()
                task?.readOn()
            }
            return piece
        case .end(let result):
            try result.get()
            return nil
        }
    }

    /// The body for the reader. The exchange is cancelled when the last copy is released.
    var body: ResponseBody {
        guard let buffer else { return ResponseBody(Data()) }
        let lease = URLSessionBodyLease(self)
        return ResponseBody { try await lease.exchange.nextPiece(from: buffer) }
    }
}

/// A reference that every copy of the body holds; its deinitialization cancels the task.
private final class URLSessionBodyLease: Sendable {
    let exchange: URLSessionExchange

    init(_ exchange: URLSessionExchange) {
        self.exchange = exchange
    }

    deinit {
        exchange.abandon()
    }
}
