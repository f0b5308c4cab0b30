package import Errand

/// A transport whose streamed bodies stall after their first bytes, a thousand at most: a reader that wants more waits
/// until it is cancelled.
package struct StallingTransport: Transport {
    private let transport: any Transport

    package init(_ transport: any Transport) {
        self.transport = transport
    }

    package func send(_ request: TransportRequest) async throws -> DataResponse {
        var answer = try await transport.send(request)
        guard answer.body.isStreamed else { return answer }
        let body = answer.body
        let hasBegun = Locked(false)
        answer.body = ResponseBody {
            let isFirst = hasBegun.withLock { hasBegun in
                defer { hasBegun = true }
                return !hasBegun
            }
            if !isFirst { try await Gate().pass() }
            var pieces = body.makeAsyncIterator()
            return try await pieces.next()?.prefix(1_000)
        }
        return answer
    }
}
