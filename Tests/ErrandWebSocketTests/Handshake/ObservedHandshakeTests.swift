#if canImport(CCurl)
import Errand
import ErrandMockServer
import ErrandTesting
import ErrandWebSocketTesting
import TestSupport
import Testing

import ErrandWebSocket

struct `The handshake of a WebSocket` {
    @Test func `is an exchange with status 101, and sends the trace`() async throws {
        let server = try MockServer()
        defer { server.stop() }
        server.onWebSocket("/socket") { peer in try await peer.send(peer.headers["traceparent"] ?? "none") }
        let recorder = ExchangeRecorder()
        let request = TextRequest(server.url)
        request.session = CurlTransport()
        request.path = "/socket"
        request.observers = [recorder, TraceContext { 7 }]
        let socket = request.startWebSocket()
        #expect(try await socket.nextValue() == "00-00000000000000070000000000000007-0000000000000007-02")
        #expect(recorder.lines == ["GET /socket 0 -> 101"])
    }
}
#endif
