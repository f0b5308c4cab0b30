import Errand
import Testing

@testable import ErrandAuth

struct `HMAC by SHA-256` {
    /// RFC 4231, test cases 1, 2, 3, 6 and 7: keys shorter and longer than a block.
    @Test(arguments: [
        (
            Data(repeating: 0x0b, count: 20), Data("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Data("Jefe".utf8), Data("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            Data(repeating: 0xaa, count: 20), Data(repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            Data(repeating: 0xaa, count: 131), Data("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            Data(repeating: 0xaa, count: 131),
            Data(
                ("This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ]) func `HMAC-SHA-256 matches the test vectors of RFC 4231`(_ key: Data, _ message: Data, _ digest: String) {
        #expect(HMAC.sha256(message, key: key).hexadecimal == digest)
    }
}
