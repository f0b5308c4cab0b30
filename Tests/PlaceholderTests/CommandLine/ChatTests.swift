import Errand
import ErrandTesting
import TestSupport
import Testing

@testable import placeholder

@Suite(.hangGuard) struct `To chat` {
    @Test func `is to show the answer to each line, and to say goodbye`() async {
        let console = Console(input: .lines(["hello", "grüß Gott"]))
        #expect(await console.run("chat") == .success)
        #expect(console.out.lines == ["1: hello", "2: grüß Gott", "closed with 1000", ""])
        #expect(console.errors == "")
    }

    @Test func `with a server that has no chat is an error`() async throws {
        let server = try MockServer()
        let console = Console(input: .lines(["hello"]))
        #expect(await console.run("chat", "--base-url", "\(server.url)") != .success)
        #expect(console.errors.contains("404"))
    }

    @Test func `ends when the other side does not understand`() async throws {
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
