extension MessageSignature {
    /// What makes the signatures: a shared secret, or a private key that a library of your choice uses.
    ///
    /// ```swift
    /// // With the package swift-crypto, or CryptoKit.
    /// let key = MessageSignature.Key(id: "orders", algorithm: "ed25519") { try privateKey.signature(for: $0) }
    /// ```
    public struct Key: Sendable {
        /// The identifier by which the server finds the key; `nil` sends none.
        public let id: String?
        /// The name of the algorithm in the signature; `nil` sends none, since the server knows it by the key.
        public let algorithm: String?
        let sign: @Sendable (Data) async throws -> Data

        /// A key that a closure signs with.
        ///
        /// - Parameters:
        ///   - id: The identifier by which the server finds the key; `nil` sends none.
        ///   - algorithm: The name of the algorithm, such as `ed25519`, `ecdsa-p256-sha256` or `rsa-pss-sha512` (RFC 9421, section 6.2); `nil`,
        ///     the default, sends none.
        ///   - sign: Returns the signature of these bytes, as section 3.3 of the RFC says for the algorithm. The request fails with
        ///     the error that it throws.
        public init(
            id: String?, algorithm: String? = nil, sign: @escaping @Sendable (Data) async throws -> Data
        ) {
            self.id = id
            self.algorithm = algorithm
            self.sign = sign
        }

        /// A shared secret, used with HMAC and SHA-256 (RFC 9421, section 3.3.3).
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
    /// The identifier alone.
    public var description: String { id ?? "a key without an identifier" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The identifier alone, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
