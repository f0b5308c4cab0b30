extension AsyncSequence where Element == ServerSentEvent {
    /// Returns the decoded data of the events. The first event that cannot be decoded ends the sequence.
    ///
    /// To continue after such an event, decode each event with ``ServerSentEvent/decode(_:decoder:)``.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - name: The type of the events to decode; other events are skipped. `nil`, the default, decodes all events.
    ///   - decoder: The decoder; `nil`, the default, uses that of the API that sent the request, or a
    ///     ``FastJSONDecoder``.
    public func values<Value: Decodable & SendableMetatype>(
        of type: Value.Type, named name: String? = nil, decoder: (any DataDecoder)? = nil
    ) -> EventValues<Self, Value> {
        EventValues(base: self, name: name, decoder: decoder)
    }
}

extension AsyncSequence where Element == Data {
    /// Returns the decoded data of one body's server-sent events: `values(of:named:decoder:)` of `events()`.
    ///
    /// - Parameters: As for `values(of:named:decoder:)`.
    public func events<Value: Decodable & SendableMetatype>(
        of type: Value.Type, named name: String? = nil, decoder: (any DataDecoder)? = nil
    ) -> EventValues<ServerSentEvents<Self>, Value> {
        events().values(of: type, named: name, decoder: decoder)
    }
}

extension ResponseStream {
    /// Returns the decoded data of the server-sent events, and reconnects when the connection is lost:
    /// `values(of:named:decoder:)` of an ``EventSource``.
    ///
    /// ```swift
    /// for try await message in request.sendStream().events(of: Message.self) { print(message) }
    /// ```
    ///
    /// - Parameters: As for `values(of:named:decoder:)`.
    public func events<Value: Decodable & SendableMetatype>(
        of type: Value.Type, named name: String? = nil, decoder: (any DataDecoder)? = nil
    ) -> EventValues<EventSource, Value> {
        events(lastEventID: "").values(of: type, named: name, decoder: decoder)
    }
}

/// The decoded data of server-sent events. `values(of:named:decoder:)` returns it.
public struct EventValues<Base: AsyncSequence, Value: Decodable & SendableMetatype>: AsyncSequence
where Base.Element == ServerSentEvent {
    /// A value.
    public typealias Element = Value

    let base: Base
    let name: String?
    let decoder: (any DataDecoder)?

    /// Creates an iterator over the values.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: base.makeAsyncIterator(), name: name, decoder: decoder)
    }

    /// An iterator over the values. Only one task at a time may use it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The iterator over the events; `nil` after an error. Releasing it closes the connection.
        private var events: Base.AsyncIterator?
        private let name: String?
        private let decoder: (any DataDecoder)?

        fileprivate init(events: Base.AsyncIterator, name: String?, decoder: (any DataDecoder)?) {
            self.events = events
            self.name = name
            self.decoder = decoder
        }

        /// Returns the next value; `nil` after the last one, and always after an error.
        ///
        /// - Throws: The errors of the events; ``ErrandError`` with `decodingFailed`.
        public mutating func next() async throws -> Value? {
            guard var events else { return nil }
            do {
                while let event = try await events.next(isolation: #isolation) {
                    guard name == nil || event.event == name else { continue }
                    let value = try event.decode(Value.self, decoder: decoder)
                    self.events = events
                    return value
                }
                self.events = nil
                return nil
            } catch {
                self.events = nil
                throw error
            }
        }
    }
}

extension EventValues: Sendable where Base: Sendable {}
