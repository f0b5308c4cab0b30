public import Errand

/// A WebSocket as a value: where it is opened, and the messages that it receives and sends. A service says on which
/// server.
///
/// ```swift
/// let room = WebSocketEndpoint("/rooms/7", coding: .json(receiving: ChatEvent.self, sending: ChatCommand.self))
/// let socket = room.startWebSocket(with: chat)
/// ```
public struct WebSocketEndpoint<Incoming: Sendable, Outgoing: Sendable>: Sendable, Stubbable {
    /// The limits, subprotocols, compression, heartbeat and reconnection.
    public var options: WebSocketOptions
    private var endpoint: Endpoint<Void>
    private let coding: WebSocketCoding<Incoming, Outgoing>
    private let onOpen: WebSocket<Incoming, Outgoing>.OpenHandler?

    /// Creates a WebSocket to a path or a complete URL. The URL and the base URL may have the scheme `ws` or `wss`.
    ///
    /// - Parameters:
    ///   - path: The path, appended to that of the URL or of the base URL.
    ///   - url: The complete URL, which replaces the base URL.
    ///   - query: The query items.
    ///   - headers: The header fields of the handshake.
    ///   - settings: The settings of the handshake, which come before those of the service.
    ///   - coding: The coding of the messages.
    ///   - options: The limits, subprotocols, compression, heartbeat and reconnection.
    ///   - onOpen: A closure that runs on each new connection before any waiting message is sent. An error that it
    ///     throws ends the WebSocket.
    public init(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        settings: RequestSettings = RequestSettings(), coding: WebSocketCoding<Incoming, Outgoing>,
        options: WebSocketOptions = WebSocketOptions(), onOpen: WebSocket<Incoming, Outgoing>.OpenHandler? = nil
    ) {
        endpoint = Endpoint(.get, path, url: url, query: query, headers: headers, settings: settings)
        self.coding = coding
        self.options = options
        self.onOpen = onOpen
    }

    /// Returns the WebSocket with a check that runs before each handshake, as ``/Errand/Endpoint/validate(_:)``.
    public func validate(_ check: @escaping @Sendable () async throws -> Void) -> WebSocketEndpoint {
        var copy = self
        copy.endpoint = endpoint.validate(check)
        return copy
    }

    /// Returns the WebSocket with a change of each handshake, as ``/Errand/Endpoint/prepare(_:)``.
    public func prepare(
        _ change: @escaping @Sendable (inout URLRequest) async throws -> Void
    ) -> WebSocketEndpoint {
        var copy = self
        copy.endpoint = endpoint.prepare(change)
        return copy
    }

    /// Builds the request for a service, and returns the WebSocket, as `webSocket(_:options:onOpen:)`
    /// does for a class. It fails with the service's own errors.
    public func startWebSocket<Failure>(with service: APIService<Failure>) -> WebSocket<Incoming, Outgoing> {
        startWebSocket(with: service, stub: nil)
    }

    /// Builds a request that needs no service, and returns the WebSocket. It needs a URL or its own base URL.
    public func startWebSocket() -> WebSocket<Incoming, Outgoing> {
        startWebSocket(stub: nil)
    }

    /// Starts the WebSocket over a test's transport; `nil` for the session.
    package func startWebSocket<Failure>(
        with service: APIService<Failure>, stub: (any Transport)?
    ) -> WebSocket<Incoming, Outgoing> {
        let api = APIBase(upgradeStub: stub)
        return service.starting(api, server: endpoint.server) { webSocket(of: api) }.mapError { service.failure($0) }
    }

    /// Starts the WebSocket without a service over a test's transport; `nil` for the session.
    package func startWebSocket(stub: (any Transport)?) -> WebSocket<Incoming, Outgoing> {
        webSocket(of: APIBase(upgradeStub: stub))
    }

    private func webSocket(of api: APIBase) -> WebSocket<Incoming, Outgoing> {
        api.sending(endpoint) { api.webSocket(coding, options: options, onOpen: onOpen) }
    }
}

extension APIBase {
    /// A request for a WebSocket alone.
    fileprivate convenience init(upgradeStub: (any Transport)?) {
        self.init()
        self.upgradeStub = upgradeStub
    }
}
