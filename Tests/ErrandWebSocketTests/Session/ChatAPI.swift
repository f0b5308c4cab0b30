import Errand
import ErrandWebSocket
import TestSupport

/// The API classes of the WebSocket tests and of the guide.
class ChatAPI: APIBase {
    override init() {
        super.init()
        baseURL = URL(string: "wss://chat.example.com/v1")
        headers["Accept-Language"] = "en"
    }
}

struct ChatEvent: Codable, Hashable, Sendable {
    var text: String
}

struct ChatCommand: Codable, Hashable, Sendable {
    var say: String
}

final class RoomRequest: ChatAPI, WebSocketRequest {
    private let options: WebSocketOptions

    init(id: Int, options: WebSocketOptions = WebSocketOptions()) {
        self.options = options
        super.init()
        path = "/rooms/\(id)"
    }

    func startWebSocket() -> WebSocket<ChatEvent, ChatCommand> {
        webSocket(.json(), options: options)
    }
}

/// A request for a WebSocket that sends and receives texts.
final class TextRequest: ChatAPI, WebSocketRequest {
    private let options: WebSocketOptions
    private let greeting: String?

    init(_ url: URL? = nil, _ options: WebSocketOptions = WebSocketOptions(), greeting: String? = nil) {
        self.options = options
        self.greeting = greeting
        super.init()
        if let url { baseURL = url }
    }

    func startWebSocket() -> WebSocket<String, String> {
        guard let greeting else { return webSocket(.text, options: options) }
        return webSocket(.text, options: options) { opening, send in try await send("\(greeting) \(opening.number)") }
    }
}

extension WebSocketOptions {
    /// The default configuration with the test's clock.
    init(clock: any Clock<Duration>, _ change: (inout WebSocketOptions) -> Void = { _ in }) {
        self.init()
        self.clock = clock
        change(&self)
    }
}
