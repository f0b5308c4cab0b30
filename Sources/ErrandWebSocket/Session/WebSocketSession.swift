package import Errand

/// The lifetime of a WebSocket over one or several connections. It opens the first one on first use, reconnects, and
/// ends once.
///
/// One task opens the connections and runs them one after the other. The lock guards the state, which holds the tasks
/// that wait for its changes.
package final class WebSocketSession: Sendable {
    /// A closure that opens a connection.
    package typealias Connect = @Sendable () async throws -> any WebSocketChannel
    /// A closure that runs on each connection before anything else is sent.
    package typealias Greeting =
        @Sendable (WebSocketOpening, _ send: @escaping @Sendable (WebSocketMessage) async throws -> Void) async throws
        ->
        Void

    private let options: WebSocketOptions
    private let connect: Connect
    private let greeting: Greeting?
    let timeline: Timeline
    private let outbox = WebSocketOutbox()
    let inbox: WebSocketInbox
    private let state: Locked<WebSocketSessionState>

    /// - Parameters:
    ///   - options: The limits, the heartbeat and the reconnection.
    ///   - request: The request that errors include; `nil` for none.
    ///   - greeting: The closure that sends the first messages of each new connection.
    package init(
        _ options: WebSocketOptions, request: URLRequest? = nil, greeting: Greeting? = nil, connect: @escaping Connect
    ) {
        self.options = options
        state = Locked(WebSocketSessionState(request: request))
        self.connect = connect
        self.greeting = greeting
        timeline = Timeline(options.clock)
        inbox = WebSocketInbox(capacity: options.incomingBufferSize)
    }

    /// The closure of the WebSocket; `nil` while it is open.
    package var closure: WebSocketClosure? { state.withLock { $0.closure } }

    /// Starts the task that opens the connections, unless it was started before or the WebSocket has ended.
    package func begin() {
        guard state.withLock({ $0.begin() }) else { return }
        // The WebSocket outlives the request in whose code it may be started.
        let task = Task { await Handshake.outsideOfRuns { await self.run() } }
        if state.withLock({ $0.started(task) }) { task.cancel() }
    }

    /// Waits until there is a connection and returns the server's response; returns immediately if there is one.
    package func open() async throws -> WebSocketOpening {
        begin()
        let promise = PipelinePromise<WebSocketOpening, any Error>()
        if let known = state.withLock({ $0.waitForOpening(promise) }) { return try known.get() }
        return try await promise.value
    }

    /// Creates a reader, which gets every message from the first one that no reader has taken.
    package func makeReader() -> WebSocketInbox.Reader { inbox.makeReader() }

    /// Returns the next message of a reader; `nil` when the WebSocket was closed normally. Cancelling the task ends the
    /// WebSocket immediately.
    package func next(for reader: WebSocketInbox.Reader) async throws -> WebSocketMessage? {
        begin()
        return try await withCancellationHandler {
            try await reader.next()
        } onCancel: {
            cancel()
        }
    }

    /// Sends a message after those that wait, and returns when it is written.
    package func send(_ message: WebSocketMessage) async throws {
        try await send(message, isExpress: false)
    }

    /// - Parameter isExpress: Whether the message belongs to the greeting, and is sent before those that wait.
    private func send(_ message: WebSocketMessage, isExpress: Bool) async throws {
        if Task.isCancelled { throw ErrandError(.cancelled) }
        begin()
        let mustYield = state.withLock { $0.countSent(message.size) }
        let entry = WebSocketOutbox.Entry(.message(message))
        try outbox.add(entry, isExpress: isExpress)
        entry.written.onCancel { [outbox] in outbox.withdraw(entry) }
        try await describingErrors { try await entry.written.value }
        // A message that is written at once does not suspend the task, which may run on the main actor.
        if mustYield { await Task.yield() }
    }

    /// Sends a ping over the current connection, or the next one, and waits for the pong.
    package func ping() async throws {
        while true {
            _ = try await open()
            // Without a connection, the latest one has just ended.
            if let channel = state.withLock({ $0.channel }) {
                return try await describingErrors { try await channel.ping() }
            }
        }
    }

    /// Adds the request to an error of the connection.
    private func describingErrors(_ body: () async throws -> Void) async throws {
        do { try await body() } catch { throw state.withLock { $0.describing(error) } }
    }

    /// Sends a close frame after the waiting messages, and returns when the other side has responded or the timeout has
    /// passed.
    package func close(_ closure: WebSocketClosure) async throws -> WebSocketClosure {
        inbox.discard()
        let promise = PipelinePromise<WebSocketClosure, any Error>()
        let action = state.withLock { $0.close(promise) }
        switch action {
        case .known(let closure): return closure
        case .endNow:
            end(.closed(WebSocketClosure(code: .abnormal)))
            state.withLock { $0.task }?.cancel()
        case .sendClose(let channel):
            let entry = WebSocketOutbox.Entry(.close(closure))
            // Adding the entry fails only if the WebSocket has already ended.
            try? outbox.add(entry)
            channel.startCloseTimeout()
            // A greeting that has not ended must not delay the close frame.
            outbox.release()
        case .wait: break
        }
        promise.onCancel { self.cancel() }
        return try await promise.value
    }

    /// Waits until the WebSocket has ended, without ending it. Returns earlier if the task is cancelled.
    package func waitForEnd() async {
        let promise = PipelinePromise<Void, any Error>()
        if state.withLock({ $0.waitForEnd(promise) }) { _ = await promise.outcome }
    }

    /// Ends the WebSocket immediately, without a close frame.
    package func cancel() {
        end(.failed(ErrandError(.cancelled)))
        state.withLock { $0.task }?.cancel()
    }
}

