/// A connection over which both sides send messages whenever they like (RFC 6455).
///
/// ```swift
/// let chat = RoomRequest(id: 7).startWebSocket()
/// try await chat.send(ChatCommand(text: "hello"))
/// for try await event in chat {
///     switch event {
///     case .success(let event): print(event)
///     case .failure(let error): print("not understood: \(error)")
///     }
/// }
/// try await chat.close()
/// ```
///
/// It connects when it is first used. What is sent before the connection is up waits, and is sent in order. Elements are
/// results, so that one message which cannot be decoded does not end the stream. The stream ends when the other side closes in
/// good order (1000, 1001, or no code); any other end is thrown.
///
/// What comes and is not taken waits in memory up to ``WebSocketOptions/incomingBufferSize``; then the socket is not read
/// any more, and the server has to wait. So a WebSocket that is only written to has to be read all the same, if with
/// `for try await _ in socket {}`.
///
/// Many tasks may send at once; a message is never torn apart by another. Cancelling a task that reads closes the
/// connection at once, and so does letting go of the last copy of this value.
public struct WebSocket<Incoming: Sendable, Outgoing: Sendable>: Sendable {
    private let coding: WebSocketCoding<Incoming, Outgoing>
    private let lease: WebSocketLease
    /// Converts what is thrown, for a service; `nil` throws it as it is.
    private var errorMapping: (@Sendable (any Error) -> any Error)?

    init(_ coding: WebSocketCoding<Incoming, Outgoing>, _ session: WebSocketSession) {
        self.coding = coding
        lease = WebSocketLease(session)
    }

    /// The same WebSocket, with other errors.
    func mapError(_ transform: @escaping @Sendable (any Error) -> any Error) -> WebSocket {
        var socket = self
        socket.errorMapping = { [errorMapping] in transform(errorMapping?($0) ?? $0) }
        return socket
    }

    private func mapping<Value>(_ body: () async throws -> Value) async throws -> Value {
        guard let errorMapping else { return try await body() }
        do { return try await body() } catch { throw errorMapping(error) }
    }

    var session: WebSocketSession { lease.session }

    /// How it ended; nil as long as it has not. ``WebSocketCloseCode/abnormal`` where nobody said goodbye.
    public var closure: WebSocketClosure? { session.closure }

    /// Connects, unless that is done or under way, and waits until the connection is up.
    ///
    /// It need not be called: everything else connects too. With a ``WebSocketReconnection`` it waits for the next connection
    /// while there is none.
    ///
    /// - Throws: ``ErrandError``: with `unacceptableStatusCode` and the answer where the server refuses, with
    ///   `webSocketHandshakeFailed` where it answers with no valid upgrade, otherwise as a request does.
    ///   Cancelling ends the wait, not the WebSocket.
    @discardableResult
    public func open() async throws -> WebSocketOpening {
        try await mapping { try await session.open() }
    }

    /// Sends a value, and returns when the system has taken all of its message.
    ///
    /// Messages go out in the order in which they were given, also by different tasks. When it has returned, the server need
    /// not have read the message.
    ///
    /// - Throws: ``ErrandError``: with `bodyEncodingFailed` where the value cannot be encoded; with `webSocketClosed` where
    ///   the WebSocket is closed; with what ended the connection where that happened first: whether the message has arrived
    ///   is not known then, and it is not sent again. Cancelling ends the wait at once, and a message that was not begun is
    ///   not sent.
    public func send(_ value: Outgoing) async throws {
        try await mapping { try await session.send(try coding.message(value)) }
    }

    /// Sends a ping and waits for its pong (RFC 6455, section 5.5.2).
    ///
    /// - Throws: ``ErrandError`` with `webSocketClosed`, or with what ended the connection.
    public func ping() async throws {
        try await mapping { try await session.ping() }
    }

    /// Says goodbye, and waits until the other side has answered, ten seconds at most unless
    /// ``WebSocketOptions/closeTimeout`` says otherwise.
    ///
    /// What waits to be sent goes first, in the same time. What comes from here on is dropped. Closing again only waits.
    ///
    /// - Parameters:
    ///   - code: Why; one that must not be sent, such as 1005, is left out, and the reason with it.
    ///   - reason: For the other side's log; at most 123 bytes of UTF-8, what is beyond is cut off.
    /// - Returns: How it ended: with the other side's code, or ``WebSocketCloseCode/abnormal`` where no answer came.
    /// - Throws: ``ErrandError`` with `cancelled` when the task is cancelled; the connection is cut at once then.
    @discardableResult
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async throws -> WebSocketClosure {
        try await mapping { try await session.close(WebSocketClosure(code: code, reason: reason)) }
    }

    /// Cuts the connection at once, without a goodbye: whoever reads or sends fails with `cancelled`.
    public func cancel() {
        session.cancel()
    }
}

extension WebSocket: AsyncSequence {
    /// One message as a value, or why it is none.
    public typealias Element = Result<Incoming, ErrandError>

    /// Gives the messages as they come. Of several readers, each gets some of them.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let socket: WebSocket
        fileprivate var isOver = false

        /// The next message; nil when the other side has closed in good order, or this side has.
        ///
        /// - Throws: ``ErrandError``, once, for any other end; with `cancelled` when the task is cancelled, which closes the
        ///   connection.
        public mutating func next() async throws -> Element? {
            guard !isOver else { return nil }
            do {
                let message = try await socket.mapping { try await socket.session.next() }
                isOver = message == nil
                return message.map(socket.coding.element)
            } catch {
                isOver = true
                throw error
            }
        }
    }

    /// Begins to read, from where others have come to.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(socket: self)
    }
}

/// Held by every copy of a ``WebSocket``; when the last goes, so does the connection.
private final class WebSocketLease: Sendable {
    let session: WebSocketSession

    init(_ session: WebSocketSession) {
        self.session = session
    }

    deinit {
        session.cancel()
    }
}
