import Errand

extension MockResponse {
    /// A stream of server-sent events, each in a separate chunk.
    ///
    /// - Parameters:
    ///   - events: The events, in order. Each time the response is sent, they start again.
    ///   - staysOpen: Whether the connection stays open after the last event, until the client closes it or the server
    ///     stops; `false` by default, which ends the stream.
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
