#if canImport(CCompression)
import CCompression

/// Compresses a body with gzip (RFC 1952), piece by piece.
struct ContentEncoder: ~Copyable {
    /// zlib could not go on.
    struct Failed: Error {}

    private let encoder: OpaquePointer
    private let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 65_536)

    /// - Throws: When memory is short.
    init() throws(Failed) {
        guard let encoder = cencoder_create() else { throw Failed() }
        self.encoder = encoder
    }

    deinit {
        cencoder_destroy(encoder)
        output.deallocate()
    }

    /// Whether the end was given.
    private(set) var isWhole = false

    /// Encodes some of the input and moves it on.
    ///
    /// - Parameter isLast: Whether nothing comes behind this input; from then on it is called, if with nothing, until it
    ///   ``isWhole``.
    /// - Returns: At most 64 KiB, valid until the next call. Nothing when more input is needed.
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
#endif
