import Errand
import ErrandMockServer
import ErrandTesting
import ErrandWebSocket
import ErrandWebSocketTesting

extension PlaceholderServer {
    /// The server's side of the chat: it numbers each received line and sends it back.
    func addChat() {
        server.onWebSocket("/chat", compression: .init()) { peer in
            var count = 0
            while let message = try await peer.receive() {
                guard let heard = try? FastJSONDecoder().decode(ChatLine.self, from: message.data) else {
                    try await peer.close(.unsupportedData, reason: "a line is an object with a text")
                    return
                }
                count += 1
                let response = try FastJSONEncoder().encode(ChatLine(text: heard.text, number: count))
                try await peer.send(String(decoding: response, as: UTF8.self))
            }
        }
    }
}
