package import Errand

/// A transport whose streamed bodies stall behind their first bytes, a thousand at most: whoever wants more waits until it is
/// cancelled.
package struct StallingTransport: Transport {
    private let transport: any Transport

    package init(_ transport: any Transport) {
        self.transport = transport
    }

    package func send(_ request: TransportRequest) async throws -> DataResponse {
        try await transport.send(request)
    }

    package func stream(_ request: TransportRequest) async throws -> StreamedResponse {
        var answer = try await transport.stream(request)
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
