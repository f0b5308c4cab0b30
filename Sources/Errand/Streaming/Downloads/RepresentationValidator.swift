/// What tells that a representation is byte for byte the one of before: a strong validator (RFC 9110, section 8.8.1), as
/// `If-Range` takes it.
enum RepresentationValidator: Hashable, Sendable, Codable {
    /// A strong entity tag, with its quotes.
    case entityTag(String)
    /// The value of `Last-Modified`, as the server wrote it.
    case lastModified(String)

    /// The validator of an answer; nil where it has none that is strong.
    ///
    /// A date counts only where there is no entity tag, not even a weak one (section 13.1.5), and where it is at least a
    /// second before the answer's own `Date` (section 8.8.2.2): what is changed twice within a second has one date.
    init?(_ headers: HeaderFields) {
        let tags = headers[values: "ETag"]
        if let tag = tags.first {
            guard tags.count == 1, tag.isStrongEntityTag else { return nil }
            self = .entityTag(tag)
            return
        }
        let dates = headers[values: "Last-Modified"]
        // Both are of one server's clock: what time it is here does not matter.
        guard dates.count == 1, let text = dates.first, let sent = headers["Date"],
            let modified = HTTPDate(text, now: .distantFuture)?.date,
            let date = HTTPDate(sent, now: .distantFuture)?.date,
            date.timeIntervalSince(modified) >= 1
        else { return nil }
        self = .lastModified(text)
    }

    /// As `If-Range` says it.
    var fieldValue: String {
        switch self {
        case .entityTag(let tag): tag
        case .lastModified(let date): date
        }
    }

    /// Whether an answer says that it is of another representation than this is the validator of.
    func isContradicted(by headers: HeaderFields) -> Bool {
        switch self {
        // A tag that is weak is not the same as one that is strong (section 8.8.3.2).
        case .entityTag(let tag): headers["ETag"].map { $0 != tag } ?? false
        case .lastModified(let date): headers["Last-Modified"].map { $0 != date } ?? false
        }
    }
}

extension String {
    /// Whether this is an entity tag that is not weak (RFC 9110, section 8.8.3).
    fileprivate var isStrongEntityTag: Bool {
        let bytes = Array(utf8)
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
            return false
        }
        return bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F }
    }
}
