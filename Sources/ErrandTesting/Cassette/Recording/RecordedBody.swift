import Errand

/// Passes a body on, reports each piece, and reports its end once, at the latest when this object is released.
final class RecordedBody: Sendable {
    /// The end of a body.
    enum End: Sendable {
        /// The body was read completely.
        case whole
        /// The transfer failed.
        case failed(any Error)
        /// The reader stopped before the end.
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
