import Errand

/// The keyed hash function HMAC with SHA-256 (RFC 2104).
enum HMAC {
    private static let blockSize = 64

    /// Returns the authentication code of a message.
    static func sha256(_ message: Data, key: Data) -> Data {
        var block = key.count > blockSize ? hash(key) : key
        block.append(Data(count: blockSize - block.count))
        // The two numbers are the bytes of `ipad` and `opad`.
        let inner = hash(Data(block.map { $0 ^ 0x36 }), message)
        return hash(Data(block.map { $0 ^ 0x5C }), inner)
    }

    private static func hash(_ pieces: Data...) -> Data {
        var hash = SHA256()
        for piece in pieces { hash.update(piece) }
        return hash.digest
    }
}
