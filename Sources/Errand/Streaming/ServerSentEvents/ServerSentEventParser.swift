/// Reads a stream of server-sent events (WHATWG HTML, sections 9.2.5 and 9.2.6).
///
/// Bytes are read line by line, and decoded as UTF-8 when an event is whole: a line end is never part of a character. An
/// event that no empty line ends is dropped.
struct ServerSentEventParser: PieceParser {
    /// What the stream said last of its own ID; where an event sets none, it keeps this.
    private(set) var lastEventID: String
    /// What the stream said last of how long reconnecting has to wait.
    private(set) var reconnectionTime: Duration?

    /// The decoder of the events.
    private var coding = EventDecoder()
    private let maximumSize: Int
    private var lines: LineSplitter
    private var isFirstLine = true
    // The buffers of section 9.2.6. The data has a line feed behind each line.
    private var data: [UInt8] = []
    private var type: [UInt8] = []
    private var idBuffer: String
    private var retry: Duration?

    /// - Parameters:
    ///   - lastEventID: What an earlier connection said: browsers keep it, too, for events that set none.
    ///   - maximumSize: The most bytes of an event, and of a line.
    init(lastEventID: String = "", maximumSize: Int) {
        self.lastEventID = lastEventID
        idBuffer = lastEventID
        self.maximumSize = max(0, maximumSize)
        lines = LineSplitter(maximumLength: self.maximumSize)
    }

    mutating func begin(_ answer: DataResponse) {
        coding.decoder = answer.decoder
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

    /// The line without the byte order mark that the stream may begin with.
    private mutating func withoutMark(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        defer { isFirstLine = false }
        return isFirstLine && line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
    }

    private mutating func read(_ line: ArraySlice<UInt8>) throws(ErrandError) -> ServerSentEvent? {
        if line.isEmpty { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        // A line that begins with the colon is a comment.
        guard colon > line.startIndex else { return nil }
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        try set(line[..<colon], to: value)
        return nil
    }

    private mutating func set(_ field: ArraySlice<UInt8>, to value: ArraySlice<UInt8>) throws(ErrandError) {
        if field.elementsEqual("data".utf8) {
            // The last line feed does not count.
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

    /// Ends the event, which is one only if there were data.
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

    /// ASCII digits as a time, a hundred years at the most; nil for anything else.
    private static func milliseconds(_ digits: ArraySlice<UInt8>) -> Duration? {
        guard !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        var time: Int64 = 0
        for digit in digits where time < 1 << 50 { time = time * 10 + Int64(digit - 0x30) }
        return .milliseconds(time).bounded
    }
}
