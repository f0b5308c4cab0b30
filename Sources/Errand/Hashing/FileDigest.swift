/// The hash of a file, such as one that its provider publishes, to be checked after a download.
///
/// ```swift
/// let digest = try FileDigest(.sha256, hex: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
/// ```
public struct FileDigest: Hashable, Sendable {
    /// A hash function, with its name registered by RFC 9530.
    public enum Algorithm: String, CaseIterable, Sendable {
        /// SHA-256.
        case sha256 = "sha-256"
        /// SHA-512.
        case sha512 = "sha-512"

        /// The number of bytes of a digest.
        public var byteCount: Int { self == .sha256 ? 32 : 64 }
    }

    /// The hash function.
    public let algorithm: Algorithm
    /// The digest.
    public let bytes: Data

    /// The digest in hexadecimal digits, in lowercase.
    public var hex: String { bytes.hexadecimal }

    /// Creates a digest from its bytes.
    ///
    /// - Throws: ``ErrandError`` with `invalidDigest` if the number of bytes is not that of the algorithm.
    public init(_ algorithm: Algorithm, bytes: Data) throws(ErrandError) {
        guard bytes.count == algorithm.byteCount else {
            throw ErrandError(
                .invalidDigest,
                reason: "a digest of \(algorithm.rawValue) has \(algorithm.byteCount) bytes, and not \(bytes.count)")
        }
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// Computes the digest of data.
    public init(_ algorithm: Algorithm, of data: Data) {
        var hasher = Hasher(algorithm)
        hasher.update(data)
        self.algorithm = algorithm
        bytes = hasher.digest
    }

    /// Creates a digest from hexadecimal digits of either case, as printed by `sha256sum` and download pages.
    ///
    /// - Throws: ``ErrandError`` with `invalidDigest` for any other text, or if the number of bytes is not that of the
    ///   algorithm.
    public init(_ algorithm: Algorithm, hex: String) throws(ErrandError) {
        let digits = hex.utf8.map { Character(UnicodeScalar($0)).hexDigitValue.flatMap { UInt8(exactly: $0) } }
        guard digits.count % 2 == 0, !digits.contains(nil) else {
            throw ErrandError(.invalidDigest, reason: "a digest must consist of pairs of hexadecimal digits")
        }
        let values = digits.compactMap(\.self)
        let bytes = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
        try self.init(algorithm, bytes: Data(bytes))
    }
}

extension FileDigest: CustomStringConvertible {
    /// The algorithm and the hexadecimal digits: `sha-256 9f86d08…`.
    public var description: String { "\(algorithm.rawValue) \(hex)" }
}

extension FileDigest {
    /// A hasher for one of the algorithms.
    enum Hasher: Sendable {
        case sha256(SHA256)
        case sha512(SHA512)

        init(_ algorithm: Algorithm) {
            switch algorithm {
            case .sha256: self = .sha256(SHA256())
            case .sha512: self = .sha512(SHA512())
            }
        }

        mutating func update(_ bytes: some ContiguousBytes) {
            switch self {
            case .sha256(var hash):
                // The state is moved out and back; otherwise it would be copied for each piece.
                self = .sha256(SHA256())
                hash.update(bytes)
                self = .sha256(hash)
            case .sha512(var hash):
                self = .sha512(SHA512())
                hash.update(bytes)
                self = .sha512(hash)
            }
        }

        /// The digest of all added bytes.
        var digest: Data {
            switch self {
            case .sha256(let hash): hash.digest
            case .sha512(let hash): hash.digest
            }
        }
    }
}

extension HeaderFields {
    /// The digest of the whole representation, even if the response is only a part of it (`Repr-Digest`, RFC 9530,
    /// section 3). If the field has several valid digests of known algorithms, it is that of the strongest. `nil`
    /// without such a digest, or if the field is malformed.
    var representationDigest: FileDigest? { digest(in: "Repr-Digest") }

    /// The digest of the content of this response (`Content-Digest`, RFC 9530, section 2). For a partial response, it
    /// covers only that part.
    var contentDigest: FileDigest? { digest(in: "Content-Digest") }

    private func digest(in name: String) -> FileDigest? {
        guard let field = self[name], let values = StructuredDictionary(field)?.values else { return nil }
        // The last case is the strongest algorithm.
        return FileDigest.Algorithm.allCases.reversed().lazy.compactMap { algorithm in
            guard case .bytes(let bytes)? = values[algorithm.rawValue] else { return nil }
            // A digest with a wrong length is skipped.
            return try? FileDigest(algorithm, bytes: bytes)
        }.first
    }
}
