/// An open WebSocket connection. On Linux, Errand implements the protocol; on Apple platforms, `URLSession` does.
package protocol WebSocketChannel: Sendable {
    /// The number of received bytes, which shows whether the other side is alive.
    var receivedCount: Int64 { get }

    /// Moves received messages into the inbox and sends those in the outbox, until the connection ends. It is called
    /// once.
    ///
    /// Cancelling the task closes the connection immediately.
    ///
    /// - Returns: The closure that the other side sent. If it did not respond to the close frame of this side,
    ///   ``WebSocketCloseCode/abnormal``.
    /// - Throws: ``ErrandError`` if the connection ends in any other way.
    func run(_ inbox: WebSocketInbox, _ outbox: WebSocketOutbox) async throws -> WebSocketClosure

    /// Starts to send the entries of the outbox and returns without waiting.
    func flush()

    /// Starts the close timeout. If the other side has not closed the connection within
    /// ``WebSocketOptions/closeTimeout``, this side closes it.
    func boundEnd()

    /// Sends a ping and waits for the pong (RFC 6455, section 5.5.2).
    func ping() async throws
}
