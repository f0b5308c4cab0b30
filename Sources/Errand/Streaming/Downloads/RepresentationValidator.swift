/// A strong validator of a representation (RFC 9110, section 8.8.1), as used in `If-Range`. Two representations with
/// the same validator are identical byte for byte.
enum RepresentationValidator: Hashable, Sendable, Codable {
    /// A strong entity tag, with its quotes.
    case entityTag(String)
    /// The value of `Last-Modified`, as the server wrote it.
    case lastModified(String)

    /// Creates the validator of a response; `nil` if the response has no strong one.
    ///
    /// A date is used only if there is no entity tag, not even a weak one (section 13.1.5). It must also be at least
    /// one second before the response's own `Date` (section 8.8.2.2). Otherwise, two changes within one second would
    /// have the same date.
    init?(_ headers: HeaderFields) {
        let tags = headers[values: "ETag"]
        if let tag = tags.first {
            guard tags.count == 1, tag.isStrongEntityTag else { return nil }
            self = .entityTag(tag)
            return
        }
        let dates = headers[values: "Last-Modified"]
        // Both dates come from the server's clock, so the local time does not matter.
        guard dates.count == 1, let text = dates.first, let sent = headers["Date"],
            let modified = HTTPDate(text, now: .distantFuture)?.date,
            let date = HTTPDate(sent, now: .distantFuture)?.date,
            date.timeIntervalSince(modified) >= 1
        else { return nil }
        self = .lastModified(text)
    }

    /// The value for `If-Range`.
    var fieldValue: String {
        switch self {
        case .entityTag(let tag): tag
        case .lastModified(let date): date
        }
    }

    /// Returns `true` if the response belongs to a different representation.
    func isContradicted(by headers: HeaderFields) -> Bool {
        switch self {
        // A weak tag never equals a strong one (section 8.8.3.2).
        case .entityTag(let tag): headers["ETag"].map { $0 != tag } ?? false
        case .lastModified(let date): headers["Last-Modified"].map { $0 != date } ?? false
        }
    }
}

extension String {
    /// Whether this is a strong entity tag (RFC 9110, section 8.8.3).
    fileprivate var isStrongEntityTag: Bool {
        let bytes = Array(utf8)
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
            return false
        }
        return bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F }
    }
}
