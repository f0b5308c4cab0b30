/// One event of a stream of server-sent events (WHATWG HTML, section 9.2).
///
/// Its descriptions show the type and the size; what may be secret is in the properties.
public struct ServerSentEvent: Hashable, Sendable {
    /// The type, as `event:` says; `message` where it says nothing.
    public var event: String
    /// The data: the values of the `data:` fields, with a line feed between each two.
    public var data: String
    /// The last event ID as of this event, which an earlier one may have set; empty where there was none.
    ///
    /// It is what a reconnection sends as `Last-Event-ID`.
    public var id: String
    /// How long the server wants reconnecting to wait, where `retry:` said so since the event before; nil otherwise.
    public var retry: Duration?
    /// What ``decode(_:decoder:)`` uses: the decoder of the API that sent the request.
    var coding = EventDecoder()

    /// An event, as a test makes it.
    public init(event: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.event = event
        self.data = data
        self.id = id
        self.retry = retry
    }
}

extension ServerSentEvent {
    /// Decodes the data, with the decoder of the API by default.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The decoder; `nil`, the default, uses that of the API that sent the request, or a ``FastJSONDecoder``.
    /// - Throws: ``ErrandError`` with `decodingFailed`, whose reason says where in the document it failed and what was
    ///   expected there, never what stood there. It has the first bytes of the data in ``ErrandError/bodyPrefix``.
    public func decode<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, decoder: (any DataDecoder)? = nil
    ) throws(ErrandError) -> Value {
        let decoder = decoder ?? coding.decoder ?? FastJSONDecoder()
        do {
            return try decoder.decode(type, from: data)
        } catch {
            let document = Data(data.utf8)
            let place = DecodingFailure(error, in: document, isJSON: decoder is JSONDecoder)
            throw ErrandError(
                .decodingFailed, reason: "an event's data: \(place)", document: document, underlyingError: error)
        }
    }
}

/// The decoder of an event. All are equal, so that events are compared by what the server sent.
struct EventDecoder: Hashable, Sendable {
    var decoder: (any DataDecoder)?

    static func == (_: Self, _: Self) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}

extension ServerSentEvent: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type and the size: `message (12 bytes)`.
    public var description: String { "\(event) (\(data.utf8.count) bytes)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no data.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
