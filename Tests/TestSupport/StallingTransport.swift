package import Errand

/// A transport whose streamed bodies stall after their first piece, of at most 1,000 bytes. A reader of more bytes
/// waits until it is cancelled.
package struct StallingTransport: Transport {
    private let transport: any Transport

    package init(_ transport: any Transport) {
        self.transport = transport
    }

    package func send(_ request: TransportRequest) async throws -> DataResponse {
        var response = try await transport.send(request)
        guard response.body.isStreamed else { return response }
        let body = response.body
        let hasBegun = Locked(false)
        response.body = ResponseBody {
            let isFirst = hasBegun.withLock { hasBegun in
                defer { hasBegun = true }
                return !hasBegun
            }
            if !isFirst { try await Gate().pass() }
            var pieces = body.makeAsyncIterator()
            return try await pieces.next()?.prefix(1_000)
        }
        return response
    }
}
