/// The frames of one write, and the entries that wait for it.
///
/// `@unchecked Sendable` is safe although the encoder may hold a compressor: ``WebSocketTurn`` gives the batch to one
/// task at a time, under a lock.
struct WebSocketBatch: @unchecked Sendable {
    private var encoder: WebSocketMessageEncoder
    private var bytes: [UInt8] = []
    /// Whether the batch ends with the close frame.
    private(set) var isLast = false
    /// The entries whose messages end in the batch.
    private var done: [WebSocketOutbox.Entry] = []
    /// The entry of the unfinished message.
    private var current: WebSocketOutbox.Entry?
    /// The write that has started and has not ended: its promise, or its error.
    private var writing: Result<PipelinePromise<Void, any Error>, any Error>?

    init(_ encoder: WebSocketMessageEncoder) {
        self.encoder = encoder
    }

    var isInsideMessage: Bool { encoder.isInsideMessage }
    var byteCount: Int { bytes.count }
    var isBeingWritten: Bool { writing != nil }

    mutating func append(_ control: WebSocketMachine.Control) {
        switch control {
        case .pong(let payload): encoder.append(.pong, payload, to: &bytes)
        case .ping(let payload): encoder.append(.ping, payload, to: &bytes)
        case .close(let closure):
            encoder.append(.close, WebSocketMessageEncoder.payload(of: closure), to: &bytes)
            isLast = true
        }
    }

    mutating func begin(_ message: WebSocketMessage, of entry: WebSocketOutbox.Entry) {
        encoder.begin(message)
        current = entry
        appendFragment()
    }

    mutating func appendFragment() {
        guard encoder.appendFragment(to: &bytes), let entry = current else { return }
        done.append(entry)
        current = nil
    }

    /// Starts to write the frames. If the system accepts them all, the write has already ended.
    mutating func startWriting(to raw: any ByteConnection) {
        do {
            writing = try raw.startWriting(bytes).map { .success($0) }
            if writing == nil { succeed() }
        } catch {
            writing = .failure(error)
        }
    }

    /// Waits for the end of the write, if one has started.
    mutating func finishWriting() async throws {
        guard let writing else { return }
        try await writing.get().value
        self.writing = nil
        succeed()
    }

    private mutating func succeed() {
        for entry in done { entry.written.resolve(with: .success(())) }
        done.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 18)
    }

    /// Fails the entries that will not be written.
    mutating func fail(_ error: ErrandError) {
        for entry in done + [current].compactMap(\.self) { entry.written.resolve(with: .failure(error)) }
        (done, current) = ([], nil)
    }
}