// The task.
extension WebSocketSession {
    /// Opens one connection after another, until the session ends or no more reconnections are allowed.
    private func run() async {
        var schedule = options.reconnection?.schedule
        var attempts = 0
        while true {
            var openedAt: Duration?
            let ending = await runOnce(openedAt: &openedAt)
            // Messages wait until the greeting of the next connection is sent.
            outbox.hold(failing: ending.error)
            guard let reconnection = options.reconnection, mayReconnect(after: ending, reconnection) else {
                return end(ending)
            }
            // After a connection that lasted, the waits begin again.
            if let openedAt, timeline.now - openedAt >= max(reconnection.maximumWait, .seconds(1)) {
                schedule = reconnection.schedule
                attempts = 0
            }
            guard attempts < reconnection.maximumAttempts ?? .max,
                let wait = schedule?.next(serverWait: nil, chance: reconnection.random()),
                (try? await timeline.sleep(until: timeline.now + wait)) != nil
            else { return end(ending) }
            attempts += 1
        }
    }

    /// Returns `true` if a new connection may follow one that ended in this way.
    private func mayReconnect(
        after ending: WebSocketSessionState.Ending, _ reconnection: WebSocketReconnection
    ) -> Bool {
        if Task.isCancelled || state.withLock({ $0.isClosing }) { return false }
        return switch ending {
        case .closed(let closure): reconnection.reconnects(after: closure)
        case .lost(let error): reconnection.reconnects(after: error)
        case .failed: false
        }
    }

    /// Runs one connection from its handshake to its end.
    ///
    /// - Parameter openedAt: Set to the time at which the connection was opened; unchanged if it was not.
    private func runOnce(openedAt: inout Duration?) async -> WebSocketSessionState.Ending {
        let channel: any WebSocketChannel
        do {
            channel = try await connect()
        } catch {
            return .lost(error)
        }
        openedAt = timeline.now
        guard let opening = makeCurrent(channel) else { return .failed(ErrandError(.cancelled)) }
        defer { state.withLock { $0.channel = nil } }
        do {
            return .closed(try await serve(channel, opening))
        } catch let failure as GreetingFailure {
            return .failed(failure.cause)
        } catch {
            return .lost(error)
        }
    }

    /// Makes the connection the current one, and resumes the tasks that wait for it. Returns `nil` if the WebSocket has
    /// already ended.
    private func makeCurrent(_ channel: any WebSocketChannel) -> WebSocketOpening? {
        let (opening, waiters) = state.withLock { $0.opened(channel) }
        guard let opening else { return nil }
        for waiter in waiters { waiter.resolve(with: .success(opening)) }
        return opening
    }

    /// Runs the connection, its greeting and its heartbeat, until the connection is closed or one of them fails.
    private func serve(
        _ channel: any WebSocketChannel, _ opening: WebSocketOpening
    ) async throws -> WebSocketClosure {
        try await withThrowingTaskGroup(of: WebSocketClosure?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                do {
                    return try await channel.run(self.inbox, self.outbox)
                } catch {
                    // The greeting is cancelled after this, and must not report that as the reason.
                    self.outbox.hold(failing: error)
                    throw error
                }
            }
            group.addTask {
                do {
                    if try await self.greet(opening) { self.outbox.release() }
                } catch let failure as GreetingFailure {
                    channel.fail(failure.cause)
                    throw failure
                }
                return nil
            }
            if let heartbeat = options.heartbeat {
                group.addTask {
                    await self.watch(channel, heartbeat)
                    return nil
                }
            }
            while let result = try await group.next() {
                if let result { return result }
            }
            // Not reached: the connection returns a closure or throws.
            throw ErrandError(.cancelled)
        }
    }

    /// Runs the greeting of a new connection before the waiting messages.
    ///
    /// - Returns: Whether it succeeded. If not, a message was not sent, and the connection is about to fail with the
    ///   cause.
    /// - Throws: `GreetingFailure` if the greeting failed for another reason.
    private func greet(_ opening: WebSocketOpening) async throws -> Bool {
        let isLost = Locked(false)
        do {
            try await greeting?(opening) { message in
                do {
                    try await self.send(message, isExpress: true)
                } catch {
                    // A cancellation comes from the greeting itself, and not from the connection.
                    if !error.isCancellation { isLost.withLock { $0 = true } }
                    throw error
                }
            }
            return true
        } catch {
            guard isLost.withLock({ $0 }) else { throw GreetingFailure(cause: error) }
            return false
        }
    }

    /// Ends the WebSocket once, and resumes all tasks that wait.
    private func end(_ ending: WebSocketSessionState.Ending) {
        guard let ended = state.withLock({ $0.end(ending) }) else { return }
        for opener in ended.openers { opener.resolve(with: .failure(ended.sendFailure)) }
        outbox.end(ended.sendFailure)
        inbox.end(ended.result, isDroppingRest: ended.isCancelled)
        for closer in ended.closers { closer.resolve(with: .success(ended.closure)) }
        // The watchers come last, since a watcher may cancel the tasks that wait for the other promises.
        for watcher in ended.watchers { watcher.resolve(with: .success(())) }
    }
}

/// The error that the caller's greeting threw. A new connection would not help.
private struct GreetingFailure: Error {
    var cause: any Error
}
