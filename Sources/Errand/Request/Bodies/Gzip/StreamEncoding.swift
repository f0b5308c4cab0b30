#if canImport(CCompression)
/// An encoder that is asked for pieces, and holds the plain bytes that it has not come to yet.
struct StreamEncoding: ~Copyable {
    private var encoder: ContentEncoder
    private var rest = Data()
    private var hasEnded = false

    /// - Throws: When memory is short.
    init() throws {
        encoder = try ContentEncoder()
    }

    /// Whether all was given, the end included.
    var isWhole: Bool { encoder.isWhole }

    /// Whether ``next()`` has nothing to work on before ``add(_:)`` is called.
    var wantsMore: Bool { rest.isEmpty && !hasEnded }

    /// Takes the next piece, or nil for the end.
    mutating func add(_ piece: Data?) {
        rest = piece ?? Data()
        hasEnded = piece == nil
    }

    /// Encodes some of what is left.
    ///
    /// - Returns: At most 64 KiB; empty when another piece is needed.
    mutating func next() throws -> Data {
        let bytes = rest
        var used = 0
        let encoded = try bytes.withUnsafeBytes { bytes in
            var input = bytes.bindMemory(to: UInt8.self)
            let encoded = Data(try encoder.encodeSome(of: &input, isLast: hasEnded))
            used = bytes.count - input.count
            return encoded
        }
        rest = used == bytes.count ? Data() : bytes.dropFirst(used)
        return encoded
    }
}
#endif
