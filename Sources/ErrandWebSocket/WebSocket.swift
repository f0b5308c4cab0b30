public import Errand

/// A connection over which both sides can send messages at any time (RFC 6455).
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
/// The WebSocket connects when it is first used. Messages that are sent before the connection is open wait, and are
/// sent in order. Elements are results, so that a message that cannot be decoded does not end the stream. The stream
/// ends when this side closes, or when the other side closes normally (1000, 1001, or no code). Any other end is
/// thrown.
///
/// Each loop receives every message, from the first one that no loop has received when it begins.
///
/// Received messages wait in memory up to ``WebSocketOptions/incomingBufferSize``. When the buffer is full, the socket
/// is not read, and the server has to wait. A program that only sends must therefore also read, for example with
/// `for try await _ in socket {}`.
///
/// Several tasks may send at once; their messages are never interleaved. Cancelling a task that reads closes the
/// connection immediately, and so does releasing the last copy of this value.
public struct WebSocket<Incoming: Sendable, Outgoing: Sendable>: Sendable {
    /// A closure that runs on each new connection before any waiting message is sent. `send` sends a message on this
    /// connection, before those that wait. An error that the closure throws ends the WebSocket, unless the connection
    /// was lost while it sent.
    public typealias OpenHandler =
        @Sendable (_ opening: WebSocketOpening, _ send: @Sendable (Outgoing) async throws -> Void) async throws -> Void

    fileprivate let coding: WebSocketCoding<Incoming, Outgoing>
    private let lease: WebSocketLease
    /// The conversion of thrown errors by the API class and the service; `nil` leaves them unchanged.
    private var errorMapping: (@Sendable (any Error) -> any Error)?

    init(_ coding: WebSocketCoding<Incoming, Outgoing>, _ session: WebSocketSession) {
        self.coding = coding
        lease = WebSocketLease(session)
    }

    /// Returns this WebSocket with a conversion of its errors, which follows the earlier conversions.
    func mapError(_ transform: @escaping @Sendable (any Error) -> any Error) -> WebSocket {
        var socket = self
        socket.errorMapping = { [errorMapping] in transform(errorMapping?($0) ?? $0) }
        return socket
    }

    /// Returns the result of the closure, or throws its error after the conversion.
    fileprivate func mapping<Value>(_ body: () async throws -> Value) async throws -> Value {
        guard let errorMapping else { return try await body() }
        do { return try await body() } catch { throw errorMapping(error) }
    }

    var session: WebSocketSession { lease.session }

    /// The closure of the WebSocket; `nil` while it is open. The code is ``WebSocketCloseCode/abnormal`` if there was
    /// no close frame.
    public var closure: WebSocketClosure? { session.closure }

    /// Connects, unless it is already connected or connecting, and waits until the connection is open.
    ///
    /// Calling this method is optional, since sending, reading and ``ping()`` connect too. With a
    /// ``WebSocketReconnection``, it waits for the next connection if the current one was lost.
    ///
    /// - Throws: ``/Errand/ErrandError`` with `unacceptableStatusCode` and the response if the server refuses the
    ///   upgrade, with `webSocketHandshakeFailed` for an invalid upgrade, or with `webSocketClosed` after a normal end.
    ///   After any other end, it throws the error of that end. Other failures throw the errors of a request. Cancelling
    ///   the task ends the wait, but not the WebSocket.
    @discardableResult
    public func open() async throws -> WebSocketOpening {
        try await mapping { try await session.open() }
    }

