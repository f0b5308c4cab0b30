import CCompression

/// An encoder of gzip (RFC 1952) that takes and returns pieces.
struct GzipEncoder: ~Copyable {
    /// The error of a failure in zlib.
    struct Failed: Error {}

    private let encoder: OpaquePointer
    private let output: UnsafeMutableBufferPointer<UInt8>
    /// The bytes that are not encoded yet.
    private var rest = Data()
    private var hasEnded = false
    /// Whether the whole output was returned, including its end.
    private(set) var isWhole = false

    /// - Throws: ``Failed`` if memory cannot be allocated.
    init() throws(Failed) {
        guard let encoder = cencoder_create() else { throw Failed() }
        self.encoder = encoder
        output = .allocate(capacity: 65_536)
    }

    deinit {
        cencoder_destroy(encoder)
        output.deallocate()
    }

    /// Whether ``next()`` needs input from ``add(_:)`` first.
    var wantsMore: Bool { rest.isEmpty && !hasEnded }

    /// Adds the next piece, or `nil` for the end.
    mutating func add(_ piece: Data?) {
        rest = piece ?? Data()
        hasEnded = piece == nil
    }

    /// Encodes a part of the remaining bytes.
    ///
    /// - Returns: At most 64 KiB; empty if another piece is needed.
    mutating func next() throws(Failed) -> Data {
        var to = output.baseAddress
        var room = output.count
        let (result, left) = rest.withUnsafeBytes { bytes in
            var from = bytes.bindMemory(to: UInt8.self).baseAddress
            var left = bytes.count
            return (cencoder_encode(encoder, &from, &left, hasEnded, &to, &room), left)
        }
        guard result != CENCODER_FAILED else { throw Failed() }
        isWhole = result == CENCODER_END
        rest = left == 0 ? Data() : rest.suffix(left)
        return Data(output[..<(output.count - room)])
    }
}
