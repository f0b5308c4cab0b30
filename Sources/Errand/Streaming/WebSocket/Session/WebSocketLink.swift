/// An open connection and the result of its handshake.
package struct WebSocketLink: Sendable {
    package var channel: any WebSocketChannel
    package var opening: WebSocketOpening

    package init(channel: any WebSocketChannel, opening: WebSocketOpening) {
        self.channel = channel
        self.opening = opening
    }
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

    package init(headers: HeaderFields, subprotocol: String?, isCompressed: Bool?) {
        self.headers = headers
        self.subprotocol = subprotocol
        self.isCompressed = isCompressed
    }
}
