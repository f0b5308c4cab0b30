import Errand

/// The result of a handshake: the response, and the open WebSocket if the server accepted the upgrade.
struct OpenedWebSocket: Sendable {
    var response: DataResponse
    var channel: (any WebSocketChannel)?
}

/// The client that performs the opening handshake over a byte connection (RFC 6455, section 4.1).
struct WebSocketOpener: Sendable {
    /// The maximum size of a head in bytes: 64 KiB.
    static let maximumHeadSize = 65_536

    let options: WebSocketOptions

    /// Connects, sends the request and reads the response, all within the shorter of the request's timeouts.
    ///
    /// - Parameter connect: Opens the byte connection.
    func open(
        _ request: TransportRequest, connect: @escaping @Sendable (URL) async throws -> any ByteConnection
    ) async throws -> OpenedWebSocket {
        let urlRequest = request.urlRequest
        guard let url = urlRequest.url else { throw URLError(.badURL) }
        let timeout = Duration(bounding: urlRequest.timeoutInterval)
        return try await Pipeline { () async throws(any Error) in
            let raw = try await connect(url)
            do { return try await self.shakeHands(over: raw, urlRequest) } catch {
                raw.close()
                throw error
            }
        }.timeout(min(timeout, request.resourceTimeout ?? timeout), clock: options.clock).value
    }

    /// Sends the request over a new connection, and reads the response.
    private func shakeHands(over raw: any ByteConnection, _ request: URLRequest) async throws -> OpenedWebSocket {
        let handshake = WebSocketClientHandshake(options)
        try await raw.write(try handshake.head(of: request))
        var reader = HTTPHeadReader(limit: Self.maximumHeadSize)
        let head: HTTPHead
        let statusCode: Int
        do {
            (head, statusCode) = try await finalHead(from: raw, &reader)
        } catch let malformed as HTTPHead.Malformed {
            throw ErrandError.badHandshake(malformed.reason)
        }
        guard statusCode == 101 else {
            let body = await refusalBody(of: head, statusCode, from: raw, reader.rest)
            raw.close()
            return OpenedWebSocket(
                response: DataResponse(
                    statusCode: statusCode, headers: head.headers, url: request.url, body: ResponseBody(body)))
        }
        let agreement = try handshake.agreement(on: head.headers)
        return OpenedWebSocket(
            response: DataResponse(
                statusCode: 101, headers: head.headers, url: request.url, body: ResponseBody(Data())),
            channel: WebSocketConnection(
                raw, role: .client, agreement: agreement, headers: head.headers, options: options, rest: reader.rest))
    }

    /// Returns the first head with status 101 or a status that is not informational (RFC 9110, section 15.2).
    private func finalHead(
        from raw: any ByteConnection, _ reader: inout HTTPHeadReader
    ) async throws -> (HTTPHead, Int) {
        var skippedCount = 0
        while true {
            while let head = try reader.next() {
                let statusCode = try head.statusCode()
                if statusCode >= 200 || statusCode == 101 { return (head, statusCode) }
                skippedCount += 1
                if skippedCount == 16 { throw HTTPHead.Malformed(reason: "more than 15 informational (1xx) responses") }
            }
            guard let bytes = try await raw.read() else { throw URLError(.networkConnectionLost) }
            reader.append(bytes)
        }
    }

    /// Reads as much of a refusal's body as an error keeps. If the connection breaks off, returns what was received.
    private func refusalBody(
        of head: HTTPHead, _ statusCode: Int, from raw: any ByteConnection, _ rest: [UInt8]
    ) async -> Data {
        var body = RefusalBody(of: head, statusCode: statusCode, limit: ErrandError.bodyPrefixLimit)
        body.append(rest)
        while !body.isWhole, let bytes = try? await raw.read() { body.append(bytes) }
        return body.data
    }
}

/// A transport that implements WebSockets itself: `URLSessionTransport`, on Apple platforms. Over a `ByteTransport`, a
/// ``WebSocketConnection`` implements them.
protocol WebSocketTransport: Transport {
    /// Performs the opening handshake.
    func openWebSocket(_ request: TransportRequest, _ options: WebSocketOptions) async throws -> OpenedWebSocket
}

extension WebSocketOpener {
    /// Returns the transport, or throws if it cannot open WebSockets. A test network is always accepted: whether it has
    /// a stub for the WebSocket is known only when a connection is opened.
    static func check(_ session: any Transport) throws(ErrandError) -> any Transport {
        switch session {
        case is TestedTransport, is any TestNetwork, is any WebSocketTransport, is any ByteTransport: return session
        default: throw ErrandError.noWebSockets
        }
    }

    /// Sends the upgrade request over a transport, and waits for the response.
    ///
    /// - Throws: The errors of ``/Errand/Transport/send(_:)``; ``/Errand/ErrandError`` with `webSocketHandshakeFailed`
    ///   for an invalid upgrade, and with `unsupportedByTransport` if the transport cannot open a WebSocket.
    func open(_ request: TransportRequest, over transport: any Transport) async throws -> OpenedWebSocket {
        switch transport {
        case let tested as TestedTransport:
            return try await open(request, over: tested.network.webSocketStub(for: request) ?? tested.session)
        case let network as any TestNetwork:
            guard let stub = try network.webSocketStub(for: request) else { throw ErrandError.noWebSockets }
            return try await open(request, over: stub)
        case let transport as any WebSocketTransport: return try await transport.openWebSocket(request, options)
        case let transport as any ByteTransport:
            return try await open(request) { try await transport.connect(to: $0) }
        default: throw ErrandError.noWebSockets
        }
    }
}

extension ErrandError {
    /// The error of a session that cannot open a WebSocket.
    static var noWebSockets: ErrandError {
        ErrandError(.unsupportedByTransport, reason: "the session cannot open a WebSocket")
    }
}
