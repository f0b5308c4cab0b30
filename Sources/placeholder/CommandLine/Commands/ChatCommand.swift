import Errand
import ErrandWebSocket

/// Sends each input line over a WebSocket, and prints the replies.
struct ChatCommand {
    let service: APIService<any Error>
    let input: Input
    let out: Output

    func run() async throws {
        let chat = ChatRequest().startWebSocket(with: service)
        try await chat.open()
        var responses = chat.makeAsyncIterator()
        while let line = await input.line() {
            try await chat.send(ChatLine(text: line))
            guard let response = try await responses.next()?.get() else { return }
            out.line("\(response.number ?? 0): \(response.text)")
        }
        let closure = try await chat.close()
        out.line("\(closure)")
    }
}
