import Errand

// The WebSockets of Foundation do not work on Linux.
#if canImport(Darwin)
/// The WebSockets of Foundation, on Apple platforms. This code has not been run yet.
///
/// Foundation decides on fragments, frames and compression. The ``WebSocketOptions`` for these have no effect here.
extension URLSessionTransport: WebSocketTransport {
    func openWebSocket(_ request: TransportRequest, _ options: WebSocketOptions) async throws -> OpenedWebSocket {
        var urlRequest = request.urlRequest
        urlRequest.url = urlRequest.url.map { url in
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
            components?.scheme = url.scheme?.lowercased() == "https" ? "wss" : "ws"
            return components?.url ?? url
        }
        if !options.subprotocols.isEmpty {
            urlRequest.setValue(
                options.subprotocols.joined(separator: ", "), forHTTPHeaderField: "Sec-WebSocket-Protocol")
        }
        let channel = URLSessionWebSocket(options)
        return try await channel.open(urlRequest, over: session)
    }
}

/// A WebSocket task and its delegate.
private final class URLSessionWebSocket: NSObject, WebSocketChannel, URLSessionWebSocketDelegate {
    private struct State {
        /// The task of Foundation; `nil` until ``open(_:over:)`` is called.
        var task: URLSessionWebSocketTask?
        /// The result of the handshake; empty until it succeeds.
        var opening = WebSocketOpening(headers: HeaderFields(), subprotocol: nil, isCompressed: nil)
        /// The closure that the other side sent; `nil` until its close frame arrives.
        var closure: WebSocketClosure?
        /// The error with which ``fail(_:)`` ends the connection.
        var cause: (any Error)?
        /// The error for pings, once ``run(_:_:)`` has ended.
        var end: (any Error)?

        /// Returns the reason for the end of the connection, or the given error if it is not known yet.
        func failure(_ error: any Error) -> any Error {
            end ?? cause ?? closure.map(ErrandError.init) ?? ErrandError(transportFailure: error)
        }
    }

    private let options: WebSocketOptions
    private let wakeSignal = WakeSignal()
    /// The outcome of the handshake: the subprotocol that the server has chosen, or the failure.
    private let opened = PipelinePromise<String?, any Error>()
    private let state = Locked(State())

    init(_ options: WebSocketOptions) {
        self.options = options
    }

    var opening: WebSocketOpening { state.withLock { $0.opening } }

    var receivedCount: Int64 { task?.countOfBytesReceived ?? 0 }

    var sentCount: Int64 { task?.countOfBytesSent ?? 0 }

    private var task: URLSessionWebSocketTask? { state.withLock { $0.task } }

    /// Performs the opening handshake, and returns its response, with this channel if the server accepted the upgrade.
    func open(_ request: URLRequest, over session: URLSession) async throws -> OpenedWebSocket {
        let task = session.webSocketTask(with: request)
        task.maximumMessageSize = max(options.maximumMessageSize, 1)
        task.delegate = self
        state.withLock { $0.task = task }
        opened.onCancel { task.cancel() }
        task.resume()
        do {
            let subprotocol = try await opened.value
            let headers = (task.response as? HTTPURLResponse).map(HeaderFields.init) ?? HeaderFields()
            state.withLock {
                $0.opening = WebSocketOpening(headers: headers, subprotocol: subprotocol, isCompressed: nil)
            }
            return OpenedWebSocket(
                response: DataResponse(statusCode: 101, headers: headers, body: ResponseBody(Data())),
                channel: self)
        } catch {
            // A refused upgrade is a failure for the task, but has a response.
            guard let head = task.response as? HTTPURLResponse, head.statusCode != 101 else { throw error }
            return OpenedWebSocket(
                response: DataResponse(
                    statusCode: head.statusCode, headers: HeaderFields(head), body: ResponseBody(Data())))
        }
    }

    func run(_ inbox: WebSocketInbox, _ outbox: WebSocketOutbox) async throws -> WebSocketClosure {
        guard let task else { throw ErrandError(.webSocketClosed) }
        let unwritten = Locked<WebSocketOutbox.Entry?>(nil)
        do {
            let closure = try await runTasks(inbox, outbox, unwritten, over: task)
            finish(ErrandError(closure), unwritten)
            return closure
        } catch {
            finish(error, unwritten)
            throw error
        }
    }

