/// The protocol spoken over a connection of bytes: a thin shell around ``WebSocketMachine``, in which one task reads and one
/// writes.
///
/// Only the reader has the decoder, only the writer the encoder; the lock guards the machine and who waits for a pong.
package final class WebSocketConnection: WebSocketChannel {
    private struct State {
        var machine = WebSocketMachine()
        var pings: [Int: PipelinePromise<Void, any Error>] = [:]
        var received: Int64 = 0
        var isOver = false
        /// Whether both sides have said goodbye, and the server has still to close.
        var isLingering = false
        /// Why the reader has ended, for those whose message is not written any more.
        var failure: ErrandError?
    }

    private let raw: any ByteConnection
    private let role: WebSocketRole
    private let compression: PermessageDeflate?
    private let options: WebSocketOptions
    private let rest: [UInt8]
    private let state = Locked(State())
    private let bell = Doorbell()
    /// Resolved when the close frame is written, or nothing is written any more.
    private let farewell = PipelinePromise<Void, any Error>()
    private let timeline: Timeline
    private let alarm: Alarm

    /// A connection whose handshake is done.
    ///
    /// - Parameters:
    ///   - agreement: What was agreed on in it.
    ///   - rest: What came behind it.
    package init(
        _ raw: any ByteConnection, role: WebSocketRole, agreement: WebSocketClientHandshake.Agreement,
        options: WebSocketOptions, rest: [UInt8] = []
    ) {
        self.raw = raw
        self.role = role
        compression = agreement.compression
        self.options = options
        self.rest = rest
        timeline = Timeline(options.clock)
        alarm = Alarm(timeline)
    }

    package var receivedCount: Int64 { state.withLock { $0.received } }

    package func flush() {
        bell.ring()
    }

    package func ping() async throws {
        let answer = PipelinePromise<Void, any Error>()
        let number = state.withLock { state -> Int? in
            guard !state.isOver, let number = state.machine.ping() else { return nil }
            state.pings[number] = answer
            return number
        }
        guard let number else { throw ErrandError(.webSocketClosed) }
        bell.ring()
        answer.onCancel { [self] in
            state.withLock { state in
                state.machine.forget(ping: number)
                state.pings[number] = nil
            }
        }
        try await answer.value
    }

    package func run(_ inbox: WebSocketInbox, _ outbox: WebSocketOutbox) async throws -> WebSocketClosure {
        defer { finish() }
        return try await withThrowingTaskGroup(of: WebSocketClosure?.self) { group in
            group.addTask {
                await self.write(outbox)
                try await self.outliveWriting()
                return nil
            }
            group.addTask { try await self.readToEnd(inbox) }
            defer {
                if !state.withLock({ $0.isLingering }) { raw.close() }
                group.cancelAll()
            }
            // When nothing can be written any more, the reader learns why in its own time, which is bounded then.
            while let end = try await group.next() {
                if let end { return end }
            }
            throw ErrandError(.cancelled)
        }
    }

    /// Returns when it is no fault that nothing is written any more. A reader that waits for room in its inbox does not see
    /// that the connection is lost, so it is given as long as a close, and no longer.
    private func outliveWriting() async throws {
        if state.withLock({ $0.machine.hasSentClose }) { return }
        let end = timeline.now + max(options.closeTimeout, .zero).bounded
        guard (try? await timeline.sleep(until: end)) != nil else { return }
        let isExplained = state.withLock { $0.machine.received != nil || $0.machine.violation != nil }
        if !isExplained { throw ErrandError(transportFailure: URLError(.networkConnectionLost)) }
    }

    /// The first call counts.
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
        // The server closes first (section 7.1.1): who closes with something unread may destroy what it has sent. Nobody
        // waits for that, and the alarm bounds it.
        _ = TaskContext.detached {
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
            // Nobody but the alarm has closed it: whatever the other side was to do, it did not in time.
            let failure = ErrandError(transportFailure: error.isCancellation ? URLError(.networkConnectionLost) : error)
            state.withLock { $0.failure = failure }
            throw failure
        }
        return state.withLock { $0.machine.received } ?? WebSocketClosure(code: .abnormal)
    }

    /// Reads until both sides have said goodbye.
    private func read(_ inbox: WebSocketInbox) async throws {
        var decoder = WebSocketMessageDecoder(
            role: role, compression: compression, maximumFrameSize: max(options.maximumFrameSize, 1),
            maximumMessageSize: max(options.maximumMessageSize, 1))
        decoder.append(rest)
        do {
            while try await !receive(from: &decoder, inbox) {
                guard let bytes = try await raw.read() else { throw URLError(.networkConnectionLost) }
                state.withLock { $0.received += Int64(bytes.count) }
                decoder.append(bytes)
            }
        } catch let violation as WebSocketViolation {
            state.withLock { $0.machine.fail(violation) }
            boundEnd()
            bell.ring()
            try await farewell.value
            throw violation
        }
        boundEnd()
        bell.ring()
        try await farewell.value
        state.withLock { $0.isLingering = role == .client }
    }

    /// Acts on all that is whole.
    ///
    /// - Returns: Whether the other side has said its last.
    private func receive(
        from decoder: inout WebSocketMessageDecoder, _ inbox: WebSocketInbox
    ) async throws -> Bool {
        while let event = try decoder.next() {
            switch state.withLock({ $0.machine.receive(event) }) {
            case .nothing: break
            case .deliver(let message): try await inbox.put(message)
            case .write: bell.ring()
            case .answered(let numbers):
                let answered = state.withLock { state in numbers.compactMap { state.pings.removeValue(forKey: $0) } }
                for ping in answered { ping.resolve(with: .success(())) }
            case .closed: return true
            }
        }
        return false
    }
}

