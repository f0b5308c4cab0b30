public import Errand
public import ErrandWebSocket

/// A test peer of a WebSocket request that replaces the network; see
/// `stubWebSocket(subprotocols:compression:serve:)`.
public struct WebSocketStub: Sendable {
    /// A closure that responds to one handshake, after its head was read.
    typealias Responder = @Sendable (_ head: HTTPHead, _ raw: MemoryConnection, _ rest: [UInt8]) async throws -> Void

    /// Returns the closure that responds to the next handshake.
    private let next: @Sendable () throws -> Responder

    init(next: @escaping @Sendable () throws -> Responder) {
        self.next = next
    }

    init(_ respond: @escaping Responder) {
        next = { respond }
    }

    /// Returns the closure for the next handshake. A stub with several stubs uses them in turn.
    func takeTurn() throws -> Responder { try next() }

    /// Reads the request and responds to it.
    private static func serve(_ raw: MemoryConnection, _ respond: Responder) async {
        var reader = HTTPHeadReader(limit: 1 << 20)
        do {
            while true {
                if let head = try reader.next() { return try await respond(head, raw, reader.rest) }
                guard let bytes = try await raw.read() else { return }
                reader.append(bytes)
            }
        } catch {
            raw.close()
        }
    }
}

extension WebSocketStub: ByteTransport {
    /// Fails, since the stub supports only WebSocket handshakes.
    public func send(_ request: TransportRequest) async throws -> DataResponse {
        throw ErrandError(
            .unsupportedByTransport, reason: "the stub is for a WebSocket and cannot respond to an HTTP request")
    }

    package func connect(to url: URL) async throws -> any ByteConnection {
        let respond = try takeTurn()
        let (client, server) = MemoryConnection.pair()
        // The task ends with the connection: if the client releases its end, the peer's end is closed.
        Task.detached { await Self.serve(server, respond) }
        return client
    }
}

extension APIBase {
    /// The test peer of a WebSocket, which replaces the transport; see
    /// `stubWebSocket(subprotocols:compression:serve:)`.
    public var webSocketStub: WebSocketStub? {
        get { upgradeStub as? WebSocketStub }
        set { upgradeStub = newValue }
    }
}

extension WebSocketEndpoint {
    /// Starts the WebSocket as `startWebSocket(with:)` does, over a test peer in place of the transport.
    public func startWebSocket<Failure>(
        with service: APIService<Failure>, stub: WebSocketStub
    ) -> WebSocket<Incoming, Outgoing> {
        startWebSocket(with: service, stub: stub as any Transport)
    }

    /// Starts the WebSocket as `startWebSocket()` does, over a test peer in place of the transport.
    public func startWebSocket(stub: WebSocketStub) -> WebSocket<Incoming, Outgoing> {
        startWebSocket(stub: stub as any Transport)
    }
}

extension Stubbable {
    /// Returns a stub that acts as the server of a WebSocket. It speaks the whole protocol, including the handshake,
    /// within the process.
    ///
    /// ```swift
    /// let request = RoomRequest(id: 7)
    /// request.webSocketStub = request.stubWebSocket { peer in
    ///     let command = try await peer.receive()
    ///     try await peer.send(#"{"text": "welcome"}"#)
    ///     try await peer.close()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - subprotocols: The subprotocols that it supports.
    ///   - compression: The compression that it agrees to; none by default.
    ///   - serve: A closure that is called for each connection, with the server's end of it. The connection is closed
    ///     when the closure returns or throws.
    public func stubWebSocket(
        subprotocols: [String] = [], compression: WebSocketOptions.Compression? = nil,
        serve: @escaping @Sendable (WebSocketPeer) async throws -> Void
    ) -> WebSocketStub {
        WebSocketStub { head, raw, rest in
            let handshake: WebSocketServerHandshake
            do {
                handshake = try WebSocketServerHandshake(
                    to: head.headers, subprotocols: subprotocols, compression: compression)
            } catch let refusal as WebSocketServerHandshake.Refusal {
                return try await raw.refuse(refusal.statusCode, refusal.headers)
            }
            try await raw.write(HTTPHead.response(101, handshake.headers))
            let peer = WebSocketPeer(
                over: raw, headers: head.headers, target: head.target, agreement: handshake.agreement,
                options: WebSocketOptions(), rest: rest)
            defer { peer.cut() }
            try await serve(peer)
        }
    }

    /// Returns a stub whose connections fail with the given error, such as a `URLError` to simulate a network failure.
    public func stubWebSocket(error: any Error) -> WebSocketStub {
        WebSocketStub(next: { () throws -> WebSocketStub.Responder in throw error })
    }

    /// Returns a stub that uses the given stubs in turn, one for each connection.
    ///
    /// A connection after the last stub fails with ``/Errand/ErrandError/Code-swift.struct/stubsExhausted``.
    public func stubWebSocket(inTurn stubs: [WebSocketStub]) -> WebSocketStub {
        let used = Locked(0)
        return WebSocketStub(next: { () throws -> WebSocketStub.Responder in
            let turn = used.withLock { used in
                defer { used += 1 }
                return used
            }
            guard stubs.indices.contains(turn) else {
                let reason = "all stubs (\(stubs.count)) are used, and connection \(turn + 1) needs another"
                throw ErrandError(.stubsExhausted, reason: reason)
            }
            return try stubs[turn].takeTurn()
        })
    }

    /// Returns a stub that refuses the handshake of a WebSocket.
    public func stubWebSocket(
        refusing statusCode: Int, headers: HeaderFields = [:], data: Data = Data()
    ) -> WebSocketStub {
        if let lineBreak = headers.lineBreak {
            return stubWebSocket(
                error: ErrandError(
                    .invalidHeaderField, reason: "the stub responds with \(lineBreak), which no server can send"))
        }
        return WebSocketStub { _, raw, _ in try await raw.refuse(statusCode, headers, data) }
    }
}

extension MemoryConnection {
    fileprivate func refuse(_ statusCode: Int, _ headers: HeaderFields, _ data: Data = Data()) async throws {
        var headers = headers
        headers["Content-Length"] = "\(data.count)"
        try await write(HTTPHead.response(statusCode, headers) + data)
        close()
    }
}

extension HTTPHead {
    /// The request target, between the method and the version.
    package var target: String {
        startLine.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    }

    /// Returns the head of a response.
    package static func response(_ statusCode: Int, _ headers: HeaderFields) -> [UInt8] {
        let fields = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        return Array("HTTP/1.1 \(statusCode) \r\n\(fields)\r\n".utf8)
    }
}
