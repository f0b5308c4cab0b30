import Errand
import ErrandMockServer
import ErrandTesting
import ErrandWebSocket
import ErrandWebSocketTesting
import TestSupport
import Testing

@testable import placeholder

@Suite(.hangGuard) struct `To chat` {
    @Test func `chat shows the response to each line and the close code`() async {
        let console = Console(input: .lines(["hello", "grüß Gott"]))
        #expect(await console.run("chat") == .success)
        #expect(console.out.lines == ["1: hello", "2: grüß Gott", "closed with 1000", ""])
        #expect(console.errors == "")
    }

    @Test func `chat fails with a server that has no WebSocket`() async throws {
        let server = try MockServer()
        let console = Console(input: .lines(["hello"]))
        #expect(await console.run("chat", "--base-url", "\(server.url)") != .success)
        #expect(console.errors.contains("404"))
    }

    @Test func `chat fails if the server closes with an error code`() async throws {
        let server = try MockServer()
        server.onWebSocket("/chat") { peer in
            _ = try await peer.receive()
            try await peer.close(.unsupportedData)
        }
        let console = Console(input: .lines(["hello"]))
        #expect(await console.run("chat", "--base-url", "\(server.url)") != .success)
        #expect(console.errors.contains("closed with 1003"))
    }
}
