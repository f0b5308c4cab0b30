/// The hash function SHA-256 (FIPS 180-4), for names that must not reveal their source, and for integrity checks.
///
/// CryptoKit is not available on Linux, and this package has no dependencies.
package struct SHA256: Sendable {
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var blocks = HashBlocks(size: 64)

    /// Creates a hash of no bytes.
    package init() {}

    /// Returns the digest of these bytes, as 64 hexadecimal digits.
    package static func hexDigest(_ bytes: some ContiguousBytes) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return hash.digest.hexadecimal
    }

    /// Returns the digest of these texts, as 64 hexadecimal digits. It also depends on the boundaries between the
    /// texts.
    static func hexDigest(texts: [String]) -> String {
        var hash = SHA256()
        for text in texts {
            hash.update(Array("\(text.utf8.count):".utf8))
            hash.update(Array(text.utf8))
        }
        return hash.digest.hexadecimal
    }

    /// Adds bytes after the earlier ones.
    package mutating func update(_ bytes: some ContiguousBytes) {
        bytes.withUnsafeBytes { blocks.add($0, to: &state, by: Self.add) }
    }

    /// The digest of all added bytes.
    package var digest: Data {
        var state = state
        blocks.end(&state, by: Self.add)
        return Data(state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } })
    }

    private static func add(_ block: UnsafeRawBufferPointer, to state: inout [UInt32]) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            for index in 0..<16 {
                words[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
            }
            for index in 16..<64 {
                let early = words[index - 15]
                let late = words[index - 2]
                let first = early.rotated(7) ^ early.rotated(18) ^ (early >> 3)
                let second = late.rotated(17) ^ late.rotated(19) ^ (late >> 10)
                words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
            }
            mix(words, into: &state)
        }
    }

    private static func mix(_ words: UnsafeMutableBufferPointer<UInt32>, into state: inout [UInt32]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        constants.withUnsafeBufferPointer { constants in
            for index in 0..<64 {
                let sigma1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
                let first = h &+ sigma1 &+ ((e & f) ^ (~e & g)) &+ constants[index] &+ words[index]
                let sigma0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
                let second = sigma0 &+ ((a & b) ^ (a & c) ^ (b & c))
                (h, g, f, e) = (g, f, e, d &+ first)
                (d, c, b, a) = (c, b, a, first &+ second)
            }
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }
}

extension UInt32 {
    fileprivate func rotated(_ count: UInt32) -> UInt32 { (self &>> count) | (self &<< (32 - count)) }
}
