import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import placeholder

@Suite(.hangGuard) struct `To watch` {
    private func changes(_ console: Console) -> [String] {
        console.out.lines.filter { !$0.isEmpty && !$0.hasPrefix("→") }
    }

    @Test func `watch shows changes that it makes on the embedded server`() async {
        let console = Console()
        #expect(await console.run("watch") == .success)
        #expect(changes(console) == ["created   /posts/101", "changed   /posts/101", "deleted   /posts/101"])
        #expect(console.errors == "")
    }

    @Test func `watch ends after the given number of changes`() async {
        let console = Console()
        #expect(await console.run("watch", "--count", "1") == .success)
        #expect(changes(console) == ["created   /posts/101"])
    }

    @Test func `watch changes nothing on another service and reconnects`() async throws {
        let server = try MockServer()
        let responses = Locked(
            ["id: 1\nevent: created\ndata: {\"action\":\"created\",\"path\":\"/a\"}\n\n", ": nothing\n\n"][...])
        server.on(.get, "/events") { _ in
            guard let text = responses.withLock({ $0.popFirst() }) else { return .status(204) }
            return .chunked([Data("retry: 0\n\(text)".utf8)]).with(header: "Content-Type", "text/event-stream")
        }
        let console = Console()
        #expect(await console.run("watch", "--count", "1", "--base-url", server.url.absoluteString) == .success)
        #expect(changes(console) == ["created   /a"])
        #expect(server.requests.allSatisfy { $0.method == .get && $0.headers["Last-Event-ID"] == nil })
    }

    @Test func `watch fails with a service that has no events`() async throws {
        let server = try MockServer()
        let console = Console()
        #expect(await console.run("watch", "--base-url", server.url.absoluteString) == .failure)
        #expect(console.errors == "placeholder: GET \(server.url)/events: 404\n")
    }
}
