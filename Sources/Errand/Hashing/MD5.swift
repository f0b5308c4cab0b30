/// MD5 (RFC 1321), which most servers with Digest authentication still use. It must not be used for anything else.
enum MD5 {
    private static let constants = (1...64).map { UInt32(abs(sin(Double($0))) * 0x1p32) }
    private static let rotations: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]

    /// Returns the 16-byte digest of a message.
    static func digest(of message: some Collection<UInt8>) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        padded += bytes(of: UInt64(message.count) &* 8)
        for start in stride(from: 0, to: padded.count, by: 64) { add(padded[start..<(start + 64)], to: &state) }
        return state.flatMap(bytes)
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        let words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
            block[start..<(start + 4)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for index in 0..<64 {
            let (mixed, word) =
                switch index / 16 {
                case 0: (b & c | ~b & d, index)
                case 1: (d & b | ~d & c, 5 * index + 1)
                case 2: (b ^ c ^ d, 3 * index + 5)
                default: (c ^ (b | ~d), 7 * index)
                }
            let sum = a &+ mixed &+ constants[index] &+ words[word % 16]
            let count = rotations[index / 16][index % 4]
            (a, b, c, d) = (d, b &+ (sum << count | sum >> (32 - count)), b, c)
        }
        for (index, value) in [a, b, c, d].enumerated() { state[index] &+= value }
    }

    private static func bytes<Value: FixedWidthInteger>(of value: Value) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}
