/// One range of bytes that a request selects (RFC 9110, section 14.1.2).
struct CacheRange: Equatable, Sendable {
    /// The position of the first byte; `nil` for a range at the end of the body.
    let first: Int?
    /// The position of the last byte; `nil` for the rest of the body. Without ``first``, it is the number of bytes at
    /// the end.
    let last: Int?

    /// Parses the value of a `Range` field; `nil` if it is invalid or has several ranges.
    init?(_ field: String) {
        let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2, pair[0].lowercased() == "bytes" else { return nil }
        let bounds = pair[1].trimmingCharacters(in: .whitespaces)
            .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard bounds.count == 2, bounds.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }) else { return nil }
        (first, last) = (Int(bounds[0]), Int(bounds[1]))
        // `Int` cannot represent every number. The server decides about larger ones.
        guard first != nil || last != nil, bounds[0].isEmpty == (first == nil), bounds[1].isEmpty == (last == nil),
            first == nil || last == nil || (first ?? 0) <= (last ?? 0)
        else { return nil }
    }

    /// Returns an entry with the partial response to this range; `nil` if the server must decide. It is also `nil` if a
    /// content coding was removed, because positions in the stored bytes then differ.
    func part(of entry: CacheEntry) -> CacheEntry? {
        let count = entry.body.count
        guard entry.statusCode == 200, entry.headers["Content-Encoding"] == nil else { return nil }
        let begin = first ?? max(0, count - (last ?? 0))
        let end = first == nil ? count - 1 : min(last ?? count - 1, count - 1)
        guard begin <= end else { return nil }
        var part = entry
        part.statusCode = 206
        part.body = entry.body.subdata(in: entry.body.startIndex + begin..<entry.body.startIndex + end + 1)
        // The entry parses its directives each time its fields are set.
        var headers = entry.headers
        headers["Content-Range"] = "bytes \(begin)-\(end)/\(count)"
        headers["Content-Length"] = "\(part.body.count)"
        part.headers = headers
        return part
    }
}
