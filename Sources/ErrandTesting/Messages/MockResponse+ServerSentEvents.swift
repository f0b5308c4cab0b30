import Errand

extension MockResponse {
    /// A stream of server-sent events, each sent as a chunk of its own.
    ///
    /// - Parameters:
    ///   - events: What is sent, in order; each time anew when the response is.
    ///   - staysOpen: Whether the connection is held behind the last, until the client closes it or the server stops; the
    ///     stream ends there otherwise.
    public static func serverSentEvents(_ events: [MockEvent], staysOpen: Bool = false) -> MockResponse {
        var response = MockResponse(
            headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"], body: .stream { nil })
        response.bodyMaker = {
            let next = Turns(events)
            return .stream {
                while let event = next.nextElement() {
                    guard case .pause(let pause) = event else {
                        return Data(event.text.utf8)
                    }
                    try await pause()
                }
                if staysOpen {
                    let (never, _) = AsyncStream<Void>.makeStream()
                    for await _ in never {}
                }
                return nil
            }
        }
        return response
    }
}
