public import Errand

/// An open WebSocket connection: a ``WebSocketConnection`` over a byte connection, or Foundation's, over a
/// `URLSessionTransport` on Apple platforms.
package protocol WebSocketChannel: Sendable {
    /// The result of the handshake.
    var opening: WebSocketOpening { get }

    /// The number of received bytes, which shows whether the other side is alive.
    var receivedCount: Int64 { get }

    /// The number of sent bytes that have left this system, which shows whether the other side reads.
    var sentCount: Int64 { get }

    /// Moves received messages into the inbox and sends those in the outbox, until the connection ends. It is called
    /// once.
    ///
    /// Cancelling the task closes the connection immediately.
    ///
    /// - Returns: The closure that the other side sent. If it did not respond to the close frame of this side,
    ///   ``WebSocketCloseCode/abnormal``.
    /// - Throws: ``/Errand/ErrandError`` if the connection ends in any other way. Messages and pings that wait fail
    ///   with the same error.
    func run(_ inbox: WebSocketInbox, _ outbox: WebSocketOutbox) async throws -> WebSocketClosure

    /// Ends the connection with this error, unless it already ends for another reason that the other side has given.
    func fail(_ error: any Error)

    /// Starts the close timeout, because this side closes the connection. If the other side has not closed it within
    /// ``WebSocketOptions/closeTimeout``, this side closes it without waiting.
    func startCloseTimeout()

    /// Sends a ping and waits for the pong (RFC 6455, section 5.5.2).
    ///
    /// - Throws: The reason for the end of the connection if it ends before the pong.
    func ping() async throws
}

/// The response with which the server opened a WebSocket.
public struct WebSocketOpening: Sendable {
    /// The header fields of the response.
    public let headers: HeaderFields
    /// The subprotocol that the server has chosen; `nil` for none.
    public let subprotocol: String?
    /// Whether messages may be compressed; `nil` if the platform does not report it.
    public let isCompressed: Bool?
    /// The number of this connection within its WebSocket. It starts at 1 and grows by one with each reconnection.
    public internal(set) var number = 1

    init(headers: HeaderFields, subprotocol: String?, isCompressed: Bool?) {
        self.headers = headers
        self.subprotocol = subprotocol
        self.isCompressed = isCompressed
    }
}
