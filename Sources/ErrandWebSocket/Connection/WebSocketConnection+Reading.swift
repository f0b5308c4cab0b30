import Errand

// The reader. Only it uses the decoder.
extension WebSocketConnection {
    /// Reads until the connection ends, and returns or throws the reason.
    func readToEnd(_ inbox: WebSocketInbox) async throws -> WebSocketClosure {
        do {
            try await read(inbox)
        } catch {
            let (machine, closedLate) = state.withLock { ($0.machine, $0.isClosing && $0.isTimedOut) }
            if Task.isCancelled { throw ErrandError(.cancelled) }
            if let violation = machine.violation { throw ErrandError(violation) }
            if let closure = machine.received { return closure }
            if machine.hasSentClose || closedLate { return WebSocketClosure(code: .abnormal) }
            // This task was not cancelled, so a cancelled read means that the close timeout has closed the connection.
            let isLost = error.isCancellation || (error as? URLError)?.code == .networkConnectionLost
            throw ErrandError(transportFailure: isLost ? TransportFailure.lostWebSocket : error)
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
            limitClosing()
            flush()
            try await writerEnded.value
            throw violation
        }
        limitClosing()
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
