extension URLSessionExchange {
    /// Gives the reader what came, and has the session wait where the reader is slow.
    func pass(_ data: Data, of task: URLSessionTask, to buffer: BodyBuffer) {
        // Once it was asked to wait, what was on its way still comes.
        let isWaiting = buffer.isFull
        buffer.add(data)
        guard !isWaiting, !buffer.hasRoom() else { return }
        task.waitForReader()
        // The reader may have made room meanwhile, and have been too early.
        if !buffer.isFull { task.readOn() }
    }

    private func nextPiece(from buffer: BodyBuffer) async throws -> Data? {
        // While the buffer is full, idle time is not counted. It is from here on, should this make room.
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

    /// The body as its reader sees it; letting go of the last copy ends the exchange.
    var body: ResponseBody {
        guard let buffer else { return ResponseBody(Data()) }
        let lease = URLSessionBodyLease(self)
        return ResponseBody { try await lease.exchange.nextPiece(from: buffer) }
    }
}

/// Held by whoever may still read; when the last goes, so does the task.
private final class URLSessionBodyLease: Sendable {
    let exchange: URLSessionExchange

    init(_ exchange: URLSessionExchange) {
        self.exchange = exchange
    }

    deinit {
        exchange.abandon()
    }
}
