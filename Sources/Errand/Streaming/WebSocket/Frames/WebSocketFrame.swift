/// What a frame is (RFC 6455, section 5.2).
package enum WebSocketOpcode: UInt8, Sendable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// Whether it is about the connection, and may stand between the fragments of a message.
    package var isControl: Bool { rawValue >= 0x8 }
}

/// The head of a frame, as far as it outlives its decoding.
package struct WebSocketFrameHead: Hashable, Sendable {
    package var opcode: WebSocketOpcode
    /// Whether it is the last of its message.
    package var isFinal = true
    /// Whether RSV1 is set: the message that it begins is compressed (RFC 7692, section 6).
    package var isCompressed = false

    package init(_ opcode: WebSocketOpcode, isFinal: Bool = true, isCompressed: Bool = false) {
        self.opcode = opcode
        self.isFinal = isFinal
        self.isCompressed = isCompressed
    }
}

/// Which end of a connection this is: what a client sends is masked, and nothing else.
package enum WebSocketRole: Sendable {
    case client
    case server
}

/// What the other side must not do, and what it is told in the close frame.
package struct WebSocketViolation: Error, Hashable, Sendable {
    /// The code that the connection is failed with (RFC 6455, section 7.4.1).
    package var code: WebSocketCloseCode
    /// One sentence, without anything that came over the wire.
    package var reason: String

    /// A breach of the framing.
    package static func malformed(_ reason: String) -> WebSocketViolation {
        WebSocketViolation(code: .protocolError, reason: reason)
    }

    /// A frame or a message that is longer than allowed.
    package static func tooBig(_ reason: String) -> WebSocketViolation {
        WebSocketViolation(code: .messageTooBig, reason: reason)
    }

    /// Content that is not what it says it is.
    package static func badContent(_ reason: String) -> WebSocketViolation {
        WebSocketViolation(code: .invalidPayload, reason: reason)
    }
}
