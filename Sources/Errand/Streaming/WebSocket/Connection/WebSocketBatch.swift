/// The frames of one write, and the entries that wait for it.
struct WebSocketBatch {
    private var encoder: WebSocketMessageEncoder
    private(set) var bytes: [UInt8] = []
    /// Whether the batch ends with the close frame.
    private(set) var isLast = false
    /// The entries whose messages end in the batch.
    private var done: [WebSocketOutbox.Entry] = []
    /// The entry of the unfinished message.
    private var current: WebSocketOutbox.Entry?

    init(_ encoder: WebSocketMessageEncoder) {
        self.encoder = encoder
    }

    var isInsideMessage: Bool { encoder.isInsideMessage }

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

    /// Completes the entries of a batch that was written.
    mutating func succeed() {
        for entry in done { entry.written.resolve(with: .success(())) }
        done = []
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 18)
    }

    /// Fails the entries that will not be written.
    mutating func fail(_ error: ErrandError) {
        for entry in done + [current].compactMap(\.self) { entry.written.resolve(with: .failure(error)) }
        (done, current) = ([], nil)
    }
}
