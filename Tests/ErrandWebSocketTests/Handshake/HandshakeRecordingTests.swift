#if canImport(CCurl)
import Errand
import ErrandMockServer
import ErrandTesting
import ErrandWebSocketTesting
import TestSupport
import Testing

import ErrandWebSocket

struct `A WebSocket with a HAR recorder` {
    @Test func `the handshake of a WebSocket is recorded, and the messages are exchanged as without a recorder`()
        async throws
    {
        let server = try MockServer()
        defer { server.stop() }
        server.onWebSocket("/socket") { peer in
            while let message = try await peer.receive() { try await peer.send(message) }
        }
        let recorder = HARRecorder(hosts: ["127.0.0.1"], bodies: true)
        let request = TextRequest(server.url)
        request.session = CurlTransport()
        request.path = "/socket"
        request.interceptors = [recorder]
        let socket = request.startWebSocket()
        try await socket.send("planted")
        #expect(try await socket.nextValue() == "planted")
        let entry = try #require(recorder.archive.log.entries.first)
        #expect(entry.response.status == 101)
        #expect(entry.request.url.hasSuffix("/socket"))
        #expect(try !String(decoding: recorder.archive.encoded(), as: UTF8.self).contains("planted"))
    }
}
#endif
