import Errand
import ErrandTesting
import ErrandWebSocket
import ErrandWebSocketTesting
import TestSupport
import Testing

/// The samples of the guide to WebSockets.
struct `The guide to WebSockets` {
    private class ChatAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "wss://chat.example.com/v1")
        }
    }

    private final class RoomRequest: ChatAPI, WebSocketRequest {
        init(id: Int) {
            super.init()
            path = "/rooms/\(id)"
        }

        func startWebSocket() -> WebSocket<ChatEvent, ChatCommand> {
            webSocket(.json())
        }
    }

    private final class TickerRequest: ChatAPI {}

    /// Compiled but not run, because these would send requests to a real host.
    private func chat() async throws {
        let room = RoomRequest(id: 7).startWebSocket()
        try await room.send(ChatCommand(say: "hello"))
        for try await event in room {
            switch event {
            case .success(let event): print(event.text)
            case .failure(let error): print("not understood: \(error)")
            }
        }
    }

    private func subscribe() -> WebSocket<String, String> {
        var options = WebSocketOptions()
        options.heartbeat = .init(interval: .seconds(20), timeout: .seconds(5))
        options.reconnection = WebSocketReconnection()
        let prices = TickerRequest().webSocket(.text, options: options) { opening, send in
            try await send("subscribe EURCHF")
        }
        return prices
    }

    @Test func `the guide: a room sends and receives messages`() async throws {
        let request = RoomRequest(id: 7)
        request.webSocketStub = request.stubWebSocket { peer in
            _ = try await peer.receive()
            try await peer.send(#"{"text": "welcome"}"#)
            try await peer.close()
        }
        let room = request.startWebSocket()
        try await room.send(ChatCommand(say: "hello"))
        var heard: [String] = []
        for try await event in room {
            switch event {
            case .success(let event): heard.append(event.text)
            case .failure(let error): heard.append("not understood: \(error)")
            }
        }
        #expect(heard == ["welcome"])
    }

    @Test func `the guide: a ticker subscribes on each connection`() async throws {
        var options = WebSocketOptions()
        options.heartbeat = .init(interval: .seconds(20), timeout: .seconds(5))
        options.reconnection = WebSocketReconnection()
        let request = TickerRequest()
        let asked = Recorder<String>()
        request.webSocketStub = request.stubWebSocket { peer in
            asked.record(try await peer.receive()?.text ?? "")
            try await peer.send("0.93")
            try await peer.close()
        }
        let prices = request.webSocket(.text, options: options) { opening, send in
            try await send("subscribe EURCHF")
        }
        #expect(try await prices.elements().map { try $0.get() } == ["0.93"])
        #expect(asked.elements == ["subscribe EURCHF"])
    }
}
