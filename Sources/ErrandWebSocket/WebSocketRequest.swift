public import Errand

/// A request that opens a WebSocket. Like ``/Errand/Request``, which has a single response, it is a leaf in a hierarchy
/// of API classes.
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
public protocol WebSocketRequest<Incoming, Outgoing>: APIBase {
    /// The type of received values.
    associatedtype Incoming: Sendable
    /// The type of sent values.
    associatedtype Outgoing: Sendable

    /// Builds the request and returns its WebSocket. The request is sent when the WebSocket is used.
    func startWebSocket() -> WebSocket<Incoming, Outgoing>
}

extension WebSocketRequest {
    /// Builds the request for a service, as ``/Errand/Request/schedule(with:)`` does. The WebSocket fails with the
    /// service's own errors.
    public func startWebSocket(with service: APIService<some Error>) -> WebSocket<Incoming, Outgoing> {
        service.starting(self) { startWebSocket() }.mapError { service.failure($0) }
    }
}

extension APIBase {
    /// Builds the request and returns a WebSocket to its URL. A leaf's ``WebSocketRequest/startWebSocket()`` returns
    /// the result.
    ///
    /// The request is built when this method is called, by `buildURLRequest()`. It is sent when the WebSocket is first
    /// used, as a GET that requests an upgrade. The handshake passes the interceptors as a ``/Errand/DataResponse``, so
    /// authentication, hooks, logging and `retryPolicy` apply to it. Redirects are not followed, since the credentials
    /// and the messages of a WebSocket belong to the origin of the request. Any other status than 101 fails with an
    /// ``/Errand/ErrandError`` with `unacceptableStatusCode`, the header fields and the first bytes of the body, if the
    /// transport provides it. The shorter of `timeoutInterval` and `resourceTimeout` bounds each handshake.
    /// ``/Errand/APIBase/mapError(_:)`` converts the errors.
    ///
    /// - Parameters:
    ///   - coding: The coding of the messages.
    ///   - options: The limits, subprotocols, compression, heartbeat and reconnection.
    ///   - onOpen: A closure that runs on each new connection before any waiting message is sent, for example to renew
    ///     subscriptions. An error that it throws ends the WebSocket, unless the connection was lost while it sent.
    public final func webSocket<Incoming, Outgoing>(
        _ coding: WebSocketCoding<Incoming, Outgoing>, options: WebSocketOptions = WebSocketOptions(),
        onOpen: WebSocket<Incoming, Outgoing>.OpenHandler? = nil
    ) -> WebSocket<Incoming, Outgoing> {
        webSocket(of: nil, coding, options, onOpen)
    }

    /// Builds the request of an endpoint, or of this object without one, and returns a WebSocket to its URL.
    fileprivate func webSocket<Incoming, Outgoing>(
        of endpoint: Endpoint<Void>?, _ coding: WebSocketCoding<Incoming, Outgoing>, _ options: WebSocketOptions,
        _ onOpen: WebSocket<Incoming, Outgoing>.OpenHandler?
    ) -> WebSocket<Incoming, Outgoing> {
        let conversion = failureConversion(of: endpoint)
        do {
            let connector = try WebSocketConnector(self, endpoint, options)
            let coding = coding.using(connector.handshake.settings)
            let greeting = onOpen.map { onOpen -> WebSocketSession.Greeting in
                // Encodes the messages that `onOpen` sends. Its requests go to the same service as the handshake.
                { opening, send in
                    try await connector.handshake.keepingService {
                        try await onOpen(opening) { try await send(try coding.message($0)) }
                    }
                }
            }
            let session = WebSocketSession(
                options, request: request, greeting: greeting, connect: connector.connect)
            return WebSocket(coding, session).mapError(conversion)
        } catch {
            // The error is thrown when the WebSocket is used.
            let session = WebSocketSession(options, request: request) { throw error }
            return WebSocket(coding, session).mapError(conversion)
        }
    }
}

/// The opener of a WebSocket's connections, each with its own handshake.
private struct WebSocketConnector: Sendable {
    let handshake: Handshake
    /// The transport of the handshakes, of which only one takes place at a time.
    private let transport: HandshakeTransport

