import Errand
import ErrandWebSocket
import TestSupport
import Testing

struct `WebSocket messages` {
    private typealias Event = WebSocketMessageDecoder.Event

    /// Returns the messages that a client reads from these frames.
    private func decode(
        _ frames: [(WebSocketFrameHead, [UInt8])], compression: PermessageDeflate? = nil, limit: Int = 1 << 20,
        pieces: Int = .max
    ) throws -> [Event] {
        let bytes = frames.flatMap { WebSocketEncoder.frame($0, $1) }
        var decoder = WebSocketMessageDecoder(
            role: .client, compression: compression, maximumFrameSize: 1 << 20, maximumMessageSize: limit)
        var events: [Event] = []
        let size = min(pieces, bytes.count)
        for start in stride(from: 0, to: bytes.count, by: size) {
            decoder.append(bytes[start..<min(start + size, bytes.count)])
            while let event = try decoder.next() { events.append(event) }
        }
        return events
    }

    private func text(_ text: String, isFinal: Bool = true) -> (WebSocketFrameHead, [UInt8]) {
        (WebSocketFrameHead(.text, isFinal: isFinal), Array(text.utf8))
    }

    private func more(_ payload: some Sequence<UInt8>, isFinal: Bool = false) -> (WebSocketFrameHead, [UInt8]) {
        (WebSocketFrameHead(.continuation, isFinal: isFinal), Array(payload))
    }

    @Test(arguments: [1, 5, Int.max])
    func `fragments are joined across control frames between them`(_ pieces: Int) throws {
        let events = try decode(
            [
                text("grüß ", isFinal: false), (WebSocketFrameHead(.ping), [1, 2]), more("Gott".utf8),
                (WebSocketFrameHead(.pong), []), more([], isFinal: true), (WebSocketFrameHead(.binary), [0xFF]),
            ], pieces: pieces)
        #expect(
            events == [.ping([1, 2]), .pong([]), .message(.text("grüß Gott")), .message(.data(Data([0xFF])))])
    }

    @Test func `a character can be split across fragments`() throws {
        let bytes = Array("a€b".utf8)
        let events = try decode([
            (WebSocketFrameHead(.text, isFinal: false), Array(bytes[..<2])), more(bytes[2..<3]),
            more(bytes[3...], isFinal: true),
        ])
        #expect(events == [.message(.text("a€b"))])
    }

    @Test func `a text that is not UTF-8 is rejected before it is complete`() throws {
        let violation = #expect(throws: WebSocketViolation.self) {
            try decode([(WebSocketFrameHead(.text, isFinal: false), [0x61, 0xC0])])
        }
        #expect(violation?.code == .invalidPayload)
        #expect(throws: WebSocketViolation.self) { try decode([(WebSocketFrameHead(.text), [0xE2, 0x82])]) }
        #expect(try decode([(WebSocketFrameHead(.binary), [0xC0])]) == [.message(.data(Data([0xC0])))])
    }

    @Test func `a message inside a message and a continuation without a message are rejected`() throws {
        #expect(throws: WebSocketViolation.malformed("a message begins inside another")) {
            try decode([text("a", isFinal: false), text("b")])
        }
        #expect(throws: WebSocketViolation.malformed("a continuation without a message")) {
            try decode([more([1], isFinal: true)])
        }
        #expect(throws: WebSocketViolation.malformed("a continuation without a message")) {
            try decode([text("a"), more([1], isFinal: true)])
        }
    }

    @Test func `a message of many small fragments is rejected at the maximum length`() throws {
        let violation = #expect(throws: WebSocketViolation.self) {
            try decode([text("aaaa", isFinal: false), more("aaaa".utf8), more("a".utf8)], limit: 8)
        }
        #expect(violation?.code == .messageTooBig)
        #expect(violation?.reason.hasPrefix("a message is longer than `maximumMessageSize` of the options, ") == true)
        #expect(try decode([text("aaaa", isFinal: false), more("aaaa".utf8, isFinal: true)], limit: 8).count == 1)
    }

    @Test func `a close frame contains its code and reason`() throws {
        let close = WebSocketFrameHead(.close)
        #expect(try decode([(close, [])]) == [.close(WebSocketClosure(code: .noStatus))])
        #expect(
            try decode([(close, [0x0F, 0xA1] + Array("bye".utf8))])
                == [.close(WebSocketClosure(code: WebSocketCloseCode(rawValue: 4001), reason: "bye"))])
    }

    @Test(arguments: [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535])
    func `a close frame with a reserved code is rejected`(_ code: Int) throws {
        let payload = [UInt8(code >> 8), UInt8(code & 0xFF)]
        let violation = #expect(throws: WebSocketViolation.self) { try decode([(WebSocketFrameHead(.close), payload)]) }
        #expect(violation?.code == .protocolError)
    }

    @Test func `a close frame with an incomplete code or a reason that is not UTF-8 is rejected`() throws {
        let half = #expect(throws: WebSocketViolation.self) { try decode([(WebSocketFrameHead(.close), [0x03])]) }
        #expect(half?.code == .protocolError)
        let text = #expect(throws: WebSocketViolation.self) {
            try decode([(WebSocketFrameHead(.close), [0x03, 0xE8, 0xC0])])
        }
        #expect(text?.code == .invalidPayload)
    }

    @Test func `a message is sent in fragments that allow control frames between them`() throws {
        let encoder = WebSocketEncoder(role: .server, maximumFragmentSize: 4)
        encoder.append(.text("0123456789"))
        var fragments = 1
        while encoder.isInsideMessage {
            encoder.append(.ping([UInt8(fragments)]))
            encoder.appendFragment()
            fragments += 1
        }
        #expect(fragments == 3)
        var decoder = WebSocketMessageDecoder(role: .client, maximumFrameSize: 4, maximumMessageSize: 10)
        decoder.append(encoder.bytes)
        var events: [Event] = []
        while let event = try decoder.next() { events.append(event) }
        #expect(events == [.ping([1]), .ping([2]), .message(.text("0123456789"))])
    }

    @Test func `an empty message is sent as one frame`() throws {
        let encoder = WebSocketEncoder(role: .server, compression: PermessageDeflate(), maximumFragmentSize: 4)
        encoder.append(.data(Data()))
        #expect(!encoder.isInsideMessage)
        #expect(encoder.bytes == [0x82, 0x00])
    }

    @Test(arguments: [50, 1_000_000])
    func `a close reason that is too long is truncated at a character`(_ count: Int) {
        let closure = WebSocketClosure(code: .normal, reason: String(repeating: "€", count: count))
        #expect(closure.payload == [0x03, 0xE8] + Array(String(repeating: "€", count: 41).utf8))
        #expect(WebSocketClosure(code: .abnormal, reason: "x").payload.isEmpty)
    }
}
