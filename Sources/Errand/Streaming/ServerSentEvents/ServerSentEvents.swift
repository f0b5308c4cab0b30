extension AsyncSequence where Element == Data {
    /// The server-sent events of one body (WHATWG HTML, section 9.2), as they come.
    ///
    /// ```swift
    /// for try await event in response.body.events() { print(event.event, event.data) }
    /// ```
    ///
    /// It ends with the body: to reconnect, ask the request's ``ResponseStream`` for its events, which are an
    /// ``EventSource``. An event that no empty line ends is dropped, as the standard says. One that is too large fails with
    /// ``ErrandError/Code-swift.struct/elementTooLarge``, and ends the stream. Cancelling the task that reads, or leaving
    /// the loop, ends the transfer.
    ///
    /// - Parameter maximumSize: The most bytes of an event's data, and of a line; 1 MiB by default. It is also how much of
    ///   an unfinished one is kept. Less than zero counts as zero.
    public func events(maximumSize: Int = 1 << 20) -> ServerSentEvents<Self> {
        ServerSentEvents(base: self, maximumSize: maximumSize)
    }
}

/// The server-sent events of one body, as `events(maximumSize:)` gives them.
public struct ServerSentEvents<Base: AsyncSequence>: AsyncSequence where Base.Element == Data {
    /// An event.
    public typealias Element = ServerSentEvent

    let base: Base
    let maximumSize: Int

    /// Begins to read the body.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            events: ParsingIterator(base.makeAsyncIterator(), ServerSentEventParser(maximumSize: maximumSize)))
    }

    /// Goes from event to event; to be used by one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var events: ParsingIterator<Base.AsyncIterator, ServerSentEventParser>

        /// The next event; nil behind the last, and for good after an error.
        ///
        /// - Throws: What the body throws; ``ErrandError`` with `elementTooLarge`, or with `cancelled`.
        public mutating func next() async throws -> ServerSentEvent? {
            try await events.next()
        }
    }
}

extension ServerSentEvents: Sendable where Base: Sendable {}