    init(_ api: APIBase, _ endpoint: Endpoint<Void>?, _ options: WebSocketOptions) throws {
        (handshake, transport) = try api.startHandshake(of: endpoint, last: [UpgradeCheck()]) { request, session in
            do {
                try request.urlRequest.checkUpgrade(hasBody: request.bodyStream != nil)
                try options.check()
                return HandshakeTransport(session: try WebSocketOpener.check(session), options: options)
            } catch let error as ErrandError {
                throw error.with(webSocket: request.urlRequest, attempts: 0)
            }
        }
    }

    /// Performs a handshake and returns its connection.
    @Sendable func connect() async throws -> any WebSocketChannel {
        // Interceptors see only the head, so the connection is taken from the transport. A connection that is not used
        // is released here, which closes it.
        defer { _ = transport.takeOpened() }
        do {
            _ = try await handshake.send()
            guard let channel = transport.takeOpened() else {
                throw ErrandError.badHandshake("an interceptor responded in place of the server")
            }
            return channel
        } catch let error as ErrandError {
            throw error.with(webSocket: handshake.request, attempts: error.attempts)
        }
    }
}

/// A transport that opens a WebSocket, keeps its connection, and returns the response.
private struct HandshakeTransport: Transport {
    let session: any Transport
    let options: WebSocketOptions
    /// The connection of the latest handshake; `nil` if it failed or was taken.
    private let opened = Locked<(any WebSocketChannel)?>(nil)

    /// Returns the connection of the latest handshake, and does not keep it.
    func takeOpened() -> (any WebSocketChannel)? { opened.withLock { $0.take() } }

    func send(_ request: TransportRequest) async throws -> DataResponse {
        opened.withLock { $0 = nil }
        let result = try await WebSocketOpener(options: options).open(request, over: session)
        opened.withLock { $0 = result.channel }
        return result.response
    }
}

/// The last interceptor of a handshake. It checks the request again, because other interceptors may have changed it.
private struct UpgradeCheck: Interceptor {
    var placement: InterceptorPlacement { .asListed }

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        try request.urlRequest.checkUpgrade(hasBody: request.bodyStream != nil)
        return try await next(request)
    }
}

extension URLRequest {
    /// Checks that this request may be sent as a handshake: a GET without a body and without the header fields that the
    /// handshake sets.
    fileprivate func checkUpgrade(hasBody: Bool) throws(ErrandError) {
        guard httpMethod ?? "GET" == "GET" else {
            throw ErrandError(.invalidMethod, reason: "the method of a WebSocket handshake must be GET")
        }
        guard httpBody?.isEmpty ?? true, !hasBody else {
            throw ErrandError(.unsupportedByTransport, reason: "a WebSocket handshake must not have a body")
        }
        let reserved = [
            "Upgrade", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Protocol",
            "Sec-WebSocket-Extensions",
        ]
        for name in reserved where value(forHTTPHeaderField: name) != nil {
            throw ErrandError(
                .invalidHeaderField, reason: "\(name) is set by the WebSocket handshake and must not be in the request")
        }
    }
}

extension WebSocketOptions {
    /// Checks that the subprotocols are valid tokens, each listed once.
    fileprivate func check() throws(ErrandError) {
        // Some clients send a credential as a subprotocol, so the error does not show it.
        for (index, name) in subprotocols.enumerated() {
            guard name.isHTTPToken else {
                throw ErrandError(.invalidHeaderField, reason: "subprotocols[\(index)] is not a valid token")
            }
            guard !subprotocols[..<index].contains(name) else {
                throw ErrandError(.invalidHeaderField, reason: "subprotocols[\(index)] is listed twice")
            }
        }
    }
}

extension ErrandError {
    /// Returns the error with the request that opens a WebSocket. Its URL has the scheme `ws` or `wss`.
    func with(webSocket request: URLRequest, attempts: Int) -> ErrandError {
        var error = with(request: request, attempts: attempts)
        error.exactURL = error.exactURL?.withWebSocketScheme
        return error
    }
}

/// The description of a WebSocket as a value: its path or URL, and the types of the messages that it receives and
/// sends. The service provides the base URL.
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
    ///     throws ends the WebSocket, unless the connection was lost while it sent.
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

    /// Builds the request without a service, and returns the WebSocket. The endpoint needs a complete URL, or a base
    /// URL in its settings.
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
        api.webSocket(of: endpoint, coding, options, onOpen)
    }
}

extension APIBase {
    /// Creates the request of a ``WebSocketEndpoint``, over a test's transport; `nil` for the session.
    fileprivate convenience init(upgradeStub: (any Transport)?) {
        self.init()
        self.upgradeStub = upgradeStub
    }
}
