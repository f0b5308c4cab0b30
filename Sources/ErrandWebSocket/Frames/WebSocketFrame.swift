import Errand

/// The type of a frame (RFC 6455, section 5.2).
package enum WebSocketOpcode: UInt8, Sendable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// Whether it is a control frame, which may be sent between the fragments of a message.
    package var isControl: Bool { rawValue >= 0x8 }
}

/// The parts of a frame's head that remain after decoding.
package struct WebSocketFrameHead: Hashable, Sendable {
    package var opcode: WebSocketOpcode
    /// Whether it is the last frame of its message.
    package var isFinal = true
    /// Whether RSV1 is set: the message that begins with this frame is compressed (RFC 7692, section 6).
    package var isCompressed = false

    package init(_ opcode: WebSocketOpcode, isFinal: Bool = true, isCompressed: Bool = false) {
        self.opcode = opcode
        self.isFinal = isFinal
        self.isCompressed = isCompressed
    }
}

/// The end of a connection. A client masks its frames, a server does not.
package enum WebSocketRole: Sendable {
    case client
    case server
}

/// A protocol violation by the other side, with the code and the reason for the close frame.
package struct WebSocketViolation: Error, Hashable, Sendable {
    /// The code with which the connection fails (RFC 6455, section 7.4.1).
    package var code: WebSocketCloseCode
    /// A sentence that contains no received data.
    package var reason: String

    /// Returns a violation of the framing rules.
    package static func malformed(_ reason: String) -> WebSocketViolation {
        WebSocketViolation(code: .protocolError, reason: reason)
    }

    /// Returns a violation by a frame or a message that is too long.
    package static func tooBig(_ reason: String) -> WebSocketViolation {
        WebSocketViolation(code: .messageTooBig, reason: reason)
    }

    /// Returns a violation by content that is invalid for its type.
    package static func badContent(_ reason: String) -> WebSocketViolation {
        WebSocketViolation(code: .invalidPayload, reason: reason)
    }
}

extension ErrandError {
    /// Creates the error of a protocol violation.
    init(_ violation: WebSocketViolation) {
        self.init(
            violation.code == .messageTooBig ? .webSocketMessageTooBig : .webSocketProtocolViolated,
            reason: violation.reason)
    }
}

extension [UInt8] {
    /// Masks the bytes from an offset with the key of a client's frame (RFC 6455, section 5.3), whose first byte is the
    /// highest one. Masking a payload twice restores it.
    ///
    /// - Parameter key: The key of the first byte. The call rotates it to that of the byte after the last one.
    mutating func mask(from start: Int = 0, with key: inout UInt32) {
        var next = key
        withUnsafeMutableBufferPointer { bytes in
            for index in start..<bytes.count {
                next = next &<< 8 | next &>> 24
                bytes[index] ^= UInt8(truncatingIfNeeded: next)
            }
        }
        key = next
    }
}

/// A control frame to write.
package enum WebSocketControl: Hashable, Sendable {
    case pong([UInt8])
    case ping([UInt8])
    /// The last frame of this side.
    case close(WebSocketClosure)
}
