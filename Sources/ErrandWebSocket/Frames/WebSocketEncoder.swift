import CCompression

/// The encoder of the messages and control frames of one side (RFC 6455, sections 5.2 to 5.4, and RFC 7692).
///
/// It compresses a message if that was negotiated, splits it into fragments, between which control frames can be sent,
/// and masks the frames of a client. It does no I/O.
package final class WebSocketEncoder {
    /// The encoded frames, which the caller sends and removes.
    package private(set) var bytes: [UInt8] = []
    private let role: WebSocketRole
    private let maximumFragmentSize: Int
    /// zlib's compressor; `nil` if messages are sent uncompressed.
    private let compressor: OpaquePointer?
    /// Whether a message may refer to earlier ones.
    private let keepsContext: Bool
    /// Whether zlib failed. Its state may then contain data that the other side never received.
    private var isBroken = false
    /// The memory for a piece of a compressed message.
    private let output: UnsafeMutableBufferPointer<UInt8>
    /// The head of the next fragment; `nil` between messages.
    private var head: WebSocketFrameHead?
    /// The payload of the message, after compression.
    private var payload: [UInt8] = []
    /// The number of bytes of `payload` that are in earlier fragments.
    private var used = 0

    /// - Parameters:
    ///   - role: The side that this encoder belongs to.
    ///   - compression: The negotiated compression; `nil` for none. With a window of 2^8 bytes, which zlib does not
    ///     support, messages are sent uncompressed, which is always allowed.
    ///   - maximumFragmentSize: The maximum payload in bytes of one frame.
    package init(role: WebSocketRole, compression: PermessageDeflate? = nil, maximumFragmentSize: Int) {
        self.role = role
        self.maximumFragmentSize = max(maximumFragmentSize, 1)
        keepsContext = compression?.keepsContext(of: role) ?? false
        compressor = compression.flatMap { cencoder_create_raw(Int32(clamping: $0.windowBits(of: role))) }
        output = .allocate(capacity: compressor == nil ? 0 : 65_536)
    }

    deinit {
        if let compressor { cencoder_destroy(compressor) }
        output.deallocate()
    }

    /// Whether a message has been started and not finished.
    package var isInsideMessage: Bool { head != nil }

    /// Appends the first fragment of a message. The previous message must be finished.
    package func append(_ message: WebSocketMessage) {
        let opcode: WebSocketOpcode
        switch message {
        case .text(let text): (payload, opcode) = (Array(text.utf8), .text)
        case .data(let data): (payload, opcode) = (Array(data), .binary)
        }
        used = 0
        var head = WebSocketFrameHead(opcode)
        // An empty message would not become smaller, and zlib has no output for it.
        if !payload.isEmpty, let compressed = compress(payload) {
            payload = compressed
            head.isCompressed = true
        }
        self.head = head
        appendFragment()
    }

    /// Appends the next fragment of the message.
    package func appendFragment() {
        guard var head else { return }
        let end = min(used + maximumFragmentSize, payload.count)
        head.isFinal = end == payload.count
        append(head, payload[used..<end])
        used = end
        self.head = head.isFinal ? nil : WebSocketFrameHead(.continuation)
        if head.isFinal { payload = [] }
    }

    /// Appends a control frame, with its payload truncated to 125 bytes.
    package func append(_ control: WebSocketControl) {
        switch control {
        case .ping(let payload): append(WebSocketFrameHead(.ping), payload.prefix(125))
        case .pong(let payload): append(WebSocketFrameHead(.pong), payload.prefix(125))
        case .close(let closure): append(WebSocketFrameHead(.close), closure.payload[...])
        }
    }

    /// Removes the encoded frames. A buffer of more than 256 KiB is released.
    package func removeBytes() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 18)
    }

    /// Appends a frame. Masks the payload if this side is a client.
    package func append(_ head: WebSocketFrameHead, _ payload: ArraySlice<UInt8>) {
        // A head has at most 14 bytes, with the key.
        bytes.reserveCapacity(bytes.count + payload.count + 14)
        bytes.append((head.isFinal ? 0x80 : 0) | (head.isCompressed ? 0x40 : 0) | head.opcode.rawValue)
        let maskBit: UInt8 = role == .client ? 0x80 : 0
        switch payload.count {
        case ...125: bytes.append(maskBit | UInt8(payload.count))
        case ...0xFFFF:
            bytes.append(maskBit | 126)
            appendBigEndian(UInt16(payload.count))
        default:
            bytes.append(maskBit | 127)
            appendBigEndian(UInt64(payload.count))
        }
        guard role == .client else { return bytes.append(contentsOf: payload) }
        // Each frame has a new, unpredictable key (section 10.3).
        var key = UInt32.random(in: 0 ... .max)
        appendBigEndian(key)
        let start = bytes.count
        bytes.append(contentsOf: payload)
        bytes.mask(from: start, with: &key)
    }

    private func appendBigEndian(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Returns a compressed message without its tail (RFC 7692, section 7.2.1); `nil` if it is sent uncompressed.
    private func compress(_ message: [UInt8]) -> [UInt8]? {
        guard let compressor, !isBroken else { return nil }
        var compressed: [UInt8] = []
        let isComplete = message.withUnsafeBufferPointer { input in
            var source = input.baseAddress
            var left = input.count
            var room = 0
            repeat {
                var target = output.baseAddress
                room = output.count
                guard cencoder_flush(compressor, &source, &left, &target, &room) == CENCODER_MORE else { return false }
                compressed.append(contentsOf: output[..<(output.count - room)])
            } while left > 0 || room == 0
            return true
        }
        let isReady = keepsContext || cencoder_reset(compressor)
        // A complete flush ends with the tail.
        guard isComplete, isReady, compressed.suffix(4).elementsEqual(PermessageDeflate.tail) else {
            isBroken = true
            return nil
        }
        compressed.removeLast(4)
        return compressed
    }
}

extension WebSocketClosure {
    /// The payload of a close frame: the code and the ``sendableReason``. It is empty if the code must not be sent.
    package var payload: [UInt8] {
        guard code.isSendable else { return [] }
        return [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)] + Array(sendableReason.utf8)
    }
}
