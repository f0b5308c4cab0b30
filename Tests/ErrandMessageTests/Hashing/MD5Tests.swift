import Testing

@testable import Errand

struct `The hash function MD5` {
    /// RFC 1321, section A.5.
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        (
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            "d174ab98d277d9f5a5611c2c9f419d9f"
        ),
        (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
    ])
    func `MD5 has the digests of its RFC`(_ text: String, _ digest: String) {
        #expect(Data(MD5.digest(of: Array(text.utf8))).hexadecimal == digest)
    }

    /// The lengths at which the padding needs another block.
    @Test(arguments: [
        (55, "ef1772b6dff9a122358552954ad0df65"), (56, "3b0c8ac703f828b04c6c197006d17218"),
        (63, "b06521f39153d618550606be297466d5"), (64, "014842d480b571495a4a0363793f7367"),
        (65, "c743a45e0d2e6a95cb859adae0248435"),
    ])
    func `MD5 pads a message of any length`(_ count: Int, _ digest: String) {
        #expect(Data(MD5.digest(of: [UInt8](repeating: UInt8(ascii: "a"), count: count))).hexadecimal == digest)
    }
}
