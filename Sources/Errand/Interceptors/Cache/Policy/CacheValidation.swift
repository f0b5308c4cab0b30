/// The revalidation of stored responses by the server (RFC 9111, section 4.3).
enum CacheValidation {
    /// The fields by which a caller requests less than the whole response. Such requests bypass the cache.
    static let ownConditions = [
        "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
    ]

    /// Returns a request with the conditions of a stored response; unchanged without conditions.
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

    /// Returns `true` if a 304 refers to this stored response: all validators that it has are equal (section 4.3.4).
    static func isAbout(_ entry: CacheEntry, _ headers: HeaderFields) -> Bool {
        if let tag = headers[values: "ETag"].first {
            return entry.headers[values: "ETag"].first.map { opaque($0) == opaque(tag) } ?? false
        }
        guard let changed = headers["Last-Modified"], let stored = entry.headers["Last-Modified"] else { return true }
        return changed == stored
    }

    /// Returns whether header fields describe the stored representation; `nil` if it cannot be decided.
    static func isSameRepresentation(_ entry: CacheEntry, _ headers: HeaderFields) -> Bool? {
        let pairs = ["ETag", "Last-Modified", "Content-Length"].compactMap { name in
            entry.headers[name].flatMap { stored in headers[name].map { (stored, $0) } }
        }
        return pairs.isEmpty ? nil : pairs.allSatisfy { $0 == $1 }
    }

    /// Returns the tag without the mark of a weak tag (RFC 9110, section 8.8.3.2).
    private static func opaque(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }
}
