public import Errand
public import ErrandWebSocket

/// The server's end of a WebSocket in tests, for a stub or a mock server.
///
/// Releasing it closes the connection.
public final class WebSocketPeer: Sendable {
    /// The header fields of the request that opened the WebSocket.
    public let headers: HeaderFields
    /// The target of that request: its path and its query, percent-encoded.
    public let target: String
    /// The negotiated subprotocol; `nil` for none.
    public let subprotocol: String?
    private let session: WebSocketSession
    private let reader: WebSocketInbox.Reader
    private let raw: any ByteConnection

    package init(
        over raw: any ByteConnection, headers: HeaderFields, target: String,
        agreement: WebSocketAgreement, options: WebSocketOptions, rest: [UInt8] = []
    ) {
        self.headers = headers
        self.target = target
        self.raw = raw
        subprotocol = agreement.subprotocol
        let channel = WebSocketConnection(
            raw, role: .server, agreement: agreement, headers: headers, options: options, rest: rest)
        session = WebSocketSession(options) { channel }
        reader = session.makeReader()
        session.begin()
    }

    deinit {
        session.cancel()
    }

    /// Returns the next message; `nil` when the client has closed normally.
    ///
    /// - Throws: ``/Errand/ErrandError`` for any other end.
    public func receive() async throws -> WebSocketMessage? {
        try await session.next(for: reader)
    }

    /// Sends a message, and returns when it is written.
    public func send(_ message: WebSocketMessage) async throws {
        try await session.send(message)
    }

    /// Sends a text, and returns when it is written.
    public func send(_ text: String) async throws {
        try await session.send(.text(text))
    }

    /// Sends bytes, and returns when they are written.
    public func send(_ data: Data) async throws {
        try await session.send(.data(data))
    }

    /// Sends a ping and waits for the pong.
    public func ping() async throws {
        try await session.ping()
    }

    /// Sends a close frame and waits for that of the client.
    ///
    /// - Returns: The closure that the client sent; ``/ErrandWebSocket/WebSocketCloseCode/abnormal`` if it sent none.
    @discardableResult
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async throws -> WebSocketClosure {
        // The session may not have its connection yet, and could not send the close frame.
        _ = try? await session.open()
        return try await session.close(WebSocketClosure(code: code, reason: reason))
    }

    /// Runs `body` and closes the connection when `body` returns or throws. If the connection ends first, cancels
    /// `body`.
    ///
    /// By then the inbox contains all messages of the client, so `body` can still receive them, although it is
    /// cancelled.
    package func run(_ body: @escaping @Sendable (WebSocketPeer) async throws -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await body(self) }
            group.addTask { [session] in await session.waitForEnd() }
            await group.next()
            cut()
            group.cancelAll()
        }
    }

    /// Closes the connection without a close frame.
    public func cut() {
        raw.close()
    }
}
