import CCompression

/// A compressor of bodies with gzip (RFC 1952), in pieces.
struct ContentEncoder: ~Copyable {
    /// The error of a failure in zlib.
    struct Failed: Error {}

    private let encoder: OpaquePointer
    private let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 65_536)

    /// - Throws: ``Failed`` if memory cannot be allocated.
    init() throws(Failed) {
        guard let encoder = cencoder_create() else { throw Failed() }
        self.encoder = encoder
    }

    deinit {
        cencoder_destroy(encoder)
        output.deallocate()
    }

    /// Whether the end of the output was returned.
    private(set) var isWhole = false

    /// Encodes a part of the input and removes it from `input`.
    ///
    /// - Parameter isLast: Whether no input follows. After a call with `true`, keep calling, with empty input if
    ///   necessary, until the result ``isWhole``.
    /// - Returns: At most 64 KiB, valid until the next call. Empty if more input is needed.
    mutating func encodeSome(
        of input: inout UnsafeBufferPointer<UInt8>, isLast: Bool
    ) throws(Failed) -> UnsafeBufferPointer<UInt8> {
        var from = input.baseAddress
        var left = input.count
        var to = output.baseAddress
        var room = output.count
        let result = cencoder_encode(encoder, &from, &left, isLast, &to, &room)
        guard result != CENCODER_FAILED else { throw Failed() }
        input = UnsafeBufferPointer(rebasing: input.suffix(left))
        isWhole = result == CENCODER_END
        return UnsafeBufferPointer(rebasing: output[..<(output.count - room)])
    }
}
