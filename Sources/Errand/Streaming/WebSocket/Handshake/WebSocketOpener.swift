/// What came of a handshake: the head of the answer, and the connection where it was an upgrade.
struct WebSocketAnswer: Sendable {
    var response: DataResponse
    var link: WebSocketLink?
}

/// A transport that WebSockets can be opened over.
protocol WebSocketTransport: Transport {
    /// Sends the request for an upgrade and waits for the head of the answer.
    ///
    /// - Throws: As ``Transport/send(_:)`` does; ``ErrandError`` with `webSocketHandshakeFailed` for an upgrade that is none.
    func openWebSocket(_ request: TransportRequest, _ options: WebSocketOptions) async throws -> WebSocketAnswer
}

/// Makes the opening handshake over a connection of bytes, as a client (RFC 6455, section 4.1).
struct WebSocketOpener: Sendable {
    /// The most bytes of a head: 64 KiB.
    static let maximumHeadSize = 65_536

    let options: WebSocketOptions

    /// Connects, asks, and reads the answer; all of it within the request's timeouts.
    ///
    /// - Parameter connect: Makes the connection.
    func open(
        _ request: TransportRequest, connect: @escaping @Sendable (URL) async throws -> any ByteConnection
    ) async throws -> WebSocketAnswer {
        guard let url = request.urlRequest.url else { throw URLError(.badURL) }
        let idle = Duration(bounding: request.urlRequest.timeoutInterval)
        let urlRequest = request.urlRequest
        return try await Pipeline { () async throws(any Error) in
            let raw = try await connect(url)
            return try await self.shakeHands(over: raw, urlRequest)
        }.timeout(min(idle, request.resourceTimeout ?? idle), clock: options.clock).value
    }

    private func shakeHands(over raw: any ByteConnection, _ request: URLRequest) async throws -> WebSocketAnswer {
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
            return WebSocketAnswer(
                response: DataResponse(
                    statusCode: statusCode, headers: head.headers, url: request.url, body: ResponseBody(body)))
        }
        let agreement = try handshake.agreement(on: head.headers)
        let channel = WebSocketConnection(
            raw, role: .client, agreement: agreement, options: options, rest: reader.rest)
        return WebSocketAnswer(
            response: DataResponse(
                statusCode: 101, headers: head.headers, url: request.url, body: ResponseBody(Data())),
            link: WebSocketLink(
                channel: channel,
                opening: WebSocketOpening(
                    headers: head.headers, subprotocol: agreement.subprotocol,
                    isCompressed: agreement.compression != nil)))
    }

    /// The head that is not merely informational (RFC 9110, section 15.2).
    private func finalHead(
        from raw: any ByteConnection, _ reader: inout HTTPHeadReader
    ) async throws -> (HTTPHead, Int) {
        var count = 0
        while true {
            while let head = try reader.next() {
                let statusCode = try head.statusCode()
                if statusCode >= 200 || statusCode == 101 { return (head, statusCode) }
                count += 1
                if count == 16 { throw HTTPHead.Malformed(reason: "too many informational answers") }
            }
            guard let bytes = try await raw.read() else { throw URLError(.networkConnectionLost) }
            reader.append(bytes)
        }
    }

    /// As much of a refusal's body as an error keeps; what comes of it when it breaks off.
    private func refusalBody(
        of head: HTTPHead, _ statusCode: Int, from raw: any ByteConnection, _ rest: [UInt8]
    ) async -> Data {
        var body = RefusalBody(of: head, statusCode: statusCode, limit: ErrandError.bodyPrefixLimit)
        body.append(rest)
        while !body.isWhole, let bytes = try? await raw.read() { body.append(bytes) }
        return body.data
    }
}
