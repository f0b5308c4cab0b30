/// An encoder that returns pieces on request, and holds the plain bytes that are not encoded yet.
struct StreamEncoding: ~Copyable {
    private var encoder: ContentEncoder
    private var rest = Data()
    private var hasEnded = false

    /// - Throws: An error if memory cannot be allocated.
    init() throws {
        encoder = try ContentEncoder()
    }

    /// Whether the whole output was returned, including its end.
    var isWhole: Bool { encoder.isWhole }

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
