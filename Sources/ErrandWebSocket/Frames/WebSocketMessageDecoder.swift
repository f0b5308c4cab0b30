import Errand

/// A decoder of messages and control frames (RFC 6455, sections 5.4 to 5.6).
///
/// It joins fragments, verifies texts as they arrive, and decompresses messages up to the limit. It does no I/O. Its
/// copies share a decompressor, so it must not be copied.
package struct WebSocketMessageDecoder {
    /// A received message or control frame.
    package enum Event: Hashable, Sendable {
        case message(WebSocketMessage)
        case ping([UInt8])
        case pong([UInt8])
        /// A close frame, with ``WebSocketCloseCode/noStatus`` if it has no code.
        case close(WebSocketClosure)
    }

    private var frames: WebSocketFrameDecoder
    private let maximumMessageSize: Int
    private let inflater: MessageInflater?
    /// The message that is being received; `nil` between messages.
    private var message: Message?
    /// The control frame that is being received, perhaps between the frames of `message`.
    private var control: (opcode: WebSocketOpcode, payload: [UInt8])?
    /// Whether the current frame of `message` is its last.
    private var isLastFrame = true

    private struct Message {
        var isText: Bool
        var isCompressed: Bool
        /// The decompressed bytes.
        var bytes: [UInt8] = []
        var validator = UTF8Validator()
    }

    /// - Parameters:
    ///   - role: The side that this decoder belongs to.
    ///   - compression: The negotiated compression; `nil` for none.
    ///   - maximumFrameSize: The maximum payload of a frame in bytes; less than 125 counts as 125.
    ///   - maximumMessageSize: The maximum size in bytes of a decompressed message.
    package init(
        role: WebSocketRole, compression: PermessageDeflate? = nil, maximumFrameSize: Int, maximumMessageSize: Int
    ) {
        frames = WebSocketFrameDecoder(
            role: role, allowsCompression: compression != nil, maximumFrameSize: maximumFrameSize)
        self.maximumMessageSize = maximumMessageSize
        inflater = compression.map { MessageInflater(keepsContext: $0.keepsContext(ofOther: role)) }
    }

    /// The number of bytes that are not part of a returned event: undecoded ones, and the decoded ones of the
    /// unfinished message.
    package var byteCount: Int { frames.byteCount + (message?.bytes.count ?? 0) }

    /// Adds received bytes.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        frames.append(bytes)
    }

    /// Returns the next event; `nil` if more bytes are needed.
    ///
    /// - Throws: The reason to fail the connection. The decoder must not be used after that.
    package mutating func next() throws(WebSocketViolation) -> Event? {
        while let event = try frames.next() {
            switch event {
            case .head(let head): try begin(head)
            case .payload(let piece): try receive(piece)
            case .end: if let event = try finishFrame() { return event }
            }
        }
        return nil
    }

    /// Begins a control frame, or a frame of a message.
    private mutating func begin(_ head: WebSocketFrameHead) throws(WebSocketViolation) {
        switch head.opcode {
        case .close, .ping, .pong:
            control = (head.opcode, [])
            return
        case .continuation:
            guard message != nil else { throw .malformed("a continuation without a message") }
        case .text, .binary:
            guard message == nil else { throw .malformed("a message begins inside another") }
            message = Message(isText: head.opcode == .text, isCompressed: head.isCompressed)
        }
        isLastFrame = head.isFinal
    }

    /// Adds a piece of the payload to the control frame or to the message.
    private mutating func receive(_ piece: [UInt8]) throws(WebSocketViolation) {
        if control != nil {
            control?.payload.append(contentsOf: piece)
        } else if message?.isCompressed == true {
            try expand(piece)
        } else {
            try add(piece)
        }
    }

    /// Decompresses a piece, and adds the result to the message.
    private mutating func expand(_ piece: [UInt8]) throws(WebSocketViolation) {
        // Without a negotiated compression, the frame decoder throws at a compressed frame.
        guard let inflater else { return }
        inflater.append(piece)
        while let expanded = try inflater.next() { try add(expanded) }
    }

    /// Adds decompressed bytes to the message. Throws if it becomes too long, or if a text cannot be UTF-8.
    private mutating func add(_ piece: [UInt8]) throws(WebSocketViolation) {
        guard (message?.bytes.count ?? 0) + piece.count <= maximumMessageSize else {
            throw .tooBig("a message is longer than `maximumMessageSize` of the options, \(maximumMessageSize) bytes")
        }
        message?.bytes.append(contentsOf: piece)
        guard message?.isText == true else { return }
        if message?.validator.append(piece) == false { throw .badContent("a text is not UTF-8") }
    }

    /// Ends the current frame, and returns the event that it completes; `nil` if the message continues.
    private mutating func finishFrame() throws(WebSocketViolation) -> Event? {
        if let control {
            self.control = nil
            switch control.opcode {
            case .ping: return .ping(control.payload)
            case .pong: return .pong(control.payload)
            default: return .close(try Self.closure(of: control.payload))
            }
        }
        guard isLastFrame else { return nil }
        if message?.isCompressed == true {
            try expand(PermessageDeflate.tail)
            inflater?.endMessage()
        }
        guard let message else { return nil }
        self.message = nil
        guard message.isText else { return .message(.data(Data(message.bytes))) }
        guard message.validator.isComplete else { throw .badContent("a text is not UTF-8") }
        return .message(.text(String(decoding: message.bytes, as: UTF8.self)))
    }

    /// Decodes the payload of a close frame (section 5.5.1).
    private static func closure(of payload: [UInt8]) throws(WebSocketViolation) -> WebSocketClosure {
        if payload.isEmpty { return WebSocketClosure(code: .noStatus) }
        guard payload.count >= 2 else { throw .malformed("a close frame has half a code") }
        let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.isSendable else { throw .malformed("a close frame has a code that must not be sent") }
        guard let reason = String(validating: payload[2...], as: UTF8.self) else {
            throw .badContent("the reason of a close frame is not UTF-8")
        }
        return WebSocketClosure(code: code, reason: reason)
    }
}

/// An incremental validator of UTF-8 (RFC 3629). A character may be split between two calls.
struct UTF8Validator: Sendable {
    /// The number of missing bytes of the current character.
    private var missing = 0
    /// The allowed range of the next byte of the current character. The range of the first byte after the lead excludes
    /// surrogates, overlong forms and numbers beyond U+10FFFF.
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether the last character is complete.
    var isComplete: Bool { missing == 0 }

    /// Validates the next bytes.
    ///
    /// - Returns: `false` if the bytes cannot be UTF-8, whatever follows. The validator must not be used after that.
    mutating func append(_ bytes: some Sequence<UInt8>) -> Bool {
        for byte in bytes {
            if missing == 0 {
                if byte < 0x80 { continue }
                guard begin(byte) else { return false }
            } else {
                guard allowed.contains(byte) else { return false }
                missing -= 1
                allowed = 0x80...0xBF
            }
        }
        return true
    }

    /// Begins a character of several bytes. Returns `false` if no such character has this lead byte.
    private mutating func begin(_ lead: UInt8) -> Bool {
        switch lead {
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF: missing = 2
        case 0xF0...0xF4: missing = 3
        default: return false
        }
        switch lead {
        case 0xE0: allowed = 0xA0...0xBF
        case 0xED: allowed = 0x80...0x9F
        case 0xF0: allowed = 0x90...0xBF
        case 0xF4: allowed = 0x80...0x8F
        default: allowed = 0x80...0xBF
        }
        return true
    }
}
