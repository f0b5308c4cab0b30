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
        // Zeros fill the last block up to the length at its end.
        padded += [UInt8](repeating: 0, count: (2 * size - lengthCount - padded.count) % size)
        // No file is so large that it needs the upper half of SHA-512's length.
        padded += [UInt8](repeating: 0, count: lengthCount - 8)
        padded += withUnsafeBytes(of: (byteCount &* 8).bigEndian) { Array($0) }
        // `add` processes the padded rest, which has one or two blocks.
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

/// The hash function SHA-256 (FIPS 180-4), for names that must not reveal their source, integrity checks and
/// signatures.
///
/// CryptoKit is not available on Linux, and this package has no dependencies.
package struct SHA256: Sendable {
    // The constants and the initial state are by definition the upper halves of SHA-512's words.
    private static let constants = SHA512.constants.prefix(64).map { UInt32($0 >> 32) }

    private var state = SHA512.initialState.map { UInt32($0 >> 32) }
    private var blocks = HashBlocks(size: 64)

    package init() {}

    /// Returns the digest of these bytes.
    package static func digest(_ bytes: some ContiguousBytes) -> Data {
        var hash = SHA256()
        hash.update(bytes)
        return hash.digest
    }

    /// Returns the digest of these bytes, as 64 hexadecimal digits.
    package static func hexDigest(_ bytes: some ContiguousBytes) -> String { digest(bytes).hexadecimal }

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

    package mutating func update(_ bytes: some ContiguousBytes) {
        bytes.withUnsafeBytes { blocks.add($0, to: &state, by: Self.add) }
    }

    /// The digest of all added bytes.
    package var digest: Data {
        var state = state
        blocks.end(&state, by: Self.add)
        return Data(state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } })
    }

    /// Expands a block to the message schedule, and mixes it into the state (FIPS 180-4, section 6.2.2).
    private static func add(_ block: UnsafeRawBufferPointer, to state: inout [UInt32]) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            for index in 0..<16 {
                words[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
            }
            for index in 16..<64 {
                let early = words[index - 15]
                let late = words[index - 2]
                let sigma0 = early.rotated(7) ^ early.rotated(18) ^ (early >> 3)
                let sigma1 = late.rotated(17) ^ late.rotated(19) ^ (late >> 10)
                words[index] = words[index - 16] &+ sigma0 &+ words[index - 7] &+ sigma1
            }
            mix(words, into: &state)
        }
    }

    /// The rounds, with the names of the standard.
    private static func mix(_ words: UnsafeMutableBufferPointer<UInt32>, into state: inout [UInt32]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        constants.withUnsafeBufferPointer { constants in
            for index in 0..<64 {
                let sigma1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
                let t1 = h &+ sigma1 &+ ((e & f) ^ (~e & g)) &+ constants[index] &+ words[index]
                let sigma0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
                let t2 = sigma0 &+ ((a & b) ^ (a & c) ^ (b & c))
                (h, g, f, e) = (g, f, e, d &+ t1)
                (d, c, b, a) = (c, b, a, t1 &+ t2)
            }
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }
}

extension UInt32 {
    fileprivate func rotated(_ count: UInt32) -> UInt32 { (self &>> count) | (self &<< (32 - count)) }
}

