public import Errand

extension MessageSignature {
    /// The key of the signatures: a shared secret, or a private key that a custom library uses.
    ///
    /// ```swift
    /// // With the package swift-crypto, or CryptoKit.
    /// let key = MessageSignature.Key(id: "orders", algorithm: "ed25519") { try privateKey.signature(for: $0) }
    /// ```
    public struct Key: Sendable {
        /// The identifier by which the server finds the key; `nil` sends none.
        public let id: String?
        /// The name of the algorithm in the signature. `nil` sends none, because the server derives it from the key.
        public let algorithm: String?
        let sign: @Sendable (Data) async throws -> Data

        /// Creates a key whose signatures a closure returns.
        ///
        /// - Parameters:
        ///   - id: The identifier by which the server finds the key; `nil` sends none.
        ///   - algorithm: The name of the algorithm, such as `ed25519`, `ecdsa-p256-sha256` or `rsa-pss-sha512` (RFC
        ///     9421, section 6.2); `nil`, the default, sends none.
        ///   - sign: A closure that returns the signature of these bytes, as section 3.3 of the RFC defines it for the
        ///     algorithm. The request fails with the error that it throws.
        public init(
            id: String?, algorithm: String? = nil, sign: @escaping @Sendable (Data) async throws -> Data
        ) {
            self.id = id
            self.algorithm = algorithm
            self.sign = sign
        }

        /// Creates a key from a shared secret, used with HMAC and SHA-256 (RFC 9421, section 3.3.3).
        ///
        /// - Parameters:
        ///   - id: The identifier by which the server finds the secret; `nil` sends none.
        ///   - secret: The bytes of the secret.
        ///   - algorithm: The name of the algorithm in the signature, `hmac-sha256`; `nil`, the default, sends none.
        public static func hmacSHA256(id: String?, secret: Data, algorithm: String? = nil) -> Key {
            Key(id: id, algorithm: algorithm) { HMAC.sha256($0, key: secret) }
        }
    }
}

extension MessageSignature.Key: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Only the identifier.
    public var description: String { id ?? "a key without an identifier" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror with only the identifier, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
