import Errand
import ErrandTesting
import ErrandWebSocketTesting
import TestSupport
import Testing

@testable import ErrandWebSocket

@Suite(.hangGuard) struct `Readers of a WebSocket` {
    private let inbox = WebSocketInbox(capacity: 1 << 20)

    private func put(_ texts: String..., in inbox: WebSocketInbox? = nil) async throws {
        for text in texts { try await (inbox ?? self.inbox).put(.text(text)) }
    }

    private func rest(of reader: WebSocketInbox.Reader) async throws -> [WebSocketMessage] {
        var messages: [WebSocketMessage] = []
        while let message = try await reader.next() { messages.append(message) }
        return messages
    }

    @Test func `each reader gets every message`() async throws {
        let readers = [inbox.makeReader(), inbox.makeReader(), inbox.makeReader()]
        let waiting = readers.dropFirst().map { reader in Task { try await rest(of: reader) } }
        try await put("a", "b", "c")
        inbox.end(.success(()))
        #expect(try await rest(of: readers[0]) == [.text("a"), .text("b"), .text("c")])
        for task in waiting { #expect(try await task.value == [.text("a"), .text("b"), .text("c")]) }
    }

    @Test func `a new reader starts with the first message that no reader has taken`() async throws {
        let first = inbox.makeReader()
        try await put("a", "b", "c")
        #expect(try await first.next() == .text("a"))
        let second = inbox.makeReader()
        #expect(try await second.next() == .text("b"))
        #expect(try await first.next() == .text("b"))
        #expect(try await inbox.makeReader().next() == .text("c"))
    }

    @Test func `messages without a reader wait for the next one`() async throws {
        try await put("a", "b")
        #expect(try await inbox.makeReader().next() == .text("a"))
        try await put("c")
        inbox.end(.success(()))
        #expect(try await rest(of: inbox.makeReader()) == [.text("b"), .text("c")])
    }

    @Test func `the slowest reader fills the buffer, until it reads or is released`() async throws {
        let inbox = WebSocketInbox(capacity: 1)
        let fast = inbox.makeReader()
        var slow: WebSocketInbox.Reader? = inbox.makeReader()
        let putting = Task { try await put("a", "b", "c", in: inbox) }
        try await waitUntil { inbox.isFull }
        #expect(try await fast.next() == .text("a"))
        #expect(inbox.isFull)
        #expect(try await slow?.next() == .text("a"))
        #expect(try await fast.next() == .text("b"))
        try await waitUntil { inbox.isFull }
        slow = nil
        #expect(try await fast.next() == .text("c"))
        try await putting.value
    }

    @Test func `a cancelled connection no longer waits for space in the buffer`() async throws {
        let inbox = WebSocketInbox(capacity: 1)
        let putting = Task { try await put("a", in: inbox) }
        try await waitUntil { inbox.isFull }
        putting.cancel()
        await expectFailure(.cancelled) { try await putting.value }
        #expect(!inbox.isFull)
    }

    @Test func `several tasks that share a reader get each message once`() async throws {
        let reader = inbox.makeReader()
        let tasks = (0..<3).map { _ in Task { try await reader.next() } }
        try await put("a", "b", "c")
        var taken: Set<WebSocketMessage?> = []
        for task in tasks { taken.insert(try await task.value) }
        #expect(taken == [.text("a"), .text("b"), .text("c")])
    }

    @Test func `dropped messages reach no reader`() async throws {
        let readers = [inbox.makeReader(), inbox.makeReader()]
        try await put("a", "b")
        #expect(try await readers[0].next() == .text("a"))
        inbox.end(.failure(ErrandError(.cancelled)), isDroppingRest: true)
        for reader in readers { await expectFailure(.cancelled) { try await reader.next() } }
    }

    @Test func `two loops over a WebSocket receive all messages`() async throws {
        let request = TextRequest(nil, WebSocketOptions())
        let bothRead = Gate()
        request.webSocketStub = request.stubWebSocket { peer in
            try await bothRead.pass()
            for text in ["one", "two", "three"] { try await peer.send(text) }
            try await peer.close()
        }
        let socket = request.startWebSocket()
        let tasks = (0..<2).map { _ in
            let messages = socket.makeAsyncIterator()
            return Task {
                var messages = messages
                var texts: [String] = []
                while let message = try await messages.next() { texts.append(try message.get()) }
                return texts
            }
        }
        bothRead.open()
        for task in tasks { #expect(try await task.value == ["one", "two", "three"]) }
    }
}