    func fail(_ error: any Error) {
        state.withLock { if $0.cause == nil, $0.closure == nil { $0.cause = error } }
        task?.cancel()
    }

    /// Fails the message that was not written with the reason for the end of the connection.
    private func finish(_ error: any Error, _ unwritten: Locked<WebSocketOutbox.Entry?>) {
        state.withLock { $0.end = error }
        unwritten.withLock { $0 }?.written.resolve(with: .failure(error))
    }

    /// - Parameter unwritten: Set to the entry whose message could not be written.
    private func runTasks(
        _ inbox: WebSocketInbox, _ outbox: WebSocketOutbox, _ unwritten: Locked<WebSocketOutbox.Entry?>,
        over task: URLSessionWebSocketTask
    ) async throws -> WebSocketClosure {
        let connection = outbox.attach { [wakeSignal] in wakeSignal.signal() }
        return try await withCancellationHandler {
            try await withThrowingTaskGroup(of: WebSocketClosure?.self) { group in
                defer {
                    group.cancelAll()
                    task.cancel()
                }
                group.addTask {
                    await self.write(outbox, connection, to: task, unwritten)
                    return nil
                }
                group.addTask { try await self.read(inbox, from: task) }
                while let end = try await group.next() {
                    if let end { return end }
                }
                // Not reached: the reader returns a closure or throws.
                throw ErrandError(.cancelled)
            }
        } onCancel: {
            task.cancel()
        }
    }

    /// Each call starts a timeout. Only the first one to pass has an effect.
    func startCloseTimeout() {
        Task { [options, weak self] in
            try await options.clock.sleep(for: max(options.closeTimeout, .zero).bounded)
            self?.task?.cancel()
        }
    }

    func ping() async throws {
        guard let task else { throw ErrandError(.webSocketClosed) }
        let pong = PipelinePromise<Void, any Error>()
        task.sendPing { [state] error in
            guard let error else { return pong.resolve(with: .success(())) }
            pong.resolve(with: .failure(state.withLock { $0.failure(error) }))
        }
        try await pong.value
    }

    /// Reads until the connection ends, and returns or throws the reason.
    private func read(_ inbox: WebSocketInbox, from task: URLSessionWebSocketTask) async throws -> WebSocketClosure {
        while true {
            do {
                switch try await task.receive() {
                case .string(let text): try await inbox.put(.text(text))
                case .data(let data): try await inbox.put(.data(data))
                @unknown default: break
                }
            } catch {
                if let closure = state.withLock({ $0.closure }) { return closure }
                if let cause = state.withLock({ $0.cause }) { throw cause }
                if Task.isCancelled { throw ErrandError(.cancelled) }
                throw ErrandError(transportFailure: error)
            }
        }
    }

    /// Sends the entries of the outbox, one after another, until one fails or the task is cancelled. The next
    /// connection can send the entries that remain.
    ///
    /// - Parameter unwritten: Set to the entry whose message could not be written. It fails when the reader has found
    ///   the reason.
    private func write(
        _ outbox: WebSocketOutbox, _ connection: Int, to task: URLSessionWebSocketTask,
        _ unwritten: Locked<WebSocketOutbox.Entry?>
    ) async {
        while !Task.isCancelled {
            guard case .entry(let entry) = outbox.take(for: connection) else {
                guard (try? await wakeSignal.wait()) != nil else { return }
                continue
            }
            do {
                switch entry.content {
                case .message(.text(let text)): try await task.send(.string(text))
                case .message(.data(let data)): try await task.send(.data(data))
                case .close(let closure):
                    let code = URLSessionWebSocketTask.CloseCode(rawValue: Int(closure.code.rawValue))
                    task.cancel(with: code ?? .normalClosure, reason: Data(closure.sendableReason.utf8))
                }
                entry.written.resolve(with: .success(()))
            } catch {
                return unwritten.withLock { $0 = entry }
            }
        }
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol subprotocol: String?
    ) {
        opened.resolve(with: .success(subprotocol))
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith code: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
        let closure = WebSocketClosure(
            code: WebSocketCloseCode(rawValue: UInt16(clamping: code.rawValue)),
            reason: reason.map { String(decoding: $0, as: UTF8.self) } ?? "")
        state.withLock { $0.closure = closure }
    }

    /// Follows no redirect, which would send the credentials to another server.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        opened.resolve(with: .failure(error ?? URLError(.networkConnectionLost)))
    }
}
#endif
