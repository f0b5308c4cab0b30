/// An open WebSocket connection, whoever speaks the protocol: Errand itself on Linux, `URLSession` on Apple platforms.
package protocol WebSocketChannel: Sendable {
    /// How many bytes have come, so that it shows whether the other side is alive.
    var receivedCount: Int64 { get }

    /// Puts what comes into the inbox and sends what is in the outbox, until the connection ends; called once.
    ///
    /// When the task is cancelled the connection is cut at once.
    ///
    /// - Returns: What the other side's close frame said; ``WebSocketCloseCode/abnormal`` where this side said goodbye and
    ///   got no answer.
    /// - Throws: ``ErrandError`` when the connection ends in any other way.
    func run(_ inbox: WebSocketInbox, _ outbox: WebSocketOutbox) async throws -> WebSocketClosure

    /// Says that there is something in the outbox.
    func flush()

    /// Says that the end is wanted: from here on the other side has ``WebSocketOptions/closeTimeout`` to come to it, and is
    /// cut off after that.
    func boundEnd()

    /// Sends a ping and waits for the pong (RFC 6455, section 5.5.2).
    func ping() async throws
}
