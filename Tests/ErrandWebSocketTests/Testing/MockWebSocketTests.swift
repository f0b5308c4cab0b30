import Errand
import ErrandMockServer
import ErrandTesting
import ErrandWebSocket
import ErrandWebSocketTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `A WebSocket of a mock server` {
    private let server: MockServer

    init() throws {
        server = try MockServer()
    }

    /// Opens a WebSocket without a client library, so that the test decides how the connection ends.
    private func open() async throws -> RawClient {
        let client = try await RawClient.connect(to: server.url)
        try await client.send(
            "GET / HTTP/1.1\r\nHost: test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        #expect(try await client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 101 "))
        return client
    }

    /// A frame of a client, masked with zeros.
    private func frame(_ opcode: UInt8, _ payload: String = "") -> Data {
        Data([0x80 | opcode, 0x80 | UInt8(payload.utf8.count), 0, 0, 0, 0]) + Data(payload.utf8)
    }

    @Test(arguments: [true, false])
    func `a WebSocket handler is cancelled when the client disconnects`(_ sendsClose: Bool) async throws {
        let (never, cancelled) = (Gate(), Gate())
        server.onWebSocket("/") { _ in
            do { try await never.pass() } catch is CancellationError { cancelled.open() }
        }
        let client = try await open()
        try await never.waitForArrivals(1)
        if sendsClose { try await client.send(frame(0x8)) } else { client.end() }
        try await cancelled.pass()
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `a WebSocket handler receives messages sent before the client disconnected`() async throws {
        let (never, ended, received) = (Gate(), Gate(), Recorder<String>())
        server.onWebSocket("/") { peer in
            defer { ended.open() }
            // The handler is cancelled when the client disconnects, and receives the messages only after that.
            try? await never.pass()
            while let message = try await peer.receive() {
                if case .text(let text) = message { received.record(text) }
            }
        }
        let client = try await open()
        try await client.send(frame(0x1, "one") + frame(0x1, "two"))
        client.end()
        try await ended.pass()
        #expect(received.elements == ["one", "two"])
    }
}