// The writer.
extension WebSocketConnection {
    /// As much as is written at once.
    private static let batchSize = 65_536

    /// Writes until the close frame is written, or the connection or the task ends.
    private func write(_ outbox: WebSocketOutbox) async {
        var batch = WebSocketBatch(
            WebSocketMessageEncoder(
                role: role, compression: compression, maximumFragmentSize: options.maximumFragmentSize))
        do {
            while !batch.isLast {
                fill(&batch, from: outbox)
                if batch.bytes.isEmpty {
                    try await bell.wait()
                } else {
                    if batch.isLast { boundEnd() }
                    try await raw.write(batch.bytes)
                    batch.succeed()
                }
            }
        } catch {
            boundEnd()
            // The end of the reader cancels the writer; nobody has cancelled those who wait for their message.
            let end = state.withLock { $0.failure } ?? ErrandError(.webSocketClosed)
            batch.fail(Task.isCancelled ? end : ErrandError(transportFailure: error))
        }
        // A message that the close frame came before.
        batch.fail(ErrandError(.webSocketClosed))
        farewell.resolve(with: .success(()))
    }

    /// Takes what is to be written next, control frames first.
    private func fill(_ batch: inout WebSocketBatch, from outbox: WebSocketOutbox) {
        while batch.bytes.count < Self.batchSize, !batch.isLast {
            if let control = state.withLock({ $0.machine.next() }) {
                batch.append(control)
            } else if batch.isInsideMessage {
                batch.appendFragment()
            } else if state.withLock({ $0.machine.maySend }), let entry = outbox.take() {
                switch entry.content {
                case .message(let message):
                    batch.begin(message, of: entry)
                case .close(let closure):
                    state.withLock { $0.machine.close(closure) }
                    entry.written.resolve(with: .success(()))
                }
            } else {
                return
            }
        }
    }
}

/// What is written at once, and who waits for it.
private struct WebSocketBatch {
    private var encoder: WebSocketMessageEncoder
    private(set) var bytes: [UInt8] = []
    /// Whether it ends with the close frame.
    private(set) var isLast = false
    /// Whose message ends in it.
    private var done: [WebSocketOutbox.Entry] = []
    /// Whose message is under way.
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

    /// It has been written.
    mutating func succeed() {
        for entry in done { entry.written.resolve(with: .success(())) }
        done = []
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 18)
    }

    /// What is not written never will be.
    mutating func fail(_ error: ErrandError) {
        for entry in done + [current].compactMap(\.self) { entry.written.resolve(with: .failure(error)) }
        (done, current) = ([], nil)
    }
}

extension ErrandError {
    /// A breach of the protocol, as its own code.
    init(_ violation: WebSocketViolation) {
        self.init(
            violation.code == .messageTooBig ? .webSocketMessageTooBig : .webSocketProtocolViolated,
            reason: violation.reason)
    }
}
