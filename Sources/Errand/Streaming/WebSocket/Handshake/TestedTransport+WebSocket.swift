extension TestedTransport: WebSocketTransport {
    /// Returns the transport that opens a WebSocket now; `nil` if the session does not support it. A session may itself
    /// be the network of a test.
    static func webSocketTransport(over session: any Transport) -> (any WebSocketTransport)? {
        (current ?? session as? any TestNetwork).map {
            TestedTransport(network: $0, session: session)
        } ?? session as? any WebSocketTransport
    }

    func openWebSocket(_ request: TransportRequest, _ options: WebSocketOptions) async throws -> OpenedWebSocket {
        guard let transport = try (network.webSocketStub(for: request) ?? session) as? any WebSocketTransport else {
            throw ErrandError.noWebSockets
        }
        return try await transport.openWebSocket(request, options)
    }
}

extension ErrandError {
    /// The error of a session that cannot open a WebSocket.
    static var noWebSockets: ErrandError {
        ErrandError(.unsupportedByTransport, reason: "the session cannot open a WebSocket")
    }
}
