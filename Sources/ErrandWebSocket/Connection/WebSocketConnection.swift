package import Errand

/// The WebSocket protocol over a byte connection: a thin shell around ``WebSocketMachine``, with one task that reads
/// and one that writes what other tasks cannot write at once.
///
/// Only the reader uses the decoder. The machine gives the turn to write to one task at a time, and only that task uses
/// the batch and its encoder. The lock guards all other state.
package final class WebSocketConnection: WebSocketChannel {
    struct State {
        var machine = WebSocketMachine()
        /// The queue of messages to send, and the number of this connection there; `nil` unless ``run(_:_:)`` runs.
        var outbox: (queue: WebSocketOutbox, connection: Int)?
        /// Whether the connection is about to be closed. Waiting messages then stay in the queue.
        var isEnding = false
        /// The tasks that wait for a pong, by the number of their ping.
        var pings: [Int: PipelinePromise<Void, any Error>] = [:]
        /// The number of received bytes.
        var byteCount: Int64 = 0
        /// Whether ``run(_:_:)`` has ended.
        var isOver = false
        /// Whether this side is a client and has exchanged close frames: the server must close the connection first.
        var isLingering = false
        /// The error of a lost connection, for messages that are not written any more.
        var failure: ErrandError?
    }

    /// The frames of one write, and the entries that wait for it.
    struct Batch {
        let encoder: WebSocketEncoder
        /// The entries whose messages are in the frames. That of an unfinished message is the last one.
        var entries: [WebSocketOutbox.Entry] = []
        /// Whether the frames end with the close frame.
        var isLast = false
        /// The write that has started and has not ended: its promise, or its error.
        var write: Result<PipelinePromise<Void, any Error>, any Error>?
    }

    package let opening: WebSocketOpening
    /// The byte connection, which this connection owns and closes.
    let raw: any ByteConnection
    private let role: WebSocketRole
    private let compression: PermessageDeflate?
    private let options: WebSocketOptions
    /// The first bytes after the handshake, which were read together with it.
    private let rest: [UInt8]
    let state = Locked(State())
    /// The batch, which only the task with the turn to write uses. The lock, under which a task takes the turn and
    /// gives it back, orders the accesses of different tasks.
    nonisolated(unsafe) var batch: Batch
    /// Wakes the connection's task that writes.
    let wakeSignal = WakeSignal()
    /// The promise that is resolved when the writer has ended: after the close frame, or after a failed write.
    let writerEnded = PipelinePromise<Void, any Error>()
    private let timeline: Timeline
    /// Closes the byte connection at the end of the close timeout.
    private let alarm: Alarm

    /// Creates a connection after its handshake, and owns the byte connection from then on.
    ///
    /// - Parameters:
    ///   - agreement: The result of the handshake.
    ///   - headers: The header fields of the server's response.
    ///   - rest: The first bytes after the handshake, which were read together with it.
    package init(
        _ raw: any ByteConnection, role: WebSocketRole, agreement: WebSocketAgreement,
        headers: HeaderFields = [:], options: WebSocketOptions, rest: [UInt8] = []
    ) {
        self.raw = raw
        self.role = role
        compression = agreement.compression
        opening = WebSocketOpening(
            headers: headers, subprotocol: agreement.subprotocol, isCompressed: compression != nil)
        self.options = options
        self.rest = rest
        batch = Batch(
            encoder: WebSocketEncoder(
                role: role, compression: compression, maximumFragmentSize: options.maximumFragmentSize))
        timeline = Timeline(options.clock)
        alarm = Alarm(timeline)
    }

    deinit {
        raw.close()
    }

    package var receivedCount: Int64 { state.withLock { $0.byteCount } }

    package func ping() async throws {
        let pong = PipelinePromise<Void, any Error>()
        let number = state.withLock { state -> Int? in
            guard !state.isOver, let number = state.machine.ping() else { return nil }
            state.pings[number] = pong
            return number
        }
        guard let number else { throw ErrandError(.webSocketClosed) }
        flush()
        pong.onCancel { [self] in
            state.withLock { state in
                state.machine.forget(ping: number)
                state.pings[number] = nil
            }
        }
        try await pong.value
    }

    package func run(_ inbox: WebSocketInbox, _ outbox: WebSocketOutbox) async throws -> WebSocketClosure {
        defer { finish() }
        let number = outbox.attach { self.flush() }
        state.withLock { $0.outbox = (outbox, number) }
        flush()
        return try await withThrowingTaskGroup(of: WebSocketClosure?.self) { group in
            group.addTask {
                await self.write()
                try await self.waitForReaderAfterFailedWrite()
                return nil
            }
            // On the byte connection's executor, the reader needs no change of thread for a message. Decompression
            // would block that executor's thread for too long.
            group.addTask(executorPreference: compression == nil ? raw.executor : nil) {
                try await self.readToEnd(inbox)
            }
            defer {
                let isLingering = state.withLock { state in
                    state.isEnding = true
                    return state.isLingering
                }
                if !isLingering { raw.close() }
                group.cancelAll()
            }
            // After a failed write, the reader finds the cause, within the close timeout.
            while let end = try await group.next() {
                if let end { return end }
            }
            // Not reached: the reader returns a closure or throws.
            throw ErrandError(.cancelled)
        }
    }

    /// Returns immediately if the writer ended with the close frame. Otherwise, gives the reader the close timeout to
    /// find the cause. A reader that waits for space in its inbox does not notice a lost connection.
    ///
    /// - Throws: The error of a lost connection if the reader finds no cause.
    private func waitForReaderAfterFailedWrite() async throws {
        if state.withLock({ $0.machine.hasSentClose }) { return }
        let end = timeline.now + max(options.closeTimeout, .zero).bounded
        guard (try? await timeline.sleep(until: end)) != nil else { return }
        let isExplained = state.withLock { $0.machine.received != nil || $0.machine.violation != nil }
        if !isExplained { throw ErrandError(transportFailure: TransportFailure.lostWebSocket) }
    }

    /// Only the first call before ``close()`` has an effect: an alarm ignores a setting whose number is not higher than
    /// that of the current one.
    package func startCloseTimeout() {
        let end = timeline.now + max(options.closeTimeout, .zero).bounded
        alarm.set(AlarmPlan.Setting(number: 1, time: end)) { [raw] in raw.close() }
    }

    /// Fails the pings, and closes the connection, or lets the server close it first.
    private func finish() {
        let (pings, isLingering) = state.withLock { state in
            state.isOver = true
            // Breaks a reference cycle: the queue refers to this connection until the next one takes its place.
            state.outbox = nil
            defer { state.pings = [:] }
            return (state.pings.values, state.isLingering)
        }
        for ping in pings { ping.resolve(with: .failure(ErrandError(.webSocketClosed))) }
        guard isLingering else { return close() }
        // The server closes first (section 7.1.1): closing with unread bytes may destroy bytes that were sent. No task
        // waits for this, and the alarm bounds it.
        Task {
            while let bytes = try? await self.raw.read(), !bytes.isEmpty {}
            self.close()
        }
    }

    /// Closes the byte connection, and stops the close timeout.
    private func close() {
        raw.close()
        alarm.set(AlarmPlan.Setting(number: 2, time: nil)) {}
    }
}

