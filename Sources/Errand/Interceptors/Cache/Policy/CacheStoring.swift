/// The rules by which a private cache stores responses (RFC 9111, section 3).
enum CacheStoring {
    /// The statuses whose responses may be stored without an explicit freshness lifetime (RFC 9110, section 15.1).
    static let heuristicStatusCodes: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// The redirects (RFC 9110, section 15.4) that a transport follows unless the request forbids it.
    private static let redirectStatusCodes: Set<Int> = [301, 302, 303, 307, 308]

    /// Returns `true` if a response may be stored.
    ///
    /// A response to a request with `Authorization` may be stored, because section 3.5 restricts only shared caches. A
    /// redirect must not be stored: it arrives here only if the request does not follow it, but another request may
    /// follow it.
    ///
    /// With `must-understand`, `no-store` is ignored for a status whose caching requirements are known (section
    /// 5.2.2.3).
    static func mayStore(
        statusCode: Int, headers: HeaderFields, directives: CacheControl, terms: CacheTerms
    ) -> Bool {
        guard !terms.isHead, (200...599).contains(statusCode), statusCode != 206, statusCode != 304,
            directives.has("must-understand")
                ? heuristicStatusCodes.contains(statusCode) : !directives.has("no-store"),
            !terms.directives.has("no-store"), !varyNames(headers).contains("*"),
            !redirectStatusCodes.contains(statusCode) || headers["Location"] == nil
        else { return false }
        return heuristicStatusCodes.contains(statusCode) || directives.has("max-age") || directives.has("public")
            || directives.has("private") || headers["Expires"] != nil
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

    /// Returns the fields of a stored response after a 304 has revalidated it (section 3.2).
    ///
    /// - Parameter date: The time when the 304 arrived, which replaces a missing `Date`.
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
