import Errand

/// A keyed hash by SHA-256 (RFC 2104).
enum HMAC {
    private static let blockSize = 64

    /// What shows that whoever wrote the message knows the key.
    static func sha256(_ message: Data, key: Data) -> Data {
        var block = key.count > blockSize ? hash(key) : key
        block.append(Data(count: blockSize - block.count))
        let inner = hash(Data(block.map { $0 ^ 0x36 }) + message)
        return hash(Data(block.map { $0 ^ 0x5c }) + inner)
    }

    private static func hash(_ data: Data) -> Data { FileDigest(.sha256, of: data).bytes }
}

extension Data {
    /// Each byte as two hexadecimal digits.
    var hexadecimalDigits: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
