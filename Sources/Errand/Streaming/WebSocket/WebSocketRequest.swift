/// A request that opens a WebSocket. Like ``Request``, which has a single response, it is a leaf in a hierarchy of API
/// classes.
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
/// The base URL, path, query, header fields, interceptors, hook, retry policy and session are those of the class. The
/// scheme of the base URL may be `ws`, `wss`, `http` or `https`.
public protocol WebSocketRequest<Incoming, Outgoing> {
    /// The type of received values.
    associatedtype Incoming: Sendable
    /// The type of sent values.
    associatedtype Outgoing: Sendable

    /// Builds the request and returns its WebSocket. The request is sent when the WebSocket is used.
    func startWebSocket() -> WebSocket<Incoming, Outgoing>
}

extension WebSocketRequest where Self: APIBase {
    /// Builds the request for a service, as ``Request/schedule(with:)`` does. The WebSocket fails with the service's
    /// own errors.
    public func startWebSocket(with service: APIService<some Error>) -> WebSocket<Incoming, Outgoing> {
        let socket = ServiceScope(service, for: self).start { startWebSocket() }
        return socket.mapError { service.failure($0) }
    }
}
