import Errand
import ErrandWebSocket

extension Program {
    /// Sends each input line over a WebSocket, and prints the replies.
    func chat(on service: APIService<any Error>) async throws {
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