/// The hash function SHA-512 (FIPS 180-4), for integrity checks.
struct SHA512: Sendable {
    // The constants of FIPS 180-4, section 4.2.3, and the initial state of section 5.3.5.
    fileprivate static let constants: [UInt64] = [
        0x428a_2f98_d728_ae22, 0x7137_4491_23ef_65cd, 0xb5c0_fbcf_ec4d_3b2f, 0xe9b5_dba5_8189_dbbc,
        0x3956_c25b_f348_b538, 0x59f1_11f1_b605_d019, 0x923f_82a4_af19_4f9b, 0xab1c_5ed5_da6d_8118,
        0xd807_aa98_a303_0242, 0x1283_5b01_4570_6fbe, 0x2431_85be_4ee4_b28c, 0x550c_7dc3_d5ff_b4e2,
        0x72be_5d74_f27b_896f, 0x80de_b1fe_3b16_96b1, 0x9bdc_06a7_25c7_1235, 0xc19b_f174_cf69_2694,
        0xe49b_69c1_9ef1_4ad2, 0xefbe_4786_384f_25e3, 0x0fc1_9dc6_8b8c_d5b5, 0x240c_a1cc_77ac_9c65,
        0x2de9_2c6f_592b_0275, 0x4a74_84aa_6ea6_e483, 0x5cb0_a9dc_bd41_fbd4, 0x76f9_88da_8311_53b5,
        0x983e_5152_ee66_dfab, 0xa831_c66d_2db4_3210, 0xb003_27c8_98fb_213f, 0xbf59_7fc7_beef_0ee4,
        0xc6e0_0bf3_3da8_8fc2, 0xd5a7_9147_930a_a725, 0x06ca_6351_e003_826f, 0x1429_2967_0a0e_6e70,
        0x27b7_0a85_46d2_2ffc, 0x2e1b_2138_5c26_c926, 0x4d2c_6dfc_5ac4_2aed, 0x5338_0d13_9d95_b3df,
        0x650a_7354_8baf_63de, 0x766a_0abb_3c77_b2a8, 0x81c2_c92e_47ed_aee6, 0x9272_2c85_1482_353b,
        0xa2bf_e8a1_4cf1_0364, 0xa81a_664b_bc42_3001, 0xc24b_8b70_d0f8_9791, 0xc76c_51a3_0654_be30,
        0xd192_e819_d6ef_5218, 0xd699_0624_5565_a910, 0xf40e_3585_5771_202a, 0x106a_a070_32bb_d1b8,
        0x19a4_c116_b8d2_d0c8, 0x1e37_6c08_5141_ab53, 0x2748_774c_df8e_eb99, 0x34b0_bcb5_e19b_48a8,
        0x391c_0cb3_c5c9_5a63, 0x4ed8_aa4a_e341_8acb, 0x5b9c_ca4f_7763_e373, 0x682e_6ff3_d6b2_b8a3,
        0x748f_82ee_5def_b2fc, 0x78a5_636f_4317_2f60, 0x84c8_7814_a1f0_ab72, 0x8cc7_0208_1a64_39ec,
        0x90be_fffa_2363_1e28, 0xa450_6ceb_de82_bde9, 0xbef9_a3f7_b2c6_7915, 0xc671_78f2_e372_532b,
        0xca27_3ece_ea26_619c, 0xd186_b8c7_21c0_c207, 0xeada_7dd6_cde0_eb1e, 0xf57d_4f7f_ee6e_d178,
        0x06f0_67aa_7217_6fba, 0x0a63_7dc5_a2c8_98a6, 0x113f_9804_bef9_0dae, 0x1b71_0b35_131c_471b,
        0x28db_77f5_2304_7d84, 0x32ca_ab7b_40c7_2493, 0x3c9e_be0a_15c9_bebc, 0x431d_67c4_9c10_0d4c,
        0x4cc5_d4be_cb3e_42b6, 0x597f_299c_fc65_7e2a, 0x5fcb_6fab_3ad6_faec, 0x6c44_198c_4a47_5817,
    ]

    fileprivate static let initialState: [UInt64] = [
        0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
        0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
    ]

    private var state = Self.initialState
    private var blocks = HashBlocks(size: 128)

    init() {}

    mutating func update(_ bytes: some ContiguousBytes) {
        bytes.withUnsafeBytes { blocks.add($0, to: &state, by: Self.add) }
    }

    /// The digest of all added bytes.
    var digest: Data {
        var state = state
        blocks.end(&state, by: Self.add)
        return Data(state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } })
    }

    /// Expands a block to the message schedule, and mixes it into the state (FIPS 180-4, section 6.4.2).
    private static func add(_ block: UnsafeRawBufferPointer, to state: inout [UInt64]) {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 80) { words in
            for index in 0..<16 {
                words[index] = UInt64(bigEndian: block.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
            }
            for index in 16..<80 {
                let early = words[index - 15]
                let late = words[index - 2]
                let sigma0 = early.rotated(1) ^ early.rotated(8) ^ (early >> 7)
                let sigma1 = late.rotated(19) ^ late.rotated(61) ^ (late >> 6)
                words[index] = words[index - 16] &+ sigma0 &+ words[index - 7] &+ sigma1
            }
            mix(words, into: &state)
        }
    }

    /// The rounds, with the names of the standard.
    private static func mix(_ words: UnsafeMutableBufferPointer<UInt64>, into state: inout [UInt64]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        constants.withUnsafeBufferPointer { constants in
            for index in 0..<80 {
                let sigma1 = e.rotated(14) ^ e.rotated(18) ^ e.rotated(41)
                let t1 = h &+ sigma1 &+ ((e & f) ^ (~e & g)) &+ constants[index] &+ words[index]
                let sigma0 = a.rotated(28) ^ a.rotated(34) ^ a.rotated(39)
                let t2 = sigma0 &+ ((a & b) ^ (a & c) ^ (b & c))
                (h, g, f, e) = (g, f, e, d &+ t1)
                (d, c, b, a) = (c, b, a, t1 &+ t2)
            }
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }
}

extension UInt64 {
    fileprivate func rotated(_ count: UInt64) -> UInt64 { (self &>> count) | (self &<< (64 - count)) }
}

/// MD5 (RFC 1321), which servers with Digest authentication still use. It must not be used for anything else.
enum MD5 {
    // The table T and the rotations of RFC 1321, section 3.4.
    private static let constants = (1...64).map { UInt32(abs(sin(Double($0))) * 0x1p32) }
    private static let rotations: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]

    /// Returns the 16-byte digest of a message.
    static func digest(of message: some Collection<UInt8>) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        var padded = message + [0x80]
        // Eight bytes of the last block are left for the length.
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        padded += bytes(of: UInt64(message.count) &* 8)
        for start in stride(from: 0, to: padded.count, by: 64) { add(padded[start..<(start + 64)], to: &state) }
        return state.flatMap(bytes)
    }

    /// Mixes a block into the state in four rounds of 16 steps, with the names of the RFC.
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
