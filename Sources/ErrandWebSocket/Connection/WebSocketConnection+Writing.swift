import Errand

// The writer. The machine gives the turn to write to one task at a time: the connection's task, in `write()`, or any
// other task, in `flush()`. The task that has the turn fills the batch with frames and writes it. Only that task uses
// `batch`; the lock guards `state`.
extension WebSocketConnection {
    /// The number of bytes after which a batch is written.
    private static let batchSize = 65_536
    /// The maximum size in bytes of a message that `flush()` encodes, compresses and writes.
    private static let directSize = 16_384

    /// Writes as much as the system accepts at once, if no other task has the turn to write. The connection's task
    /// writes the rest, and messages of more than `directSize` bytes.
    func flush() {
        guard state.withLock({ !$0.isEnding && $0.machine.takeTurn() }) else { return }
        let isComplete = start(maximumSize: Self.directSize)
        giveTurnBack(isComplete: isComplete)
    }

    /// Writes until the close frame is written, or the connection or the task ends.
    ///
    /// It does not report why it ended: only ``run(_:_:)`` knows the reason, and gives it to the senders.
    func write() async {
        do {
            while try await !writeNext() {}
        } catch {
            limitClosing()
        }
        // From now on, no task gets the turn. If another task still has it, that task removes the entries.
        if state.withLock({ $0.machine.endWriting() }) { removeEntries() }
        writerEnded.resolve(with: .success(()))
    }

    /// Waits until there is something to write, and writes one batch.
    ///
    /// - Returns: Whether the close frame is written.
    private func writeNext() async throws -> Bool {
        try await wakeSignal.wait()
        guard state.withLock({ $0.machine.takeTurn() }) else { return false }
        var isComplete = true
        defer { giveTurnBack(isComplete: isComplete) }
        // A write that another task started may not have ended.
        try await finishWriting()
        if batch.isLast { return true }
        isComplete = start(maximumSize: .max)
        try await finishWriting()
        return batch.isLast
    }

    /// Gives the turn back, and wakes the connection's task if it has something to do: to write, or to end after the
    /// close frame. If writing has ended, removes the entries instead.
    ///
    /// - Parameter isComplete: Whether the batch contains everything that there was to write.
    private func giveTurnBack(isComplete: Bool) {
        let hasMore = !isComplete || batch.write != nil || batch.isLast
        switch state.withLock({ $0.machine.giveTurnBack() }) {
        case .free: if hasMore { wakeSignal.signal() }
        case .askedFor: wakeSignal.signal()
        case .over: removeEntries()
        }
    }
}

// The batch, for the task that has the turn.
extension WebSocketConnection {
    /// Fills the batch and starts to write it. Does nothing while a write has not ended, and after the close frame.
    ///
    /// - Parameter maximumSize: The maximum size in bytes of a message.
    /// - Returns: Whether the batch contains everything that there is to write; `false` if this method does nothing.
    private func start(maximumSize: Int) -> Bool {
        // Only the connection's own task, which has no maximum size, continues a message.
        if batch.write != nil || batch.isLast || (batch.encoder.isInsideMessage && maximumSize < .max) { return false }
        let isComplete = fill(maximumSize: maximumSize)
        if batch.isLast { limitClosing() }
        if !batch.encoder.bytes.isEmpty { startWriting() }
        return isComplete
    }

    /// Adds the next frames to the batch, control frames first, until it is full. The close frame is the last one.
    ///
    /// - Returns: Whether there is nothing more to write; `false` if the batch is full, the next message is too long,
    ///   or the close frame was added.
    private func fill(maximumSize: Int) -> Bool {
        let encoder = batch.encoder
        while encoder.bytes.count < Self.batchSize, !batch.isLast {
            let next = state.withLock { state in state.outbox.map { ($0, state.machine.next()) } }
            guard let (outbox, control) = next else { return true }
            if let control {
                encoder.append(control)
                if case .close = control { batch.isLast = true }
            } else if encoder.isInsideMessage {
                encoder.appendFragment()
            } else {
                switch outbox.queue.take(maximumSize: maximumSize, for: outbox.connection) {
                case .entry(let entry): add(entry)
                case .tooLong: return false
                case .nothing: return true
                }
            }
        }
        return false
    }

    /// Adds the first fragment of a message to the batch, or asks the machine for a close frame.
    private func add(_ entry: WebSocketOutbox.Entry) {
        switch entry.content {
        case .message(let message):
            batch.encoder.append(message)
            batch.entries.append(entry)
        case .close(let closure):
            // The close frame is written as the next control frame. Its sender does not wait for that.
            state.withLock { $0.machine.close(closure) }
            entry.written.resolve(with: .success(()))
        }
    }

    /// Starts to write the frames. If the system accepts them all, the write has already ended.
    private func startWriting() {
        do {
            batch.write = try raw.startWriting(batch.encoder.bytes).map { .success($0) }
            if batch.write == nil { completeEntries() }
        } catch {
            batch.write = .failure(error)
        }
    }

    /// Waits for the end of the write, if one has started.
    private func finishWriting() async throws {
        guard let write = batch.write else { return }
        try await write.get().value
        batch.write = nil
        completeEntries()
    }

    /// Removes the written frames, and resolves and removes the entries whose messages are written completely.
    private func completeEntries() {
        let count = batch.entries.count - (batch.encoder.isInsideMessage ? 1 : 0)
        for entry in batch.entries[..<count] { entry.written.resolve(with: .success(())) }
        batch.entries.removeFirst(count)
        batch.encoder.removeBytes()
    }

    /// Removes the entries that will not be written. They fail with the reason for the end of the connection, as soon
    /// as it is known.
    private func removeEntries() {
        let entries = batch.entries
        batch.entries = []
        let end = state.withLock { state in
            if state.end == nil { state.unwritten += entries }
            return state.end
        }
        guard let end else { return }
        for entry in entries { entry.written.resolve(with: .failure(end)) }
    }
}
