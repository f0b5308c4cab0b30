extension AsyncSequence where Self: Sendable, Element == Data {
    /// Returns the decoded data of one response's server-sent events, up to the end or an event with the data `[DONE]`.
    public func eventValues<Value: Decodable & SendableMetatype>(
        of type: Value.Type
    ) -> some AsyncSequence<Value, any Error> & Sendable {
        EventsUntilDone(base: events()).values(of: type)
    }
}

/// The server-sent events before one with the data `[DONE]`.
private struct EventsUntilDone<Base: AsyncSequence<ServerSentEvent, any Error> & Sendable>: AsyncSequence, Sendable {
    let base: Base

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeAsyncIterator()) }

    struct AsyncIterator: AsyncIteratorProtocol {
        /// `nil` after the last event.
        fileprivate var base: Base.AsyncIterator?

        mutating func next() async throws -> ServerSentEvent? {
            try await next(isolation: #isolation)
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> ServerSentEvent? {
            if let event = try await base?.next(isolation: actor), event.data != "[DONE]" { return event }
            base = nil
            return nil
        }
    }
}
