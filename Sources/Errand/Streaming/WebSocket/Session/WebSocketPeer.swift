/// The server's end of a WebSocket, in tests: what a stub or a mock server speaks with.
///
/// Letting go of it cuts the connection.
public final class WebSocketPeer: Sendable {
    /// The header fields of the request that it was opened with.
    public let headers: HeaderFields
    /// The target of that request: its path and its query, percent-encoded.
    public let target: String
    /// The subprotocol that was agreed on.
    public let subprotocol: String?
    private let session: WebSocketSession
    private let raw: any ByteConnection

    package init(
        over raw: any ByteConnection, headers: HeaderFields, target: String,
        agreement: WebSocketClientHandshake.Agreement, options: WebSocketOptions, rest: [UInt8] = []
    ) {
        self.headers = headers
        self.target = target
        self.raw = raw
        subprotocol = agreement.subprotocol
        let opening = WebSocketOpening(
            headers: headers, subprotocol: agreement.subprotocol, isCompressed: agreement.compression != nil)
        let channel = WebSocketConnection(raw, role: .server, agreement: agreement, options: options, rest: rest)
        session = WebSocketSession(options) { WebSocketLink(channel: channel, opening: opening) }
        session.begin()
    }

    deinit {
        session.cancel()
    }

    /// The next message; nil when the client has closed in good order.
    ///
    /// - Throws: ``ErrandError`` for any other end.
    public func receive() async throws -> WebSocketMessage? {
        try await session.next()
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

    /// Says goodbye, and waits for the answer.
    ///
    /// - Returns: What the client answered; ``WebSocketCloseCode/abnormal`` where it did not.
    @discardableResult
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async throws -> WebSocketClosure {
        // The session may not have come to its connection yet, and would have none to say goodbye over.
        _ = try? await session.open()
        return try await session.close(WebSocketClosure(code: code, reason: reason))
    }

    /// Runs `body`, cancels it when the connection has ended, and cuts the connection when `body` returns or throws.
    ///
    /// When the connection has ended, all messages of the client are in the inbox, so that `body` can still receive them,
    /// although it is cancelled.
    package func run(_ body: @escaping @Sendable (WebSocketPeer) async throws -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await body(self) }
            group.addTask { [session] in await session.waitForEnd() }
            await group.next()
            cut()
            group.cancelAll()
        }
    }

    /// Cuts the connection without a goodbye.
    public func cut() {
        raw.close()
    }
}
