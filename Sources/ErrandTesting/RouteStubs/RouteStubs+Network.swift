public import Errand

extension RouteStubs: Transport {
    /// Responds to a request from the stubs, and follows redirects among them. A streamed body arrives in the pieces of
    /// the stub.
    ///
    /// - Throws: The failure of the stub, or `timedOut` if its response is too late. `ErrandError` with
    ///   `unexpectedRequest` or `stubsExhausted` if no stub can be used, and with `unsupportedByTransport` if the
    ///   response needs a `MockServer`.
    public func send(_ request: TransportRequest) async throws -> DataResponse {
        let body = try await request.bodyStream?.contents() ?? request.urlRequest.httpBody ?? Data()
        var chain = RedirectChain(request)
        while true {
            let response = try await response(
                to: chain.request, body: chain.hasDroppedBody ? Data() : body, of: request)
            let head = DataResponse(statusCode: response.statusCode, headers: response.headers, url: response.url)
            guard try !chain.follow(head) else { continue }
            return request.streamsResponse ? response : try await response.collected(upTo: request.maximumBodySize)
        }
    }

    private func response(
        to hop: URLRequest, body: Data, of request: TransportRequest
    ) async throws -> DataResponse {
        let timeLimit = StubTimeLimit(request, clock: clock)
        let (stub, turn, received) = try useStub(for: try MockRequest(hop, body: body), forWebSocket: false)
        if let fault = stub.operation?.fault(received) {
            throw refuse(
                .unexpectedRequest, "\(received.method) \(received.encodedPath) does not fit the document: \(fault)")
        }
        let response: MockResponse
        switch stub.response {
        case .handler(let handler): response = try await waitingCancellably { try await handler(received) }
        case .inTurn(let responses): response = responses[turn]
        case .webSocket:
            throw ErrandError(
                .unsupportedByTransport, reason: "the stub is for a WebSocket and cannot respond to an HTTP request")
        }
        if let lineBreak = response.lineBreak {
            throw refuse(
                .invalidHeaderField,
                "\(stub.description) (\(stub.place)) responds with \(lineBreak), which no server can send")
        }
        let delivery: StubDelivery
        do {
            delivery = try StubDelivery(response, to: received)
        } catch {
            throw refuse(
                .unsupportedByTransport,
                "\(stub.description) (\(stub.place)) responds with \(error.feature), which needs a MockServer")
        }
        try await timeLimit.wait(response.latency)
        switch delivery.insteadOfHead {
        case .fail(let code): throw URLError(code)
        case .stall: try await timeLimit.stall()
        default: break
        }
        let pieces = StubBody(delivery.body, timeLimit)
        return DataResponse(
            statusCode: response.statusCode, headers: delivery.headers, url: hop.url,
            body: ResponseBody { try await pieces.next() })
    }
}

extension RouteStubs: TestNetwork {
    /// Responds to a request from the stubs. It never calls `next`, so it must be the last interceptor.
    ///
    /// - Throws: As ``send(_:)``.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        try await send(request)
    }

    package func webSocketStub(for request: TransportRequest) throws -> (any Transport)? {
        let (stub, _, _) = try useStub(for: try MockRequest(request.urlRequest, body: Data()), forWebSocket: true)
        guard case .webSocket(let peer) = stub.response else { return nil }
        return peer
    }
}
