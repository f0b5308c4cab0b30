import Errand
import ErrandTesting
public import ErrandWebSocket
public import ErrandWebSocketTesting

extension MockServer {
    /// Opens a WebSocket (RFC 6455) for requests whose path matches a pattern, and serves it.
    ///
    /// ```swift
    /// server.onWebSocket("/echo") { peer in
    ///     while let message = try await peer.receive() { try await peer.send(message) }
    /// }
    /// ```
    ///
    /// A request without an upgrade gets status 426, and one without a valid key 400.
    ///
    /// - Parameters:
    ///   - pattern: As for `on(_:_:handler:)`.
    ///   - subprotocols: The subprotocols of the server. The first one that the client requests is chosen.
    ///   - compression: The compression that the server accepts (RFC 7692); none by default.
    ///   - serve: Called for each connection. When it returns or throws, the connection is cut. It is cancelled when
    ///     the connection ends, because the client has closed it or is gone, and when the server stops. It can still
    ///     receive messages that arrived before. It is not cancelled while more than 256 KiB of messages wait to be
    ///     received.
    public func onWebSocket(
        _ pattern: String, subprotocols: [String] = [], compression: WebSocketOptions.Compression? = nil,
        serve: @escaping @Sendable (WebSocketPeer) async throws -> Void
    ) {
        on(.get, pattern) { request in
            let handshake: WebSocketServerHandshake
            do {
                handshake = try WebSocketServerHandshake(
                    to: request.headers, subprotocols: subprotocols, compression: compression)
            } catch let refusal as WebSocketServerHandshake.Refusal {
                return MockResponse(statusCode: refusal.statusCode, headers: refusal.headers)
            }
            var response = MockResponse(statusCode: 101, headers: handshake.headers)
            response.upgrade = { raw in
                let peer = WebSocketPeer(
                    over: raw, headers: request.headers, target: request.target, agreement: handshake.agreement,
                    options: WebSocketOptions())
                await peer.run(serve)
            }
            return response
        }
    }
}
