#if canImport(CCurl)
import Errand
import ErrandMockServer
import ErrandTesting
import ErrandWebSocketTesting
import TestSupport
import Testing

import ErrandWebSocket

struct `A WebSocket with a cookie jar` {
    @Test func `a WebSocket sends the cookies of a jar in its handshake`() async throws {
        let jar = CookieJar()
        let server = try MockServer()
        defer { server.stop() }
        server.onWebSocket("/socket") { peer in try await peer.send(peer.headers["Cookie"] ?? "none") }
        try jar.setCookie("id=1", for: server.url)
        let request = TextRequest(server.url)
        request.session = CurlTransport()
        request.path = "/socket"
        request.interceptors = [jar]
        let socket = request.startWebSocket()
        #expect(try await socket.nextValue() == "id=1")
    }
}
#endif
