extension AsyncSequence where Element == ServerSentEvent {
    /// The data of the events, decoded one by one; the first that does not decode ends the sequence.
    ///
    /// To go on behind such an event, decode each by itself with ``ServerSentEvent/decode(_:decoder:)``.
    ///
    /// - Parameters:
    ///   - type: What each is.
    ///   - name: The type of the events that are wanted, others being passed over; nil for all.
    ///   - decoder: What decodes each; `nil`, the default, uses that of the API that sent the request, or a
    ///     ``FastJSONDecoder``.
    public func values<Value: Decodable & SendableMetatype>(
        of type: Value.Type, named name: String? = nil, decoder: (any DataDecoder)? = nil
    ) -> EventValues<Self, Value> {
        EventValues(base: self, name: name, decoder: decoder)
    }
}

extension AsyncSequence where Element == Data {
    /// The data of one body's server-sent events, decoded one by one: `values(of:named:decoder:)` of `events()`.
    ///
    /// - Parameters: As for `values(of:named:decoder:)`.
    public func events<Value: Decodable & SendableMetatype>(
        of type: Value.Type, named name: String? = nil, decoder: (any DataDecoder)? = nil
    ) -> EventValues<ServerSentEvents<Self>, Value> {
        events().values(of: type, named: name, decoder: decoder)
    }
}

extension ResponseStream {
    /// The data of the server-sent events, decoded one by one, over as many connections as it takes:
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

/// The data of server-sent events, as `values(of:named:decoder:)` gives them.
public struct EventValues<Base: AsyncSequence, Value: Decodable & SendableMetatype>: AsyncSequence
where Base.Element == ServerSentEvent {
    /// A value.
    public typealias Element = Value

    let base: Base
    let name: String?
    let decoder: (any DataDecoder)?

    /// Begins to read the events.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: base.makeAsyncIterator(), name: name, decoder: decoder)
    }

    /// Goes from value to value; to be used by one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Nil behind an error: letting go of it closes the connection.
        private var events: Base.AsyncIterator?
        private let name: String?
        private let decoder: (any DataDecoder)?

        fileprivate init(events: Base.AsyncIterator, name: String?, decoder: (any DataDecoder)?) {
            self.events = events
            self.name = name
            self.decoder = decoder
        }

        /// The next value; nil behind the last, and for good after an error.
        ///
        /// - Throws: What the events throw; ``ErrandError`` with `decodingFailed`.
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
