import Foundation
import Testing

@testable import Errand

/// The examples of FIPS 180-4, and lengths around the end of a block; the latter by `sha512sum`.
struct `SHA-512` {
    @Test(arguments: [
        (
            "",
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
        ),
        (
            "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            String(repeating: "a", count: 111),
            "fa9121c7b32b9e01733d034cfc78cbf67f926c7ed83e82200ef8681819692176"
                + "0b4beff48404df811b953828274461673c68d04e297b0eb7b2b4d60fc6b566a2"
        ),
        (
            String(repeating: "a", count: 112),
            "c01d080efd492776a1c43bd23dd99d0a2e626d481e16782e75d54c2503b5dc32"
                + "bd05f0f1ba33e568b88fd2d970929b719ecbb152f58f130a407c8830604b70ca"
        ),
        (
            String(repeating: "a", count: 128),
            "b73d1929aa615934e61a871596b3f3b33359f42b8175602e89f7e06e5f658a24"
                + "3667807ed300314b95cacdd579f3e33abdfbe351909519a846d465c59582f321"
        ),
    ])
    func `SHA-512 matches the test vectors of the standard`(_ text: String, _ digest: String) {
        var hash = SHA512()
        hash.update(Data(text.utf8))
        #expect(hash.digest.hexadecimal == digest)
    }
}

struct `A hash in pieces` {
    @Test(arguments: [1, 7, 63, 64, 65, 127, 128, 129, 1_000])
    func `a digest does not depend on how the data is split`(_ size: Int) {
        let data = Data((0..<1_500).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        var (short, long) = (SHA256(), SHA512())
        for start in stride(from: 0, to: data.count, by: size) {
            let piece = data[start..<min(start + size, data.count)]
            short.update(piece)
            long.update(piece)
        }
        var (whole256, whole512) = (SHA256(), SHA512())
        whole256.update(data)
        whole512.update(data)
        #expect(short.digest == whole256.digest)
        #expect(long.digest == whole512.digest)
        #expect(short.digest.hexadecimal == SHA256.hexDigest(data))
    }

    @Test func `a digest can be read between updates`() {
        var hash = SHA256()
        hash.update(Data("a".utf8))
        #expect(hash.digest.hexadecimal == SHA256.hexDigest(Array("a".utf8)))
        hash.update(Data("bc".utf8))
        #expect(hash.digest.hexadecimal == SHA256.hexDigest(Array("abc".utf8)))
    }
}
