import Errand

/// Keeps what is sent of a body that is a stream, up to a limit.
struct RequestBodyTap: Sendable {
    /// The body that is sent in the other's place.
    let stream: BodyStream
    private let kept: Locked<(data: Data, count: Int)>

    init(_ source: BodyStream, limit: Int) {
        let kept = Locked((data: Data(), count: 0))
        self.kept = kept
        stream = BodyStream(of: [source], count: source.count) {
            let read = try source.open()
            // It is read again for a redirect.
            kept.withLock { $0 = (Data(), 0) }
            return {
                guard let piece = try await read() else { return nil }
                kept.withLock { kept in
                    kept.data += piece.prefix(max(0, limit - kept.data.count))
                    kept.count += piece.count
                }
                return piece
            }
        }
    }

    /// What was sent, and how many bytes all of it has.
    var body: (data: Data, count: Int) { kept.withLock { $0 } }
}
