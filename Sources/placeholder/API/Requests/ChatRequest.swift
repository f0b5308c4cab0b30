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
