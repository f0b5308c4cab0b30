import Errand

/// Passes a body on, tells of each piece, and says once how it ended; at the latest when it is let go of.
final class RecordedBody: Sendable {
    /// How a body ended.
    enum End: Sendable {
        /// It was read to its end.
        case whole
        /// It broke off.
        case failed(any Error)
        /// Nobody reads it any more.
        case released
    }

    private let body: ResponseBody
    private let onPiece: @Sendable (Data) -> Void
    private let onEnd: @Sendable (End) -> Void
    private let hasEnded = Locked(false)

    init(
        _ body: ResponseBody, onPiece: @escaping @Sendable (Data) -> Void, onEnd: @escaping @Sendable (End) -> Void
    ) {
        self.body = body
        self.onPiece = onPiece
        self.onEnd = onEnd
    }

    deinit {
        end(.released)
    }

    func next() async throws -> Data? {
        do {
            var iterator = body.makeAsyncIterator()
            let piece = try await iterator.next()
            if let piece { onPiece(piece) } else { end(.whole) }
            return piece
        } catch {
            end(.failed(error))
            throw error
        }
    }

    private func end(_ end: End) {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        if isFirst { onEnd(end) }
    }
}
