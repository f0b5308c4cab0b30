/// Cuts what is hashed into blocks, and puts the padding behind it (FIPS 180-4, section 5.1).
struct HashBlocks: Sendable {
    private let size: Int
    /// What does not fill a block yet.
    private var rest: [UInt8] = []
    private var byteCount: UInt64 = 0

    /// - Parameter size: The bytes of a block. The last eighth of the last one says how long all of it is.
    init(size: Int) {
        self.size = size
        rest.reserveCapacity(size)
    }

    /// Adds bytes; `body` is called for each block that is full now.
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

    /// Calls `body` for the blocks that the padding fills.
    func end<State>(_ state: inout State, by body: (UnsafeRawBufferPointer, inout State) -> Void) {
        let lengthCount = size / 8
        var padded = rest + [0x80]
        padded += [UInt8](repeating: 0, count: (2 * size - lengthCount - padded.count) % size)
        // No file has so many bytes that the upper half of SHA-512's length would be needed.
        padded += [UInt8](repeating: 0, count: lengthCount - 8)
        padded += withUnsafeBytes(of: (byteCount &* 8).bigEndian) { Array($0) }
        var blocks = self
        blocks.rest = []
        padded.withUnsafeBytes { blocks.add($0, to: &state, by: body) }
    }
}

extension Data {
    /// Each byte as two hexadecimal digits.
    var hexadecimal: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
