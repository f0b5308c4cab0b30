import Errand

/// Copies a streamed request body while it is sent, up to a limit.
struct RequestBodyTap: Sendable {
    /// The stream to send in place of the original.
    let stream: BodyStream
    private let kept: Locked<(data: Data, count: Int)>

    /// - Parameter holds: Receives the number of copied bytes. Returns `false` if they are not needed.
    init(_ source: BodyStream, limit: Int, holds: @escaping @Sendable (Int) -> Bool = { _ in true }) {
        let kept = Locked((data: Data(), count: 0))
        self.kept = kept
        stream = BodyStream(of: [source], count: source.count, trailers: source.trailers) {
            let read = try source.open()
            // A redirect reads the body again, so the copy starts again.
            kept.withLock { $0 = (Data(), 0) }
            return {
                guard let piece = try await read() else { return nil }
                let size = kept.withLock { kept in
                    kept.data += piece.prefix(max(0, limit - kept.data.count))
                    kept.count += piece.count
                    return kept.data.count
                }
                if !holds(size) { kept.withLock { $0.data = Data() } }
                return piece
            }
        }
    }

    /// The copied bytes, and the number of bytes that were sent.
    var body: (data: Data, count: Int) { kept.withLock { $0 } }
}
