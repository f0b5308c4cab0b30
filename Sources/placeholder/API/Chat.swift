import Errand
import ErrandWebSocket

/// Opens the chat.
final class ChatRequest: PlaceholderAPI, WebSocketRequest {
    override init() {
        super.init()
        path = "/chat"
    }

    func startWebSocket() -> WebSocket<ChatLine, ChatLine> {
        webSocket(.json())
    }
}

/// One line of the chat, as both sides send it.
struct ChatLine: Codable, Hashable, Sendable {
    var text: String
    /// The number of the line, counted by the server; `nil` in lines from the client.
    var number: Int?
}
