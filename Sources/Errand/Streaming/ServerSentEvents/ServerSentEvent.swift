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
            return try decoder.value(type, from: data)
        } catch {
            throw ErrandError(
                .decodingFailed, reason: "an event's data: \(error)", document: Data(data.utf8),
                underlyingError: error.cause)
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

extension ServerSentEvent: Confidential {
    /// The type and the size, such as `message (12 bytes)`.
    public var description: String { "\(event) (\(data.utf8.count) bytes)" }
}

/// A parser of server-sent events (WHATWG HTML, sections 9.2.5 and 9.2.6).
///
/// The parser splits the bytes into lines before it decodes UTF-8. This is safe, since the bytes of a line end are
/// never part of another character. An event without an empty line after it is discarded.
struct ServerSentEventParser: PieceParser {
    /// The last event ID of the stream. An event without an ID does not change it.
    private(set) var lastEventID: String
    /// The last reconnection time of the stream.
    private(set) var reconnectionTime: Duration?

    /// The decoder of the events.
    private var coding = EventDecoder()
    private let maximumSize: Int
    private var lines: LineSplitter
    private var isFirstLine = true
    // The buffers of section 9.2.6. Each line of the data ends with a line feed.
    private var data: [UInt8] = []
    private var type: [UInt8] = []
    private var idBuffer: String
    /// The reconnection time that was received since the last event.
    private var retry: Duration?

    /// - Parameters:
    ///   - lastEventID: The last event ID of an earlier connection. Browsers keep it too, for events that set none.
    ///   - maximumSize: The maximum size in bytes of an event's data, and of a line.
    init(lastEventID: String = "", maximumSize: Int) {
        self.lastEventID = lastEventID
        idBuffer = lastEventID
        self.maximumSize = max(0, maximumSize)
        lines = LineSplitter(maximumLength: self.maximumSize)
    }

    mutating func begin(_ response: DataResponse) {
        coding.decoder = response.decoder
    }

    mutating func append(_ piece: Data) {
        lines.append(piece)
    }

    mutating func next() throws(ErrandError) -> ServerSentEvent? {
        while let line = lines.next() {
            guard case .whole(let bytes) = line else { throw tooLarge }
            if let event = try read(withoutMark(bytes)) { return event }
        }
        return nil
    }

    mutating func finish() throws(ErrandError) -> ServerSentEvent? { nil }

    private var tooLarge: ErrandError {
        ErrandError(.elementTooLarge, reason: "an event has more than \(maximumSize) bytes")
    }

    /// Removes the byte order mark that the stream may begin with.
    private mutating func withoutMark(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        defer { isFirstLine = false }
        return isFirstLine && line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
    }

    /// Reads a line, and returns the event that it ends.
    private mutating func read(_ line: ArraySlice<UInt8>) throws(ErrandError) -> ServerSentEvent? {
        if line.isEmpty { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        // A line that begins with a colon is a comment.
        guard colon > line.startIndex else { return nil }
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        try set(line[..<colon], to: value)
        return nil
    }

    private mutating func set(_ field: ArraySlice<UInt8>, to value: ArraySlice<UInt8>) throws(ErrandError) {
        if field.elementsEqual("data".utf8) {
            // The line feed that is appended now does not count, since the last one is removed from the event.
            guard value.count <= maximumSize - data.count else { throw tooLarge }
            data += value
            data.append(UInt8(ascii: "\n"))
        } else if field.elementsEqual("event".utf8) {
            type = Array(value)
        } else if field.elementsEqual("id".utf8) {
            if !value.contains(0) { idBuffer = String(decoding: value, as: UTF8.self) }
        } else if field.elementsEqual("retry".utf8) {
            guard let time = Self.milliseconds(value) else { return }
            reconnectionTime = time
            retry = time
        }
    }

    /// Ends the event and returns it; `nil` if it has no data.
    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = idBuffer
        defer {
            data = []
            type = []
        }
        guard !data.isEmpty else { return nil }
        defer { retry = nil }
        let name = type.isEmpty ? "message" : String(decoding: type, as: UTF8.self)
        var event = ServerSentEvent(
            event: name, data: String(decoding: data.dropLast(), as: UTF8.self), id: lastEventID, retry: retry)
        event.coding = coding
        return event
    }

    /// Parses ASCII digits as milliseconds, limited to a hundred years; `nil` for anything else.
    private static func milliseconds(_ digits: ArraySlice<UInt8>) -> Duration? {
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
        var time: Int64 = 0
        // Digits after 1 << 50 (35,000 years) are ignored, so that the number cannot overflow.
        for digit in digits where time < 1 << 50 { time = time * 10 + Int64(digit - 0x30) }
        return .milliseconds(time).bounded
    }
}
