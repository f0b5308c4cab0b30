/// The WebSocket protocol over a byte connection: a thin shell around ``WebSocketMachine``, with one task that reads
/// and one that writes.
///
/// Only the reader uses the decoder, and only the task whose turn it is uses the encoder. The lock guards the machine,
/// the turn and the tasks that wait for a pong.
package final class WebSocketConnection: WebSocketChannel {
    private struct State {
        var machine = WebSocketMachine()
        var turn: WebSocketTurn
        /// The queue of messages to send, and the number of this connection there, after the start.
        var outbox: (queue: WebSocketOutbox, connection: Int)?
        /// Whether the connection is about to be closed. Waiting messages stay in the queue for the next one.
        var isEnding = false
        var pings: [Int: PipelinePromise<Void, any Error>] = [:]
        var received: Int64 = 0
        var isOver = false
        /// Whether both sides have sent a close frame, and the server has not closed the connection yet.
        var isLingering = false
        /// The error that ended the reader, for messages that are not written any more.
        var failure: ErrandError?
    }

    private let raw: any ByteConnection
    private let role: WebSocketRole
    private let compression: PermessageDeflate?
    private let options: WebSocketOptions
    private let rest: [UInt8]
    private let state: Locked<State>
    private let wakeSignal = WakeSignal()
    /// The promise that is resolved when the close frame is written, or when nothing is written any more.
    private let closing = PipelinePromise<Void, any Error>()
    private let timeline: Timeline
    private let alarm: Alarm

    /// Creates a connection after its handshake.
    ///
    /// - Parameters:
    ///   - agreement: The result of the handshake.
    ///   - rest: The bytes that were received after the handshake.
    package init(
        _ raw: any ByteConnection, role: WebSocketRole, agreement: WebSocketClientHandshake.Agreement,
        options: WebSocketOptions, rest: [UInt8] = []
    ) {
        self.raw = raw
        self.role = role
        compression = agreement.compression
        self.options = options
        self.rest = rest
        let encoder = WebSocketMessageEncoder(
            role: role, compression: compression, maximumFragmentSize: options.maximumFragmentSize)
        state = Locked(State(turn: .free(WebSocketBatch(encoder))))
        timeline = Timeline(options.clock)
        alarm = Alarm(timeline)
    }

    package var receivedCount: Int64 { state.withLock { $0.received } }

    package func ping() async throws {
        let response = PipelinePromise<Void, any Error>()
        let number = state.withLock { state -> Int? in
            guard !state.isOver, let number = state.machine.ping() else { return nil }
            state.pings[number] = response
            return number
        }
        guard let number else { throw ErrandError(.webSocketClosed) }
        flush()
        response.onCancel { [self] in
            state.withLock { state in
                state.machine.forget(ping: number)
                state.pings[number] = nil
            }
        }
        try await response.value
    }

    package func run(_ inbox: WebSocketInbox, _ outbox: WebSocketOutbox) async throws -> WebSocketClosure {
        defer { finish() }
        let number = outbox.connection
        state.withLock { $0.outbox = (outbox, number) }
        flush()
        return try await withThrowingTaskGroup(of: WebSocketClosure?.self) { group in
            group.addTask {
                await self.write()
                try await self.outliveWriting()
                return nil
            }
            // On the connection's thread, a message needs no change of thread. Decompression would block it for too
            // long.
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
            throw ErrandError(.cancelled)
        }
    }

    /// Returns if the end of the writer is not an error. A reader that waits for space in its inbox does not notice a
    /// lost connection. It therefore gets at most the close timeout to find the cause.
    private func outliveWriting() async throws {
        if state.withLock({ $0.machine.hasSentClose }) { return }
        let end = timeline.now + max(options.closeTimeout, .zero).bounded
        guard (try? await timeline.sleep(until: end)) != nil else { return }
        let isExplained = state.withLock { $0.machine.received != nil || $0.machine.violation != nil }
        if !isExplained { throw ErrandError(transportFailure: TransportFailure.lostWebSocket) }
    }

    /// Only the first call has an effect.
    package func boundEnd() {
        let end = timeline.now + max(options.closeTimeout, .zero).bounded
        alarm.set(AlarmPlan.Setting(number: 1, time: end)) { [raw] in raw.close() }
    }

    private func finish() {
        let (pings, isLingering) = state.withLock { state in
            state.isOver = true
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

    private func close() {
        raw.close()
        alarm.set(AlarmPlan.Setting(number: 2, time: nil)) {}
    }
}

// The reader.
extension WebSocketConnection {
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
                state.withLock { $0.received += Int64(bytes.count) }
                decoder.append(bytes)
                work += bytes.count
            }
        } catch let violation as WebSocketViolation {
            state.withLock { $0.machine.fail(violation) }
            boundEnd()
            flush()
            try await closing.value
            throw violation
        }
        boundEnd()
        flush()
        try await closing.value
        state.withLock { $0.isLingering = role == .client }
    }

    /// The amount of work after which the reader lets others use its thread: 64 KiB, where each event counts as 256
    /// bytes.
    private static let turn = (size: 65_536, eventCost: 256)
    /// The number of pings whose pongs are written together.
    private static let pongCount = 32

    /// Handles all complete events: those of a long message on another thread, because they would block the
    /// connection's thread for too long.
    private func receiveOnSuitableThread(
        from decoder: inout WebSocketMessageDecoder, _ inbox: WebSocketInbox, _ work: inout Int
    ) async throws -> Bool {
        guard decoder.byteCount > Self.turn.size else { return try await receive(from: &decoder, inbox, &work) }
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
        var pongs = 0
        defer { if pongs > 0 { flush() } }
        while let event = try decoder.next() {
            work += Self.turn.eventCost
            if work >= Self.turn.size {
                work = 0
                await Task.yield()
            }
            switch state.withLock({ $0.machine.receive(event) }) {
            case .nothing: break
            case .deliver(let message):
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

// The writer.
extension WebSocketConnection {
    /// The number of bytes after which a batch is written.
    private static let batchSize = 65_536
    /// The maximum size in bytes of a message that the sender's own task encodes, compresses and writes.
    private static let directSize = 16_384

    /// Writes as much as the system accepts at once. The connection's task writes the rest.
    package func flush() {
        guard var batch = state.withLock({ $0.isEnding ? nil : $0.turn.take() }) else { return }
        let isComplete = start(&batch, maximumSize: Self.directSize)
        giveBack(batch, isComplete: isComplete)
    }

    /// Writes until the close frame is written, or the connection or the task ends.
    private func write() async {
        let end: ErrandError
        do {
            while try await !writeNext() {}
            // Fails a message that was not finished before the close frame.
            end = ErrandError(.webSocketClosed)
        } catch {
            boundEnd()
            // The end of the reader cancels the writer, but the tasks that wait for their messages were not cancelled.
            let failure = state.withLock { $0.failure } ?? ErrandError(.webSocketClosed)
            end = Task.isCancelled ? failure : ErrandError(transportFailure: error)
        }
        var left = state.withLock { $0.turn.end(end) }
        left?.fail(end)
        closing.resolve(with: .success(()))
    }

    /// Waits until there is something to write, and writes one batch.
    ///
    /// - Returns: Whether the close frame is written.
    private func writeNext() async throws -> Bool {
        try await wakeSignal.wait()
        guard var batch = state.withLock({ $0.turn.take() }) else { return false }
        var isComplete = true
        defer { giveBack(batch, isComplete: isComplete) }
        try await batch.finishWriting()
        if batch.isLast { return true }
        isComplete = start(&batch, maximumSize: .max)
        try await batch.finishWriting()
        return batch.isLast
    }

    /// Fills a batch and starts to write it, unless its previous write has not ended.
    ///
    /// - Returns: Whether it contains everything that there is to write.
    private func start(_ batch: inout WebSocketBatch, maximumSize: Int) -> Bool {
        if batch.isBeingWritten || batch.isLast || batch.isInsideMessage && maximumSize < .max { return false }
        let isComplete = fill(&batch, maximumSize: maximumSize)
        if batch.isLast { boundEnd() }
        if batch.byteCount > 0 { batch.startWriting(to: raw) }
        return isComplete
    }

    private func giveBack(_ batch: WebSocketBatch, isComplete: Bool) {
        var batch = batch
        do throws(ErrandError) {
            let isAskedFor = try state.withLock { state throws(ErrandError) in try state.turn.giveBack(batch) }
            if isAskedFor || !isComplete || batch.isBeingWritten || batch.isLast { wakeSignal.signal() }
        } catch {
            batch.fail(error)
        }
    }

    /// Fills a batch with the next frames, control frames first.
    ///
    /// - Parameter maximumSize: The maximum size in bytes of a message.
    /// - Returns: Whether there is nothing else to write.
    private func fill(_ batch: inout WebSocketBatch, maximumSize: Int) -> Bool {
        guard let outbox = state.withLock({ $0.outbox }) else { return true }
        while batch.byteCount < Self.batchSize, !batch.isLast {
            if let control = state.withLock({ $0.machine.next() }) {
                batch.append(control)
            } else if batch.isInsideMessage {
                batch.appendFragment()
            } else if state.withLock({ !$0.machine.maySend }) {
                return true
            } else {
                switch outbox.queue.take(maximumSize: maximumSize, for: outbox.connection) {
                case .entry(let entry): add(entry, to: &batch)
                case .tooLong: return false
                case .nothing: return true
                }
            }
        }
        return false
    }

    private func add(_ entry: WebSocketOutbox.Entry, to batch: inout WebSocketBatch) {
        switch entry.content {
        case .message(let message): batch.begin(message, of: entry)
        case .close(let closure):
            state.withLock { $0.machine.close(closure) }
            entry.written.resolve(with: .success(()))
        }
    }
}
