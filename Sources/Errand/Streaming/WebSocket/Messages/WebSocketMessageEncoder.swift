/// Turns messages into frames (RFC 6455, section 5.4): one message after the other, each compressed where that was
/// agreed on, and cut into fragments, between which control frames can be written.
///
/// It does no I/O. It holds a compressor, so it belongs to whoever writes.
package struct WebSocketMessageEncoder {
    private let frames: WebSocketFrameEncoder
    private let deflater: MessageDeflater?
    private let maximumFragmentSize: Int
    private var rest: [UInt8] = []
    /// The head of the next fragment; nil between messages.
    private var head: WebSocketFrameHead?
    private var used = 0

    /// - Parameters:
    ///   - role: Which end this is.
    ///   - compression: What was agreed on; nil for none.
    ///   - maximumFragmentSize: The most bytes of payload that are written as one frame.
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

    /// Whether a message is under way.
    package var isInsideMessage: Bool { head != nil }

    /// Begins a message; the one before has to be finished.
    package mutating func begin(_ message: WebSocketMessage) {
        let bytes: [UInt8]
        let opcode: WebSocketOpcode
        switch message {
        case .text(let text): (bytes, opcode) = (Array(text.utf8), .text)
        case .data(let data): (bytes, opcode) = (Array(data), .binary)
        }
        used = 0
        // An empty message has nothing to gain, and zlib has no output for it.
        if !bytes.isEmpty, let compressed = deflater?.compress(bytes) {
            rest = compressed
            head = WebSocketFrameHead(opcode, isCompressed: true)
        } else {
            rest = bytes
            head = WebSocketFrameHead(opcode)
        }
    }

    /// Adds the next fragment of the message to what is to be written.
    ///
    /// - Returns: Whether it was the last.
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

    /// Adds a control frame; what is beyond its 125 bytes is left out.
    package func append(_ opcode: WebSocketOpcode, _ payload: [UInt8], to bytes: inout [UInt8]) {
        frames.append(WebSocketFrameHead(opcode), payload.prefix(125), to: &bytes)
    }

    /// The payload of a close frame: the code, unless there is none, and as much of the reason as fits in whole characters.
    package static func payload(of closure: WebSocketClosure) -> [UInt8] {
        guard closure.code.isSendable else { return [] }
        var reason = closure.reason.unicodeScalars
        while String(reason).utf8.count > 123 { reason.removeLast() }
        return [UInt8(closure.code.rawValue >> 8), UInt8(closure.code.rawValue & 0xFF)] + Array(String(reason).utf8)
    }
}
