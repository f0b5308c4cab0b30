/// The rules by which a private cache stores responses (RFC 9111, section 3).
enum CacheStoring {
    /// The statuses whose responses may be stored without an explicit freshness lifetime (RFC 9110, section 15.1),
    /// except 206, which is never stored.
    static let heuristicStatusCodes: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// The redirects (RFC 9110, section 15.4) that a transport follows unless the request forbids it.
    private static let redirectStatusCodes: Set<Int> = [301, 302, 303, 307, 308]

    /// Returns `true` if a response may be stored.
    ///
    /// A response to a request with `Authorization` may be stored, because section 3.5 restricts only shared caches. A
    /// redirect must not be stored: it arrives here only if the request does not follow it, but another request may
    /// follow it.
    ///
    /// With `must-understand`, only a status whose caching requirements are known (``heuristicStatusCodes``) is stored,
    /// and `no-store` is ignored (section 5.2.2.3).
    static func mayStore(
        statusCode: Int, headers: HeaderFields, directives: CacheControl, terms: CacheTerms
    ) -> Bool {
        let isHeuristic = heuristicStatusCodes.contains(statusCode)
        guard !terms.isHead, (200...599).contains(statusCode), statusCode != 206, statusCode != 304,
            directives.has("must-understand") ? isHeuristic : !directives.has("no-store"),
            !terms.directives.has("no-store"), !varyNames(headers).contains("*"),
            !redirectStatusCodes.contains(statusCode) || headers["Location"] == nil
        else { return false }
        return isHeuristic || directives.has("max-age") || directives.has("public") || directives.has("private")
            || headers["Expires"] != nil
    }

    /// Returns `true` if the successful response to a POST says that it is what a GET of the URL would return, and how
    /// long it is fresh (RFC 9110, section 9.3.3).
    static func isResource(_ response: DataResponse, at url: URL) -> Bool {
        let names = response.headers[values: "Content-Location"]
        guard (200...299).contains(response.statusCode), names.count == 1,
            let named = names.first.flatMap({ URL(lenient: $0, relativeTo: url) }), CacheKey.isSame(named, url)
        else { return false }
        return CacheControl(response.headers["Cache-Control"]).has("max-age") || response.headers["Expires"] != nil
    }

    /// Returns the fields to store. It excludes fields of the connection (section 3.1), cookies, and validators that
    /// cannot be sent. It also excludes fields that `no-cache` names, which must not be used again without revalidation
    /// (section 5.2.2.4).
    static func storedFields(_ headers: HeaderFields, directives: CacheControl) -> HeaderFields {
        let excluded = connectionFields(headers).union(directives.fieldNames("no-cache").map { $0.lowercased() })
            .union(["set-cookie", "set-cookie2"])
        return HeaderFields(
            headers.filter { field in
                let name = field.name.lowercased()
                let isValidator = name == "etag" || name == "last-modified"
                return !excluded.contains(name) && (!isValidator || field.value.isHTTPFieldValue)
            })
    }

    /// Returns the fields of a stored response, updated with those of a 304 or of a response to HEAD (section 3.2).
    ///
    /// - Parameter date: The time when that response arrived, used if it has no `Date`.
    static func updating(_ stored: HeaderFields, with headers: HeaderFields, date: Date) -> HeaderFields {
        let excluded = connectionFields(headers).union(["content-length", "content-encoding", "content-range"])
        var updated = stored
        // These gave the age of the stored response, which now counts as new.
        updated["Age"] = "0"
        updated["Date"] = HTTPDate(date).description
        updated.merge(HeaderFields(headers.filter { !excluded.contains($0.name.lowercased()) }))
        return updated
    }

    /// Returns the names in `Vary`, in lowercase and sorted, including `*`.
    static func varyNames(_ headers: HeaderFields) -> [String] {
        Set(tokens(headers[values: "Vary"])).sorted()
    }

    private static func connectionFields(_ headers: HeaderFields) -> Set<String> {
        Set(tokens(headers[values: "Connection"])).union([
            "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authentication-info",
            "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade",
        ])
    }

    private static func tokens(_ values: [String]) -> [String] {
        values.flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }.filter { !$0.isEmpty }
    }
}

/// The revalidation of stored responses by the server (RFC 9111, section 4.3).
enum CacheValidation {
    /// The fields by which a caller requests less than the whole response. A request with one of them goes to the
    /// server, except for one range of bytes that a stored response contains.
    static let rangeAndConditions = [
        "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
    ]

    /// Returns a request with the conditions of a stored response; unchanged if that has no validators.
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

    /// Returns `true` if a 304 refers to this stored response (section 4.3.4).
    ///
    /// The `ETag` of the 304 decides, compared without the mark of a weak tag. If the 304 has none, `Last-Modified`
    /// decides; if either side lacks it, they count as equal.
    static func isAbout(_ entry: CacheEntry, _ headers: HeaderFields) -> Bool {
        if let tag = headers[values: "ETag"].first {
            return entry.headers[values: "ETag"].first.map { opaque($0) == opaque(tag) } ?? false
        }
        guard let changed = headers["Last-Modified"], let stored = entry.headers["Last-Modified"] else { return true }
        return changed == stored
    }

    /// Returns whether header fields describe the stored representation: all validators and lengths that both have are
    /// equal. Returns `nil` if they have none in common.
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

/// The rules by which unsafe methods invalidate stored responses (RFC 9111, section 4.4).
enum CacheInvalidation {
    /// The safe methods. An unknown method counts as unsafe (RFC 9110, section 9.2.1).
    private static let safeMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE"]

    /// Returns the URLs whose stored responses a response invalidates. These are the URLs of the request and of each
    /// followed redirect whose method was unsafe and whose response was not an error. The `Location` and
    /// `Content-Location` of these responses are included if they have the same origin.
    static func outdated(by request: URLRequest, _ response: DataResponse) -> [URL] {
        let method = request.httpMethod ?? "GET"
        var hops = response.redirects?.hops ?? []
        hops.append(
            RedirectHistory.Hop(
                method: response.redirects?.lastMethod ?? method, url: response.url ?? request.url,
                statusCode: response.statusCode, headers: response.headers))
        let urls = hops.flatMap { outdated(by: $0) }
        guard response.redirects == nil, !safeMethods.contains(method), let url = request.url,
            let last = response.url, !CacheKey.isSame(url, last)
        else { return urls }
        // The response has another URL, and the transport does not report redirects: the first response was a redirect.
        return [url] + urls
    }

    private static func outdated(by hop: RedirectHistory.Hop) -> [URL] {
        guard let url = hop.url, !safeMethods.contains(hop.method), (200...399).contains(hop.statusCode) else {
            return []
        }
        let named = ["Location", "Content-Location"]
            .compactMap { hop.headers[values: $0].first }
            .compactMap { URL(lenient: $0, relativeTo: url) }
            .filter { Origin($0) == Origin(url) }
        return [url] + named
    }
}