    /// Sends a value, and returns when the system has accepted the whole message.
    ///
    /// Messages are sent in the order of the calls, also across tasks. When this method returns, the server may not
    /// have read the message yet.
    ///
    /// - Throws: ``/Errand/ErrandError`` with `bodyEncodingFailed` if the value cannot be encoded, or with
    ///   `webSocketClosed` after a normal end; after any other end, the error of that end. If the connection ends while
    ///   the message is sent, it throws the error of the connection: `webSocketClosed` with the closure of the server,
    ///   `webSocketProtocolViolated`, `timedOut` after a heartbeat, and so on. It is then unknown whether the message
    ///   arrived, and it is not sent again. Cancelling the task ends the wait immediately, and a message that was not
    ///   started is not sent.
    public func send(_ value: Outgoing) async throws {
        try await mapping { try await session.send(try coding.message(value)) }
    }

    /// Sends a ping and waits for its pong (RFC 6455, section 5.5.2).
    ///
    /// - Throws: The errors of ``open()``. If the connection ends before the pong, the error of the connection, as
    ///   ``send(_:)`` does.
    public func ping() async throws {
        try await mapping { try await session.ping() }
    }

    /// Sends a close frame and waits for that of the other side, at most ``WebSocketOptions/closeTimeout``, ten seconds
    /// by default.
    ///
    /// Messages that wait are sent first, within the same time. Messages that are received from now on are discarded.
    /// Further calls only wait. Without an open connection, the WebSocket ends immediately, and messages that wait fail
    /// with `webSocketClosed`.
    ///
    /// - Parameters:
    ///   - code: The reason as a code. A code that must not be sent, such as 1005, is omitted, together with the
    ///     reason.
    ///   - reason: A text for the other side's log, truncated to 123 bytes of UTF-8.
    /// - Returns: The closure with the other side's code, or ``WebSocketCloseCode/abnormal`` if it did not respond.
    /// - Throws: ``/Errand/ErrandError`` with `cancelled` if the task is cancelled. The connection is then closed
    ///   immediately.
    @discardableResult
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async throws -> WebSocketClosure {
        try await mapping { try await session.close(WebSocketClosure(code: code, reason: reason)) }
    }

    /// Closes the connection immediately, without a close frame. Tasks that read or send fail with `cancelled`.
    public func cancel() {
        session.cancel()
    }
}

extension WebSocket: AsyncSequence {
    /// A decoded message, or the error of decoding it.
    public typealias Element = Result<Incoming, ErrandError>

    /// Creates an iterator that starts with the first message that no iterator has returned. If there are several
    /// iterators, each receives every message, and the slowest slows the server down.
    ///
    /// `next()` returns `nil` when the other side has closed normally, or this side has closed. It throws
    /// ``/Errand/ErrandError``, once, for any other end, and with `cancelled` when the task is cancelled, which closes
    /// the connection.
    @inlinable
    public func makeAsyncIterator() -> some AsyncIteratorProtocol<Result<Incoming, ErrandError>, any Error> & Sendable {
        MessageIterator(self)
    }
}

/// An iterator over the messages of a WebSocket.
@usableFromInline
struct MessageIterator<Incoming: Sendable, Outgoing: Sendable>: AsyncIteratorProtocol, Sendable {
    private let socket: WebSocket<Incoming, Outgoing>
    private let reader: WebSocketInbox.Reader
    private var isOver = false

    @usableFromInline
    init(_ socket: WebSocket<Incoming, Outgoing>) {
        self.socket = socket
        reader = socket.session.makeReader()
    }

    @usableFromInline
    mutating func next() async throws -> Result<Incoming, ErrandError>? {
        try await next(isolation: #isolation)
    }

    @usableFromInline
    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Result<Incoming, ErrandError>? {
        guard !isOver else { return nil }
        do {
            let message = try await socket.mapping { [reader] in try await socket.session.next(for: reader) }
            isOver = message == nil
            return message.map(socket.coding.element)
        } catch {
            isOver = true
            throw error
        }
    }
}

/// The shared ownership of a session by all copies of a ``WebSocket``. Releasing the last copy closes the connection.
private final class WebSocketLease: Sendable {
    let session: WebSocketSession

    init(_ session: WebSocketSession) {
        self.session = session
    }

    deinit {
        session.cancel()
    }
}
