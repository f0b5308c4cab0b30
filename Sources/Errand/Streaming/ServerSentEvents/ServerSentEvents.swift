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

extension AsyncSequence where Element == ServerSentEvent {
    /// Returns the decoded data of the events. The first event that cannot be decoded ends the sequence.
    ///
    /// To continue after such an event, decode each event with ``ServerSentEvent/decode(_:decoder:)``.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - name: The type of the events to decode; other events are skipped. `nil`, the default, decodes all events.
    ///   - end: The data of the event that ends the values, such as `[DONE]`. It is not decoded, and the events after
    ///     it are not read. If the events end before it, the sequence fails with
    ///     ``ErrandError/Code-swift.struct/transportFailed``. `nil`, the default, ends with the events.
    ///   - decoder: The decoder; `nil`, the default, uses that of the API that sent the request, or a
    ///     ``/ErrandJSON/FastJSONDecoder``.
    public func values<Value: Decodable & SendableMetatype>(
        of type: Value.Type, named name: String? = nil, until end: String? = nil,
        decoder: (any DataDecoder)? = nil
    ) -> EventValues<Self, Value> {
        EventValues(base: self, name: name, end: end, decoder: decoder)
    }
}

extension AsyncSequence where Element == Data {
    /// Returns the decoded data of one response's server-sent events: `values(of:named:until:decoder:)` of `events()`.
    ///
    /// ```swift
    /// for try await chunk in request.sendStream().events(of: Chunk.self, until: "[DONE]") { print(chunk.text) }
    /// ```
    ///
    /// - Parameters: As for `values(of:named:until:decoder:)`.
    public func events<Value: Decodable & SendableMetatype>(
        of type: Value.Type, named name: String? = nil, until end: String? = nil,
        decoder: (any DataDecoder)? = nil
    ) -> EventValues<ServerSentEvents<Self>, Value> {
        events().values(of: type, named: name, until: end, decoder: decoder)
    }
}

/// The decoded data of server-sent events. `values(of:named:until:decoder:)` returns it.
public struct EventValues<Base: AsyncSequence, Value: Decodable & SendableMetatype>: AsyncSequence
where Base.Element == ServerSentEvent {
    /// A value.
    public typealias Element = Value

    let base: Base
    let name: String?
    let end: String?
    let decoder: (any DataDecoder)?

    /// Creates an iterator over the values.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: base.makeAsyncIterator(), name: name, end: end, decoder: decoder)
    }

    /// An iterator over the values. Only one task at a time may use it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The iterator over the events; `nil` after an error. Releasing it closes the connection.
        private var events: Base.AsyncIterator?
        private let name: String?
        private let end: String?
        private let decoder: (any DataDecoder)?

        fileprivate init(events: Base.AsyncIterator, name: String?, end: String?, decoder: (any DataDecoder)?) {
            self.events = events
            self.name = name
            self.end = end
            self.decoder = decoder
        }

        /// Returns the next value; `nil` after the last one, and always after an error.
        ///
        /// - Throws: The errors of the events; ``ErrandError`` with `decodingFailed`, or with `transportFailed` if they
        ///   end too early.
        public mutating func next() async throws -> Value? {
            guard var events else { return nil }
            do {
                while let event = try await events.next(isolation: #isolation) {
                    if event.data == end {
                        self.events = nil
                        return nil
                    }
                    guard name == nil || event.event == name else { continue }
                    let value = try event.decode(Value.self, decoder: decoder)
                    self.events = events
                    return value
                }
                self.events = nil
                guard let end else { return nil }
                throw ErrandError(
                    .transportFailed, reason: "the events ended before the event \"\(end)\"",
                    underlyingError: URLError(.networkConnectionLost))
            } catch {
                self.events = nil
                throw (events as? any ResponseReading).describing(error)
            }
        }
    }
}

extension EventValues: Sendable where Base: Sendable {}
