import CCompression

/// A compressor of the messages of a connection (RFC 7692, section 7.2.1).
final class MessageDeflater {
    private let encoder: OpaquePointer
    private let keepsContext: Bool
    /// Whether zlib failed. Its state may then contain data that the other side never received.
    private var isBroken = false
    private let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 65_536)

    /// Creates a compressor; returns `nil` if zlib does not support the window, such as one of 2^8 bytes. Messages are
    /// then sent uncompressed, which is always allowed.
    ///
    /// - Parameter keepsContext: Whether a message may refer to earlier ones.
    init?(windowBits: Int, keepsContext: Bool) {
        guard let encoder = cencoder_create_raw(Int32(clamping: windowBits)) else { return nil }
        self.encoder = encoder
        self.keepsContext = keepsContext
    }

    deinit {
        cencoder_destroy(encoder)
        output.deallocate()
    }

    /// Returns a compressed message without its tail; `nil` if zlib has failed.
    func compress(_ message: [UInt8]) -> [UInt8]? {
        guard !isBroken else { return nil }
        var compressed: [UInt8] = []
        let isWhole = message.withUnsafeBufferPointer { input in
            var from = input.baseAddress
            var left = input.count
            var room = 0
            repeat {
                var to = output.baseAddress
                room = output.count
                guard cencoder_flush(encoder, &from, &left, &to, &room) == CENCODER_MORE else { return false }
                compressed.append(contentsOf: output[..<(output.count - room)])
            } while left > 0 || room == 0
            return true
        }
        if !keepsContext { _ = cencoder_reset(encoder) }
        guard isWhole, compressed.suffix(4).elementsEqual(PermessageDeflate.tail) else {
            isBroken = true
            return nil
        }
        compressed.removeLast(4)
        return compressed
    }
}
