import Errand
import ErrandTesting
import ErrandWebSocket
import TestSupport
import Testing

@testable import ErrandWebSocketTesting

@Suite(.hangGuard) struct `A manual clock drives WebSockets` {
    let clock = ManualClock()
    let stubs = RouteStubs()

    private func chat(_ change: (inout WebSocketOptions) -> Void) -> WebSocket<String, String> {
        let url = URL(string: "https://chat.example.com/v1/chat")
        let request = TextRequest(url, WebSocketOptions(clock: clock, change))
        request.timeoutInterval = 600_000
        return request.startWebSocket()
    }

    @Test func `a manual clock drives a WebSocket heartbeat that detects a lost peer`() async throws {
        let gate = Gate()
        stubs.webSocket("/v1/chat", .unresponsive(gate))
        try await stubs.run {
            let chat = chat { $0.heartbeat = .init(interval: .seconds(30), timeout: .seconds(10)) }
            try await chat.open()
            let reading = Task {
                var messages = chat.makeAsyncIterator()
                return try await messages.next()?.get()
            }
            try await clock.waitForSleepers()
            #expect(clock.advanceToNextDeadline() == .seconds(30))
            try await gate.waitForArrivals(1)
            try await clock.waitForSleepers()
            #expect(clock.advanceToNextDeadline() == .seconds(10))
            await expectFailure(.timedOut) { try await reading.value }
        }
    }

    @Test func `a manual clock drives the reconnection of a WebSocket`() async throws {
        stubs.webSocket("/v1/chat", times: .exactly(2)) { peer in
            try await peer.send("welcome")
            _ = try await peer.receive()
        }
        try await stubs.run { () async throws in
            let chat = chat { options in
                var reconnection = WebSocketReconnection()
                reconnection.backoff = .constant(.seconds(3))
                options.reconnection = reconnection
            }
            var messages = chat.makeAsyncIterator()
            #expect(try await messages.next()?.get() == "welcome")
            // The peer closes the connection when it has received a message.
            try await chat.send("bye")
            async let next = messages.next()?.get()
            // The timer of the handshake may not be asleep yet.
            try await clock.waitForSleeper(until: .init(offset: .seconds(3)))
            clock.advance(by: .seconds(3))
            #expect(try await next == "welcome")
            chat.cancel()
        }
    }
}

extension WebSocketStub {
    /// A peer that completes the handshake and then sends nothing; it arrives at the gate when it has received a
    /// message.
    fileprivate static func unresponsive(_ gate: Gate) -> WebSocketStub {
        WebSocketStub { head, raw, _ in
            let handshake = try WebSocketServerHandshake(to: head.headers)
            try await raw.write(HTTPHead.response(101, handshake.headers))
            _ = try await raw.read()
            try await gate.pass()
        }
    }
}
