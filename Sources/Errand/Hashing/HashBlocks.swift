/// The buffer that splits hashed data into blocks and adds the padding (FIPS 180-4, section 5.1).
struct HashBlocks: Sendable {
    private let size: Int
    /// The bytes that do not fill a block yet.
    private var rest: [UInt8] = []
    private var byteCount: UInt64 = 0

    /// - Parameter size: The number of bytes of a block. The last eighth of the last block contains the total length.
    init(size: Int) {
        self.size = size
        rest.reserveCapacity(size)
    }

    /// Adds bytes, and calls `body` for each complete block.
    mutating func add<State>(
        _ bytes: UnsafeRawBufferPointer, to state: inout State, by body: (UnsafeRawBufferPointer, inout State) -> Void
    ) {
        byteCount &+= UInt64(bytes.count)
        var bytes = bytes[...]
        if !rest.isEmpty {
            let head = bytes.prefix(size - rest.count)
            rest.append(contentsOf: head)
            bytes = bytes.dropFirst(head.count)
            guard rest.count == size else { return }
            rest.withUnsafeBytes { body($0, &state) }
            rest.removeAll(keepingCapacity: true)
        }
        while bytes.count >= size {
            body(UnsafeRawBufferPointer(rebasing: bytes.prefix(size)), &state)
            bytes = bytes.dropFirst(size)
        }
        rest.append(contentsOf: bytes)
    }

    /// Adds the padding, and calls `body` for the remaining blocks.
    func end<State>(_ state: inout State, by body: (UnsafeRawBufferPointer, inout State) -> Void) {
        let lengthCount = size / 8
        var padded = rest + [0x80]
        padded += [UInt8](repeating: 0, count: (2 * size - lengthCount - padded.count) % size)
        // No file is so large that it needs the upper half of SHA-512's length.
        padded += [UInt8](repeating: 0, count: lengthCount - 8)
        padded += withUnsafeBytes(of: (byteCount &* 8).bigEndian) { Array($0) }
        var blocks = self
        blocks.rest = []
        padded.withUnsafeBytes { blocks.add($0, to: &state, by: body) }
    }
}

extension Data {
    /// Each byte as two hexadecimal digits.
    package var hexadecimal: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
