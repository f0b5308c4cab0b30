extension APIBase {
    /// The peer of a WebSocket in place of the transport, in tests; see ``Stubbable/stubWebSocket(subprotocols:compression:serve:)``.
    public var webSocketStub: WebSocketStub? {
        get { stubs[WebSocketStub.self] }
        set { stubs[WebSocketStub.self] = newValue }
    }

    /// What a leaf's ``WebSocketRequest/startWebSocket()`` gives: a WebSocket to where the request goes.
    ///
    /// The request is built now, by ``buildURLRequest()``, and sent when the WebSocket is first used: a GET that asks for an
    /// upgrade. It passes the interceptors as a ``DataResponse``, so that authentication, hooks and logging apply to the
    /// handshake, and ``retryPolicy`` too. Redirects are not followed: a WebSocket's credentials and messages belong to the
    /// origin that was named. Any other status than 101 is an ``ErrandError`` with `unacceptableStatusCode`, the header fields
    /// and the beginning of the body. All of a handshake takes ``timeoutInterval`` at most. What is thrown is converted by
    /// ``APIBase/mapError(_:)``.
    ///
    /// - Parameters:
    ///   - coding: How messages are read and written.
    ///   - options: Limits, subprotocols, compression, heartbeat, reconnection.
    ///   - onOpen: Called on each new connection, before anything that waits is sent: the place to subscribe again. What it
    ///     throws ends the WebSocket.
    public final func webSocket<Incoming, Outgoing>(
        _ coding: WebSocketCoding<Incoming, Outgoing>, options: WebSocketOptions = WebSocketOptions(),
        onOpen: (
            @Sendable (
                _ opening: WebSocketOpening, _ send: @Sendable (Outgoing) async throws -> Void
            ) async throws -> Void
        )? = nil
    ) -> WebSocket<Incoming, Outgoing> {
        var coding = coding
        let connect: WebSocketSession.Connect
        do {
            let settings = try resolvedSettings()
            coding = coding.using(settings)
            connect = try webSocketConnect(options, settings)
        } catch {
            connect = { throw error }
        }
        let greeting = onOpen.map { [coding] onOpen -> WebSocketSession.Greeting in
            { opening, send in
                try await onOpen(opening) { try await send(try coding.message($0)) }
            }
        }
        let session = WebSocketSession(options, request: request, greeting: greeting, connect: connect)
        let api: APIBase.Type = type(of: self)
        return WebSocket(coding, session).mapError { api.mapError($0) }
    }

    private func webSocketConnect(
        _ options: WebSocketOptions, _ settings: Settings
    ) throws -> WebSocketSession.Connect {
        var request = try starting(as: .webSocket) { try buildTransportRequest(settings.terms) }
        request.opensWebSocket = true
        do {
            try request.urlRequest.checkUpgrade(hasBody: request.bodyStream != nil)
            try options.check()
            let session = settings.session ?? session
            guard let transport = webSocketStub ?? TestedTransport.webSocketTransport(over: session) else {
                throw ErrandError.noWebSockets
            }
            return WebSocketConnector(
                request: request, chain: settings.chain(own: headers), transport: transport, options: options,
                decoder: settings.decoder
            ).connect
        } catch let error as ErrandError {
            throw error.with(webSocket: request.urlRequest, attempts: 0)
        }
    }
}

/// Opens the connections of a WebSocket, each through the interceptors.
private struct WebSocketConnector: Sendable {
    let request: TransportRequest
    let chain: [any Interceptor]
    let transport: any WebSocketTransport
    let options: WebSocketOptions
    /// The API's, for the error document of a server that refuses.
    let decoder: (any DataDecoder)?
    /// The service that requests of the interceptors go to as well.
    private let scope = ServiceScope.current

    init(
        request: TransportRequest, chain: [any Interceptor], transport: any WebSocketTransport,
        options: WebSocketOptions, decoder: (any DataDecoder)?
    ) {
        self.request = request
        self.chain = chain
        self.transport = transport
        self.options = options
        self.decoder = decoder
    }

