/// An event of a stream of server-sent events (WHATWG HTML, section 9.2).
///
/// Its descriptions show the type and the size, but not the data, which may be secret.
public struct ServerSentEvent: Hashable, Sendable {
    /// The type of the event, from the field `event`; `message` if that is missing or empty.
    public var event: String
    /// The data: the values of the `data` fields, joined by line feeds.
    public var data: String
    /// The last event ID of the stream at this event; an earlier event may have set it. It is empty if there was none.
    ///
    /// A reconnection sends it as `Last-Event-ID`.
    public var id: String
    /// The reconnection time from the field `retry`, if the server sent one after the previous event; otherwise `nil`.
    public var retry: Duration?
    /// The decoder that ``decode(_:decoder:)`` uses by default: that of the API that sent the request.
    var coding = EventDecoder()

    /// Creates an event, for tests.
    public init(event: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.event = event
        self.data = data
        self.id = id
        self.retry = retry
    }
}

extension ServerSentEvent {
    /// Decodes the data.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The decoder; `nil`, the default, uses that of the API that sent the request, or a
    ///     ``/ErrandJSON/FastJSONDecoder``.
    /// - Throws: ``ErrandError`` with `decodingFailed`. The reason gives the place in the document and the expected
    ///   type, but never the value. ``ErrandError/bodyPrefix`` contains the first bytes of the data.
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

/// The decoder of an event. All decoders are equal, so that the comparison of events depends only on what the server
/// sent.
struct EventDecoder: Hashable, Sendable {
    var decoder: (any DataDecoder)?

    static func == (_: Self, _: Self) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}

extension ServerSentEvent: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type and the size, such as `message (12 bytes)`.
    public var description: String { "\(event) (\(data.utf8.count) bytes)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows only the description, so that `dump` prints no data.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