// The reader.
extension WebSocketConnection {
    /// Reads until the connection ends, and returns or throws the reason.
    private func readToEnd(_ inbox: WebSocketInbox) async throws -> WebSocketClosure {
        do {
            try await read(inbox)
        } catch {
            let machine = state.withLock { $0.machine }
            if Task.isCancelled { throw ErrandError(.cancelled) }
            if let violation = machine.violation { throw ErrandError(violation) }
            if let closure = machine.received { return closure }
            if machine.hasSentClose { return WebSocketClosure(code: .abnormal) }
            // This task was not cancelled, so a cancelled read means that the close timeout has closed the connection.
            let isLost = error.isCancellation || (error as? URLError)?.code == .networkConnectionLost
            let failure = ErrandError(transportFailure: isLost ? TransportFailure.lostWebSocket : error)
            state.withLock { $0.failure = failure }
            throw failure
        }
        return state.withLock { $0.machine.received } ?? WebSocketClosure(code: .abnormal)
    }

    /// Reads until both sides have sent a close frame.
    private func read(_ inbox: WebSocketInbox) async throws {
        var decoder = WebSocketMessageDecoder(
            role: role, compression: compression, maximumFrameSize: max(options.maximumFrameSize, 1),
            maximumMessageSize: max(options.maximumMessageSize, 1))
        decoder.append(rest)
        var work = 0
        do {
            while try await !receiveOnSuitableThread(from: &decoder, inbox, &work) {
                guard let bytes = try await raw.read() else { throw TransportFailure.lostWebSocket }
                state.withLock { $0.byteCount += Int64(bytes.count) }
                decoder.append(bytes)
                work += bytes.count
            }
        } catch let violation as WebSocketViolation {
            state.withLock { $0.machine.fail(violation) }
            startCloseTimeout()
            flush()
            try await writerEnded.value
            throw violation
        }
        startCloseTimeout()
        flush()
        try await writerEnded.value
        state.withLock { $0.isLingering = role == .client }
    }

    /// The amount of work after which the reader lets others use its thread: 64 KiB, where each event counts as 256
    /// bytes.
    private static let timeSlice = (size: 65_536, eventCost: 256)
    /// The number of received pings after which their pongs are written, even if more events are complete.
    private static let pongCount = 32

    /// Handles all complete events, as ``receive(from:_:_:)`` does. If many bytes are not decoded, it uses another
    /// thread, because it would block the connection's thread for too long.
    private func receiveOnSuitableThread(
        from decoder: inout WebSocketMessageDecoder, _ inbox: WebSocketInbox, _ work: inout Int
    ) async throws -> Bool {
        guard decoder.byteCount > Self.timeSlice.size else { return try await receive(from: &decoder, inbox, &work) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try await receive(from: &decoder, inbox, &work)
        }
    }

    /// Handles all complete events.
    ///
    /// - Parameter work: The amount of work since the reader has let others use its thread.
    /// - Returns: Whether the other side has sent its close frame.
    private func receive(
        from decoder: inout WebSocketMessageDecoder, _ inbox: WebSocketInbox, _ work: inout Int
    ) async throws -> Bool {
        // The number of pongs that are ready and not flushed.
        var pongs = 0
        defer { if pongs > 0 { flush() } }
        while let event = try decoder.next() {
            work += Self.timeSlice.eventCost
            if work >= Self.timeSlice.size {
                work = 0
                await Task.yield()
            }
            switch state.withLock({ $0.machine.receive(event) }) {
            case .nothing: break
            case .deliver(let message):
                // The inbox may be full, and a pong must not wait for its reader.
                if pongs > 0 { flush() }
                pongs = 0
                try await inbox.put(message)
            case .write:
                pongs = (pongs + 1) % Self.pongCount
                if pongs == 0 { flush() }
            case .completed(let numbers):
                let completed = state.withLock { state in numbers.compactMap { state.pings.removeValue(forKey: $0) } }
                for ping in completed { ping.resolve(with: .success(())) }
            case .closed: return true
            }
        }
        return false
    }
}
