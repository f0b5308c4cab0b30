import CCompression
import Errand

/// An incremental decompressor of the messages of a connection (RFC 7692, section 7.2.2).
final class MessageInflater {
    private let keepsContext: Bool
    /// zlib's decompressor; `nil` before the first compressed message, and after it could not be reset.
    private var decoder: OpaquePointer?
    private var input: [UInt8] = []
    /// The number of bytes of `input` that are decompressed.
    private var used = 0
    /// Whether the last step filled `output`. There may then be more output, even without more input.
    private var hasMore = false
    /// The memory for the output of one step.
    private let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 65_536)

    /// - Parameter keepsContext: Whether a message may refer to earlier ones.
    init(keepsContext: Bool) {
        self.keepsContext = keepsContext
    }

    deinit {
        if let decoder { cdecoder_destroy(decoder) }
        output.deallocate()
    }

    /// Adds compressed bytes of the message.
    func append(_ bytes: [UInt8]) {
        if used == input.count {
            input = bytes
        } else {
            input.removeFirst(used)
            input.append(contentsOf: bytes)
        }
        used = 0
    }

    /// Returns the next decompressed bytes of the message, at most 64 KiB; `nil` if more input is needed.
    func next() throws(WebSocketViolation) -> [UInt8]? {
        while used < input.count || hasMore {
            guard let decoder = decoder ?? cdecoder_create(CDECODER_RAW_DEFLATE) else {
                throw WebSocketViolation(code: .internalError, reason: "not enough memory to decompress a message")
            }
            self.decoder = decoder
            let piece = try step(decoder)
            if !piece.isEmpty { return piece }
        }
        return nil
    }

    /// Ends a message, after its tail was added.
    func endMessage() {
        hasMore = false
        guard !keepsContext, let decoder else { return }
        if cdecoder_reset(decoder) { return }
        // The next message gets a new decoder.
        cdecoder_destroy(decoder)
        self.decoder = nil
    }

    /// Decompresses as much as the output can hold, and returns the result.
    private func step(_ decoder: OpaquePointer) throws(WebSocketViolation) -> [UInt8] {
        var target = output.baseAddress
        var room = output.count
        var left = input.count - used
        let result = input.withUnsafeBufferPointer { input in
            var source = input.baseAddress.map { $0 + used }
            return cdecoder_decode(decoder, &source, &left, &target, &room)
        }
        used = input.count - left
        guard result != CDECODER_BROKEN else { throw .badContent("a compressed message is broken") }
        hasMore = room == 0
        // Blocks may follow even after one that is marked as the last (section 7.2.3.4).
        if result == CDECODER_END {
            hasMore = false
            guard cdecoder_continue(decoder) else { throw .badContent("a compressed message is broken") }
        }
        return Array(output[..<(output.count - room)])
    }
}
