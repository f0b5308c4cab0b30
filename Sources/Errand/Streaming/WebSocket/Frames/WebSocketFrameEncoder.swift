/// An encoder of frames (RFC 6455, section 5.2).
package struct WebSocketFrameEncoder: Sendable {
    private let role: WebSocketRole
    private let makeKey: @Sendable () -> UInt32

    /// - Parameters:
    ///   - role: The end that this encoder belongs to. A client masks its frames.
    ///   - makeKey: Returns a new, unpredictable masking key for each frame (section 10.3).
    package init(role: WebSocketRole, makeKey: @escaping @Sendable () -> UInt32 = { .random(in: 0 ... .max) }) {
        self.role = role
        self.makeKey = makeKey
    }

    /// Appends a frame to `bytes`.
    package func append(_ head: WebSocketFrameHead, _ payload: some Collection<UInt8>, to bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + payload.count + 14)
        bytes.append((head.isFinal ? 0x80 : 0) | (head.isCompressed ? 0x40 : 0) | head.opcode.rawValue)
        let maskBit: UInt8 = role == .client ? 0x80 : 0
        switch payload.count {
        case ...125: bytes.append(maskBit | UInt8(payload.count))
        case ...0xFFFF:
            bytes.append(maskBit | 126)
            bytes.append(contentsOf: Self.bigEndian(payload.count, size: 2))
        default:
            bytes.append(maskBit | 127)
            bytes.append(contentsOf: Self.bigEndian(payload.count, size: 8))
        }
        guard role == .client else { return bytes.append(contentsOf: payload) }
        var mask = WebSocketMask(makeKey())
        bytes.append(contentsOf: mask.bytes)
        let start = bytes.count
        bytes.append(contentsOf: payload)
        mask.apply(to: &bytes, from: start)
    }

    private static func bigEndian(_ value: Int, size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
