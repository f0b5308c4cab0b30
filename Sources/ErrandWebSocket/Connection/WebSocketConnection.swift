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
        /// The messages that will not be written, and wait for the reason.
        var unwritten: [WebSocketOutbox.Entry] = []
        /// The error with which ``fail(_:)`` ends the connection.
        var cause: (any Error)?
        /// The error for all calls, once ``run(_:_:)`` has ended.
        var end: (any Error)?
        /// Whether this side is a client and has exchanged close frames: the server must close the connection first.
        var isLingering = false
        /// Whether the owner is closing the connection.
        var isClosing = false
        /// Whether the close timeout has passed.
        var isTimedOut = false
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
    let role: WebSocketRole
    let compression: PermessageDeflate?
    let options: WebSocketOptions
    /// The first bytes after the handshake, which were read together with it.
    let rest: [UInt8]
    let state = Locked(State())
    /// The batch, which only the task with the turn to write uses. The lock, under which a task takes the turn and
    /// gives it back, orders the accesses of different tasks.
    nonisolated(unsafe) var batch: Batch
    /// Wakes the connection's task that writes.
    let wakeSignal = WakeSignal()
    /// The promise that is resolved when the writer has ended: after the close frame, or after a failed write.
    let writerEnded = PipelinePromise<Void, any Error>()
    /// The promise that ``fail(_:)`` resolves.
    private let failed = PipelinePromise<Void, any Error>()
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

    package var sentCount: Int64 { raw.sentCount }

    package func ping() async throws {
        let pong = PipelinePromise<Void, any Error>()
        let number = try state.withLock { state throws(any Error) in
            if let end = state.end ?? state.cause { throw end }
            guard let number = state.machine.ping() else {
                throw state.machine.failure ?? ErrandError(WebSocketClosure(code: .abnormal))
            }
            state.pings[number] = pong
            return number
        }
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
        do {
            let closure = try await runTasks(inbox, outbox)
            finish(ErrandError(closure))
            return closure
        } catch {
            throw finish(error)
        }
    }

    package func fail(_ error: any Error) {
        let isFirst = state.withLock { state in
            // The connection already ends for a better known reason.
            guard state.cause == nil, state.end == nil, state.machine.failure == nil else { return false }
            state.cause = error
            return true
        }
        if isFirst { failed.resolve(with: .failure(error)) }
    }

    /// Runs the writer and the reader until the connection ends, and returns or throws the reason.
    private func runTasks(_ inbox: WebSocketInbox, _ outbox: WebSocketOutbox) async throws -> WebSocketClosure {
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
            group.addTask {
                try await self.failed.value
                return nil
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

    package func startCloseTimeout() {
        state.withLock { $0.isClosing = true }
        limitClosing()
    }

    /// Starts the close timeout. Only the first call before ``close()`` has an effect: an alarm ignores a setting whose
    /// number is not higher than that of the current one.
    func limitClosing() {
        let end = timeline.now + max(options.closeTimeout, .zero).bounded
        alarm.set(AlarmPlan.Setting(number: 1, time: end)) { [raw, state] in
            state.withLock { $0.isTimedOut = true }
            raw.close()
        }
    }

    /// Fails all waiting calls with the reason for the end, and closes the connection, or lets the server close it
    /// first.
    ///
    /// - Returns: The reason: the error of ``fail(_:)``, or else the given one.
    @discardableResult
    private func finish(_ error: any Error) -> any Error {
        let (pings, unwritten, end, isLingering) = state.withLock { state in
            let end = state.cause ?? error
            state.end = end
            // Breaks a reference cycle: the queue refers to this connection until the next one takes its place.
            state.outbox = nil
            defer { (state.pings, state.unwritten) = ([:], []) }
            return (state.pings.values, state.unwritten, end, state.isLingering)
        }
        for ping in pings { ping.resolve(with: .failure(end)) }
        for entry in unwritten { entry.written.resolve(with: .failure(end)) }
        guard isLingering else {
            close()
            return end
        }
        // The server closes first (section 7.1.1): closing with unread bytes may destroy bytes that were sent. No task
        // waits for this, and the alarm bounds it.
        Task {
            while let bytes = try? await self.raw.read(), !bytes.isEmpty {}
            self.close()
        }
        return end
    }

    /// Closes the byte connection, and stops the close timeout.
    private func close() {
        raw.close()
        alarm.set(AlarmPlan.Setting(number: 2, time: nil)) {}
    }
}
