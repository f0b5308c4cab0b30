extension AsyncSequence where Element == Data {
    /// Returns the server-sent events of one response (WHATWG HTML, section 9.2), each as soon as it is complete.
    ///
    /// ```swift
    /// for try await event in request.sendStream().events() { print(event.event, event.data) }
    /// ```
    ///
    /// The sequence ends with the body. To reconnect, use
    /// ``ResponseStream/eventSource(lastEventID:reconnection:maximumSize:)``. An
    /// event without an empty line after it is discarded, as the standard requires. An event that is too large fails
    /// with ``ErrandError/Code-swift.struct/elementTooLarge`` and ends the sequence. Cancelling the task that reads, or
    /// leaving the loop, ends the transfer.
    ///
    /// - Parameter maximumSize: The maximum size in bytes of an event's data, and of a line; 1 MiB by default. It also
    ///   bounds the buffer for an incomplete event. A negative value counts as zero.
    public func events(maximumSize: Int = 1 << 20) -> ServerSentEvents<Self> {
        ServerSentEvents(base: self, maximumSize: maximumSize)
    }
}

/// The server-sent events of one body. `events(maximumSize:)` returns it.
public struct ServerSentEvents<Base: AsyncSequence>: AsyncSequence where Base.Element == Data {
    /// An event.
    public typealias Element = ServerSentEvent

    let base: Base
    let maximumSize: Int

    /// Creates an iterator over the events.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            events: ParsingIterator(base.makeAsyncIterator(), ServerSentEventParser(maximumSize: maximumSize)))
    }

    /// An iterator over the events. Only one task at a time may use it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var events: ParsingIterator<Base.AsyncIterator, ServerSentEventParser>

        /// Returns the next event; `nil` after the last one, and always after an error.
        ///
        /// - Throws: The errors of the body; ``ErrandError`` with `elementTooLarge` or `cancelled`.
        public mutating func next() async throws -> ServerSentEvent? {
            try await events.next()
        }
    }
}

extension ServerSentEvents: Sendable where Base: Sendable {}

extension ServerSentEvents.AsyncIterator: ResponseReading {
    var response: DataResponse? { events.response }
    var errorMapping: (@Sendable (any Error) -> any Error)? { events.errorMapping }
}
