extension HeaderFields {
    /// What the whole representation hashes to, also where the answer is a part of it (`Repr-Digest`, RFC 9530,
    /// section 3): the strongest of the algorithms that are known; nil for none, and where the field is malformed.
    var representationDigest: FileDigest? { digest(in: "Repr-Digest") }

    /// What the content of this very answer hashes to (`Content-Digest`, RFC 9530, section 2): of a part, the part alone.
    var contentDigest: FileDigest? { digest(in: "Content-Digest") }

    private func digest(in name: String) -> FileDigest? {
        guard let field = self[name], let values = StructuredDictionary(field)?.values else { return nil }
        return FileDigest.Algorithm.allCases.reversed().lazy.compactMap { algorithm in
            guard case .bytes(let bytes)? = values[algorithm.rawValue] else { return nil }
            // One of another length is as good as malformed.
            return try? FileDigest(algorithm, bytes: bytes)
        }.first
    }
}
