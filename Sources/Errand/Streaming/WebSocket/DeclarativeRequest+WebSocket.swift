extension DeclarativeRequest {
    /// Builds the request for a service, and returns a WebSocket to its URL, as
    /// ``APIBase/webSocket(_:options:onOpen:)`` does for a class.
    ///
    /// ```swift
    /// let room = RoomRequest(id: 7).startWebSocket(.json(ChatEvent.self, ChatCommand.self), with: chat)
    /// ```
    ///
    /// - Parameters:
    ///   - coding: The coding of the messages.
    ///   - service: The destination of the request, and the settings it is sent with.
    ///   - options: The limits, subprotocols, compression, heartbeat and reconnection.
    ///   - onOpen: A closure that runs on each new connection before any waiting message is sent. An error that it
    ///     throws ends the WebSocket.
    public func startWebSocket<Incoming, Outgoing>(
        _ coding: WebSocketCoding<Incoming, Outgoing>, with service: some APIService,
        options: WebSocketOptions = WebSocketOptions(),
        onOpen: WebSocket<Incoming, Outgoing>.OpenHandler? = nil
    ) -> WebSocket<Incoming, Outgoing> {
        let request = DeclaredRequest(self, stub: nil)
        let socket = ServiceScope(service, for: request).start {
            request.webSocket(coding, options: options, onOpen: onOpen)
        }
        return socket.mapError { service.failure(DeclaredRequest<Self>.failure($0)) }
    }
}
