/// The masking key of a client's payload (RFC 6455, section 5.3), and the position in the payload. Masking a payload
/// twice restores it.
struct WebSocketMask: Sendable {
    private let key: [UInt8]
    private var position = 0

    /// Creates a mask from the four bytes of a key.
    init(_ key: some Collection<UInt8>) {
        self.key = Array(key)
    }

    /// Creates a mask from a random, unpredictable number.
    init(_ key: UInt32) {
        self.key = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: key >> $0) }
    }

    /// The bytes of the key, in the order in which they are sent.
    var bytes: [UInt8] { key }

    /// Masks the next bytes of the payload.
    mutating func apply(to bytes: inout [UInt8]) {
        apply(to: &bytes, from: 0)
    }

    /// Masks the next bytes of the payload, which begin at an offset.
    mutating func apply(to bytes: inout [UInt8], from start: Int) {
        guard key.count == 4 else { return }
        let position = position
        key.withUnsafeBufferPointer { key in
            bytes.withUnsafeMutableBufferPointer { bytes in
                for index in start..<bytes.count { bytes[index] ^= key[(position + index - start) & 3] }
            }
        }
        self.position = (position + bytes.count - start) & 3
    }
}
