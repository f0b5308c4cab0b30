/// A request that opens a WebSocket: the leaf of a hierarchy of API classes, as ``Request`` is for one answer.
///
/// ```swift
/// final class RoomRequest: ChatAPI, WebSocketRequest {
///     init(id: Int) {
///         super.init()
///         path = "/rooms/\(id)"
///     }
///
///     func startWebSocket() -> WebSocket<ChatEvent, ChatCommand> {
///         webSocket(.json())
///     }
/// }
/// ```
///
/// Base URL, path, query, header fields, interceptors, hook, retry policy and session are those of the class. The base URL may
/// have the scheme ws or wss, http or https.
public protocol WebSocketRequest<Incoming, Outgoing> {
    /// What comes.
    associatedtype Incoming: Sendable
    /// What is sent.
    associatedtype Outgoing: Sendable

    /// Builds the request and says how its messages are read and written. Nothing is sent before the WebSocket is used.
    func startWebSocket() -> WebSocket<Incoming, Outgoing>
}

extension WebSocketRequest where Self: APIBase {
    /// Builds the request for a service, as ``Request/schedule(with:)`` does. What fails, fails with the service's own error.
    public func startWebSocket(with service: some APIService) -> WebSocket<Incoming, Outgoing> {
        let socket = ServiceScope(service, for: self).start { startWebSocket() }
        return socket.mapError { service.failure($0) }
    }
}
