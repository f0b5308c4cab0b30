import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import placeholder

@Suite(.hangGuard) struct `The feed of changes` {
    private final class EventsRequest: APIBase, StreamingRequest {
        init(_ server: PlaceholderServer, after lastEventID: String) {
            super.init()
            baseURL = server.url
            path = "/events"
            headers["Last-Event-ID"] = lastEventID
        }
        func startStream() -> ResponseStream { sendStream() }
    }

    private let server: PlaceholderServer
    private let service: APIService<any Error>

    init() throws {
        server = try PlaceholderServer()
        service = .placeholder(at: server.url)
    }

    @Test func `the change feed has an event for each change and none for other requests`() async throws {
        let draft = Post.Draft(userId: 1, title: "a", body: "b")
        _ = try await service.value(of: CreatePostRequest(draft))
        _ = try await service.value(of: ListRequest<Post>())
        _ = try? await service.value(of: DeletePostRequest(id: 999))
        _ = try await service.value(of: ReplacePostRequest(Post(id: 7, userId: 1, title: "a", body: "b")))
        _ = try await service.value(of: ChangePostRequest(id: 7, Post.Changes(title: "c")))
        try await service.value(of: DeletePostRequest(id: 7))
        var events = EventsRequest(server, after: "0").startStream().eventSource(lastEventID: "0").makeAsyncIterator()
        var seen: [ServerSentEvent] = []
        while seen.count < 4, let event = try await events.next() { seen.append(event) }
        #expect(seen.map(\.event) == ["created", "replaced", "changed", "deleted"])
        #expect(seen.map(\.id) == ["1", "2", "3", "4"])
        let paths = try seen.map { try $0.decode(Change.self).path }
        #expect(paths == ["/posts/101", "/posts/7", "/posts/7", "/posts/7"])
        #expect(seen.first?.retry == .seconds(1))
    }

    @Test func `the change feed starts after the client's last event`() async throws {
        for _ in 0..<3 {
            _ = try await service.value(of: ChangePostRequest(id: 7, Post.Changes(title: "c")))
        }
        var lines = EventsRequest(server, after: "2").startStream().lines().makeAsyncIterator()
        #expect(try await lines.next() == "retry: 1000")
        #expect(try await lines.next() == "")
        #expect(try await lines.next() == "id: 3")
    }
}
