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

    /// An event, as a test makes it.
    public init(event: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.event = event
        self.data = data
        self.id = id
        self.retry = retry
    }
}

extension ServerSentEvent {
    /// Decodes the data: as JSON, or with a decoder of your own.
    ///
    /// - Throws: ``ErrandError`` with `decodingFailed`, whose reason says where in the document it failed and what was
    ///   expected there, never what stood there. It has the first bytes of the data in ``ErrandError/bodyPrefix``.
    public func decode<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, decoder: some DataDecoder = FastJSONDecoder()
    ) throws(ErrandError) -> Value {
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

extension ServerSentEvent: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type and the size: `message (12 bytes)`.
    public var description: String { "\(event) (\(data.utf8.count) bytes)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no data.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
