extension HeaderFields {
    /// The digest of the whole representation, even if the response is only a part of it (`Repr-Digest`, RFC 9530,
    /// section 3). The strongest known algorithm counts. `nil` if no algorithm is known, or if the field is malformed.
    var representationDigest: FileDigest? { digest(in: "Repr-Digest") }

    /// The digest of the content of this response (`Content-Digest`, RFC 9530, section 2). For a partial response, it
    /// covers only that part.
    var contentDigest: FileDigest? { digest(in: "Content-Digest") }

    private func digest(in name: String) -> FileDigest? {
        guard let field = self[name], let values = StructuredDictionary(field)?.values else { return nil }
        return FileDigest.Algorithm.allCases.reversed().lazy.compactMap { algorithm in
            guard case .bytes(let bytes)? = values[algorithm.rawValue] else { return nil }
            // A digest with a wrong length is treated as malformed.
            return try? FileDigest(algorithm, bytes: bytes)
        }.first
    }
}
