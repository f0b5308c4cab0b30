/// An encoder of messages into frames (RFC 6455, section 5.4), one message at a time.
///
/// It compresses messages if that was negotiated, and splits them into fragments, between which control frames can be
/// sent. It does no I/O. Since it holds a compressor, only the writer may use it.
package struct WebSocketMessageEncoder {
    private let frames: WebSocketFrameEncoder
    private let deflater: MessageDeflater?
    private let maximumFragmentSize: Int
    private var rest: [UInt8] = []
    /// The head of the next fragment; `nil` between messages.
    private var head: WebSocketFrameHead?
    private var used = 0

    /// - Parameters:
    ///   - role: The end that this encoder belongs to.
    ///   - compression: The negotiated compression; `nil` for none.
    ///   - maximumFragmentSize: The maximum payload in bytes of one frame.
    package init(
        role: WebSocketRole, compression: PermessageDeflate? = nil, maximumFragmentSize: Int,
        makeKey: @escaping @Sendable () -> UInt32 = { .random(in: 0 ... .max) }
    ) {
        frames = WebSocketFrameEncoder(role: role, makeKey: makeKey)
        self.maximumFragmentSize = max(maximumFragmentSize, 1)
        deflater = compression.flatMap { compression in
            MessageDeflater(
                windowBits: compression.windowBits(of: role), keepsContext: compression.keepsContext(of: role))
        }
    }

    /// Whether a message has been started and not finished.
    package var isInsideMessage: Bool { head != nil }

    /// Begins a message. The previous one must be finished.
    package mutating func begin(_ message: WebSocketMessage) {
        let bytes: [UInt8]
        let opcode: WebSocketOpcode
        switch message {
        case .text(let text): (bytes, opcode) = (Array(text.utf8), .text)
        case .data(let data): (bytes, opcode) = (Array(data), .binary)
        }
        used = 0
        // An empty message would not become smaller, and zlib has no output for it.
        if !bytes.isEmpty, let compressed = deflater?.compress(bytes) {
            rest = compressed
            head = WebSocketFrameHead(opcode, isCompressed: true)
        } else {
            rest = bytes
            head = WebSocketFrameHead(opcode)
        }
    }

    /// Appends the next fragment of the message to `bytes`.
    ///
    /// - Returns: Whether it was the last one.
    package mutating func appendFragment(to bytes: inout [UInt8]) -> Bool {
        guard var head else { return true }
        let count = min(rest.count - used, maximumFragmentSize)
        head.isFinal = used + count == rest.count
        frames.append(head, rest[used..<(used + count)], to: &bytes)
        used += count
        self.head = head.isFinal ? nil : WebSocketFrameHead(.continuation)
        if head.isFinal { rest = [] }
        return head.isFinal
    }

    /// Appends a control frame, with its payload truncated to 125 bytes.
    package func append(_ opcode: WebSocketOpcode, _ payload: [UInt8], to bytes: inout [UInt8]) {
        frames.append(WebSocketFrameHead(opcode), payload.prefix(125), to: &bytes)
    }

    /// Returns the payload of a close frame: the code and the reason, truncated to whole characters. It is empty if the
    /// code must not be sent.
    package static func payload(of closure: WebSocketClosure) -> [UInt8] {
        guard closure.code.isSendable else { return [] }
        return [UInt8(closure.code.rawValue >> 8), UInt8(closure.code.rawValue & 0xFF)]
            + Array(closure.sendableReason.utf8)
    }
}
