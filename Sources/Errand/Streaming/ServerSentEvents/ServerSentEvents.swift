extension AsyncSequence where Self: Sendable, Element == Data {
    /// Returns the server-sent events of one response (WHATWG HTML, section 9.2), each as soon as it is complete.
    ///
    /// ```swift
    /// for try await event in request.sendStream().events() { print(event.event, event.data) }
    /// ```
    ///
    /// The sequence ends with the body. To reconnect, use
    /// ``ResponseStream/eventSource(lastEventID:reconnection:maximumSize:)``. An event without an empty line after it
    /// is discarded, as the standard requires. An event that is too large fails with
    /// ``ErrandError/Code-swift.struct/elementTooLarge`` and ends the sequence. Cancelling the task that reads, or
    /// leaving the loop, ends the transfer.
    ///
    /// - Parameter maximumSize: The maximum size in bytes of an event's data, and of a line; 1 MiB by default. It also
    ///   bounds the buffer for an incomplete event. A negative value counts as zero.
    public func events(maximumSize: Int = 1 << 20) -> some AsyncSequence<ServerSentEvent, any Error> & Sendable {
        ParsedSequence(base: self, parser: ServerSentEventParser(maximumSize: maximumSize))
    }

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
    ) -> some AsyncSequence<Value, any Error> & Sendable {
        events().values(of: type, named: name, until: end, decoder: decoder)
    }
}

extension AsyncSequence where Self: Sendable, Element == ServerSentEvent {
    /// Returns the decoded data of the events. The first event that cannot be decoded ends the sequence.
    ///
    /// To continue after such an event, decode each event with ``ServerSentEvent/decode(_:decoder:)``.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - name: The type of the events to decode; other events are skipped. `nil`, the default, decodes all events.
    ///   - end: The data of the event, of any type, that ends the values, such as `[DONE]`. It is not decoded, and the
    ///     events after it are not read. If the events end before it, the sequence fails with
    ///     ``ErrandError/Code-swift.struct/transportFailed``. With `nil`, the default, the values end with the events.
    ///   - decoder: The decoder; `nil`, the default, uses that of the API that sent the request, or a
    ///     ``/ErrandJSON/FastJSONDecoder``.
    public func values<Value: Decodable & SendableMetatype>(
        of type: Value.Type, named name: String? = nil, until end: String? = nil,
        decoder: (any DataDecoder)? = nil
    ) -> some AsyncSequence<Value, any Error> & Sendable {
        EventValues(base: self, name: name, end: end, decoder: decoder)
    }
}

/// The decoded data of server-sent events.
private struct EventValues<Base: AsyncSequence & Sendable, Value: Decodable & SendableMetatype>: AsyncSequence, Sendable
where Base.Element == ServerSentEvent {
    let base: Base
    let name: String?
    let end: String?
    let decoder: (any DataDecoder)?

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: base.makeAsyncIterator(), name: name, end: end, decoder: decoder)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        /// The iterator over the events; `nil` after the end or an error. Releasing it closes the connection.
        var events: Base.AsyncIterator?
        let name: String?
        let end: String?
        let decoder: (any DataDecoder)?

        mutating func next() async throws -> Value? {
            try await next(isolation: #isolation)
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
            guard var events else { return nil }
            do {
                while let event = try await events.next(isolation: actor) {
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
                // Adds the head of the response, if the events know it, and applies the API's own conversion.
                throw (events as? any ResponseReading).describing(error)
            }
        }
    }
}