    @Sendable func connect() async throws -> WebSocketLink {
        try await TaskContext.$current.withValue(TaskContext.current.inheriting(scope ?? .current)) {
            try await connectOnce()
        }
    }

    private func connectOnce() async throws -> WebSocketLink {
        let attempts = Attempts()
        // Interceptors see the head alone; the connection reaches the caller here, and is closed when nobody takes it.
        let opened = Locked<WebSocketLink?>(nil)
        do {
            let response = try await Next { try await open($0, attempts, opened) }.preceded(by: chain)(request)
            return try await link(opened.withLock { $0 }, of: response, attempts: attempts.count)
        } catch let error as ErrandError {
            throw error.with(webSocket: request.urlRequest, attempts: attempts.count)
        } catch  where error.isCancellation {
            throw ErrandError(.cancelled).with(webSocket: request.urlRequest, attempts: attempts.count)
        }
    }

    /// Sends one handshake.
    private func open(
        _ request: TransportRequest, _ attempts: Attempts, _ opened: Locked<WebSocketLink?>
    ) async throws -> DataResponse {
        if Task.isCancelled { throw ErrandError(.cancelled) }
        // Interceptors may have changed it.
        try RequestCheck.check(request.urlRequest, bodyStream: nil)
        try request.urlRequest.checkUpgrade(hasBody: request.bodyStream != nil)
        attempts.begin()
        opened.withLock { $0 = nil }
        do {
            let answer = try await transport.openWebSocket(request, options)
            opened.withLock { $0 = answer.link }
            return answer.response
        } catch {
            throw ErrandError(transportFailure: error).with(webSocket: request.urlRequest, attempts: attempts.count)
        }
    }

    private func link(
        _ link: WebSocketLink?, of response: DataResponse, attempts: Int
    ) async throws -> WebSocketLink {
        guard response.statusCode == 101 else {
            var body = Data()
            let reader = response.body.reader
            while body.count < ErrandError.bodyPrefixLimit, let piece = try? await reader() { body += piece }
            var answer = DataResponse(
                statusCode: response.statusCode, headers: response.headers, data: body, url: response.url
            ).answering(request.urlRequest, attempts: attempts)
            answer.decoder = decoder
            throw ErrandError(.unacceptableStatusCode, reason: "\(response.statusCode) is no upgrade").with(
                response: answer)
        }
        guard let link else { throw ErrandError.badHandshake("an interceptor answered in place of the server") }
        return link
    }
}

extension URLRequest {
    /// Checks that this can ask for an upgrade, whose own fields are nobody else's to set.
    fileprivate func checkUpgrade(hasBody: Bool) throws(ErrandError) {
        guard httpMethod ?? "GET" == "GET" else {
            throw ErrandError(.invalidMethod, reason: "a WebSocket is opened with GET")
        }
        guard httpBody?.isEmpty ?? true, !hasBody else {
            throw ErrandError(.unsupportedByTransport, reason: "a WebSocket is opened without a body")
        }
        let taken = ["Upgrade", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Version"]
        let offered = ["Sec-WebSocket-Protocol", "Sec-WebSocket-Extensions"]
        for name in taken + offered where value(forHTTPHeaderField: name) != nil {
            throw ErrandError(.invalidHeaderField, reason: "\(name) is the WebSocket's own to set")
        }
    }
}

extension WebSocketOptions {
    fileprivate func check() throws(ErrandError) {
        guard subprotocols.allSatisfy(\.isHTTPToken), Set(subprotocols).count == subprotocols.count else {
            throw ErrandError(.invalidHeaderField, reason: "a subprotocol is no token, or named twice")
        }
    }
}

extension ErrandError {
    /// Adds the request that opens a WebSocket, with `ws` or `wss` as the scheme of its URL.
    func with(webSocket request: URLRequest, attempts: Int) -> ErrandError {
        var error = with(request: request, attempts: attempts)
        error.url = error.url?.withWebSocketScheme
        return error
    }
}
