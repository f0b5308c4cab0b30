/// A connection that was opened, and what is known of it.
package struct WebSocketLink: Sendable {
    package var channel: any WebSocketChannel
    package var opening: WebSocketOpening

    package init(channel: any WebSocketChannel, opening: WebSocketOpening) {
        self.channel = channel
        self.opening = opening
    }
}

/// What the server said when it opened a WebSocket.
public struct WebSocketOpening: Sendable {
    /// The header fields of its answer.
    public let headers: HeaderFields
    /// The subprotocol that it has chosen; nil for none.
    public let subprotocol: String?
    /// Whether messages may be compressed; nil where the platform does not tell.
    public let isCompressed: Bool?
    /// Which connection of this WebSocket it is: 1, and one more for each that took the place of a lost one.
    public internal(set) var number = 1

    package init(headers: HeaderFields, subprotocol: String?, isCompressed: Bool?) {
        self.headers = headers
        self.subprotocol = subprotocol
        self.isCompressed = isCompressed
    }
}
