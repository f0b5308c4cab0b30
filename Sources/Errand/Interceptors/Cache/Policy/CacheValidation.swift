/// Asking a server whether what is stored is still good (RFC 9111, section 4.3).
enum CacheValidation {
    /// Fields by which a caller asks for less than the whole answer: such requests pass the cache by.
    static let ownConditions = [
        "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
    ]

    /// A request with the conditions that a stored answer gives rise to; as it is where there are none.
    static func adding(_ entry: CacheEntry, to request: URLRequest) -> URLRequest {
        var request = request
        if let tag = entry.headers[values: "ETag"].first, !tag.isEmpty, tag.isHTTPFieldValue {
            request.setValue(tag, forHTTPHeaderField: "If-None-Match")
        }
        if let changed = entry.headers[values: "Last-Modified"].first, changed.isHTTPFieldValue,
            HTTPDate(changed, now: entry.responseDate) != nil
        {
            request.setValue(changed, forHTTPHeaderField: "If-Modified-Since")
        }
        return request
    }

    /// Whether a 304 is about this stored answer: its validators, as far as it has any, are the same (section 4.3.4).
    static func isAbout(_ entry: CacheEntry, _ headers: HeaderFields) -> Bool {
        if let tag = headers[values: "ETag"].first {
            return entry.headers[values: "ETag"].first.map { opaque($0) == opaque(tag) } ?? false
        }
        guard let changed = headers["Last-Modified"], let stored = entry.headers["Last-Modified"] else { return true }
        return changed == stored
    }

    /// Whether header fields describe the representation that is stored; nil if they do not tell.
    static func isSameRepresentation(_ entry: CacheEntry, _ headers: HeaderFields) -> Bool? {
        let pairs = ["ETag", "Last-Modified", "Content-Length"].compactMap { name in
            entry.headers[name].flatMap { stored in headers[name].map { (stored, $0) } }
        }
        return pairs.isEmpty ? nil : pairs.allSatisfy { $0 == $1 }
    }

    /// The tag without the mark that it is weak (RFC 9110, section 8.8.3.2).
    private static func opaque(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }
}
