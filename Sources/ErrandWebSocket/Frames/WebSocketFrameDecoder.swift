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

/// A side of a connection. A client masks its frames, a server does not.
package enum WebSocketRole: Sendable {
    case client
    case server
}

/// The reason for which this side fails the connection: a protocol violation by the other side, an exceeded limit, or a
/// lack of memory to decompress.
package struct WebSocketViolation: Error, Hashable, Sendable {
    /// The code of the close frame (RFC 6455, section 7.4.1).
    package var code: WebSocketCloseCode
    /// The reason for the error, without received data. It is not sent.
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
    /// Creates the error of a connection that this side fails.
    init(_ violation: WebSocketViolation) {
        self.init(
            violation.code == .messageTooBig ? .webSocketMessageTooBig : .webSocketProtocolViolated,
            reason: violation.reason)
    }
}

extension [UInt8] {
    /// Masks the bytes from an offset with the key of a client's frame (RFC 6455, section 5.3). Masking a payload twice
    /// restores it.
    ///
    /// - Parameter key: The key, whose highest byte masks the first byte. The call rotates it, so that its highest byte
    ///   masks the byte that follows.
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

/// An incremental decoder of frames (RFC 6455, section 5.2), wherever the bytes are split.
///
/// It returns the payload unmasked and in pieces, so that a long frame needs no more memory than the bytes of one read.
package struct WebSocketFrameDecoder: Sendable {
    /// A decoded part of a frame.
    package enum Event: Hashable, Sendable {
        case head(WebSocketFrameHead)
        /// A part of the payload, which is never empty.
        case payload([UInt8])
        /// The end of the frame.
        case end
    }

    private let role: WebSocketRole
    private let allowsCompression: Bool
    private let maximumFrameSize: Int
    private var buffer: [UInt8] = []
    /// The number of decoded bytes in `buffer`.
    private var used = 0
    /// The frame whose payload is being decoded; `nil` between frames.
    private var frame: Frame?

    private struct Frame {
        /// The number of payload bytes that are not decoded.
        var left: Int
        /// The key, whose highest byte masks the next byte; `nil` if the frame is not masked.
        var key: UInt32?
    }

    /// - Parameters:
    ///   - role: The side that this decoder belongs to. A server requires masked frames.
    ///   - allowsCompression: Whether RSV1 has a meaning (RFC 7692).
    ///   - maximumFrameSize: The maximum payload of a frame in bytes; less than 125 counts as 125.
    package init(role: WebSocketRole, allowsCompression: Bool = false, maximumFrameSize: Int) {
        self.role = role
        self.allowsCompression = allowsCompression
        self.maximumFrameSize = maximumFrameSize
    }

    /// The number of received bytes that are not part of a returned event.
    package var byteCount: Int { buffer.count - used }

    /// Adds received bytes.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        // Decoded bytes are removed in large groups, because each removal moves all others.
        if used == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            used = 0
        } else if used > 65_536 {
            buffer.removeFirst(used)
            used = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next event; `nil` if more bytes are needed.
    ///
    /// - Throws: The protocol violation of the other side. The decoder must not be used after that.
    package mutating func next() throws(WebSocketViolation) -> Event? {
        guard let frame else { return try nextHead().map { .head($0) } }
        guard frame.left > 0 else {
            self.frame = nil
            return .end
        }
        let count = min(frame.left, buffer.count - used)
        guard count > 0 else { return nil }
        var payload = Array(buffer[used..<(used + count)])
        used += count
        if var key = frame.key {
            payload.mask(with: &key)
            self.frame?.key = key
        }
        self.frame?.left -= count
        return .payload(payload)
    }

    /// Decodes the head of the next frame; returns `nil` if more bytes are needed.
    private mutating func nextHead() throws(WebSocketViolation) -> WebSocketFrameHead? {
        guard buffer.count - used >= 2 else { return nil }
        let (first, second) = (buffer[used], buffer[used + 1])
        // Errors in the first two bytes are reported before more bytes arrive.
        let head = try head(of: first)
        let isMasked = second & 0x80 != 0
        guard isMasked == (role == .server) else {
            throw .malformed(isMasked ? "a server's frame is masked" : "a client's frame is not masked")
        }
        // A length of 126 or more follows in 2 bytes, marked by 126 here, or in 8 bytes, marked by 127.
        let short = second & 0x7F
        if head.opcode.isControl, short > 125 { throw .malformed("a control frame has more than 125 bytes") }
        let extra = short == 126 ? 2 : short == 127 ? 8 : 0
        let size = 2 + extra + (isMasked ? 4 : 0)
        guard buffer.count - used >= 2 + extra else { return nil }
        // A length that is too large is reported before the key arrives.
        let count = try payloadCount(short, extra: extra)
        guard buffer.count - used >= size else { return nil }
        used += size
        let key = isMasked ? buffer[(used - 4)..<used].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } : nil
        frame = Frame(left: count, key: key)
        return head
    }

    /// Decodes the first byte of a frame: the final bit, three reserved bits and the opcode.
    private func head(of first: UInt8) throws(WebSocketViolation) -> WebSocketFrameHead {
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else { throw .malformed("a reserved opcode") }
        let isFinal = first & 0x80 != 0
        let isCompressed = first & 0x40 != 0
        if first & 0x30 != 0 { throw .malformed("a reserved bit is set") }
        // If compression was negotiated, the first frame of a message may have this bit.
        if isCompressed, !allowsCompression || opcode.isControl || opcode == .continuation {
            throw .malformed("a reserved bit is set")
        }
        if opcode.isControl, !isFinal { throw .malformed("a control frame is fragmented") }
        return WebSocketFrameHead(opcode, isFinal: isFinal, isCompressed: isCompressed)
    }

    /// Decodes the length of the payload.
    ///
    /// - Parameters:
    ///   - short: The length or the mark in the second byte of the frame.
    ///   - extra: The number of bytes after it that contain the length; 0 if `short` is the length.
    private func payloadCount(_ short: UInt8, extra: Int) throws(WebSocketViolation) -> Int {
        let long = buffer[(used + 2)..<(used + 2 + extra)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let count = extra == 0 ? UInt64(short) : long
        if extra == 8, long >> 63 != 0 { throw .malformed("the length of a frame has its highest bit set") }
        if (extra == 2 && count < 126) || (extra == 8 && count <= 0xFFFF) {
            throw .malformed("the length of a frame is not written in the shortest way")
        }
        guard count <= UInt64(max(maximumFrameSize, 125)) else {
            throw .tooBig("a frame is longer than `maximumFrameSize` of the options, \(maximumFrameSize) bytes")
        }
        return Int(count)
    }
}
