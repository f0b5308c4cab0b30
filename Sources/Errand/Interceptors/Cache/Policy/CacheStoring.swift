/// What a private cache stores, and what it leaves out (RFC 9111, section 3).
enum CacheStoring {
    /// Answers of these statuses may be stored without saying how long they are good for (RFC 9110, section 15.1).
    static let heuristicStatusCodes: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// Redirects (RFC 9110, section 15.4) that a transport follows where it is let.
    private static let redirectStatusCodes: Set<Int> = [301, 302, 303, 307, 308]

    /// Whether an answer may be stored.
    ///
    /// An answer to a request with `Authorization` may: that rule is for shared caches (section 3.5). A redirect may not: it
    /// comes here only where a request does not follow it, and another for the same may follow.
    ///
    /// With `must-understand`, a status whose meaning for caches is known counts and `no-store` does not (section 5.2.2.3).
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

    /// The fields that are kept: none that belong to the connection (section 3.1), no cookies, none that `no-cache`
    /// names, which may not be used again without asking (section 5.2.2.4), and no validator that cannot be sent.
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

    /// The fields of an answer once a 304 has said that it is still good (section 3.2).
    ///
    /// - Parameter date: When the 304 came: what stands for its `Date` where it has none.
    static func updating(_ stored: HeaderFields, with headers: HeaderFields, date: Date) -> HeaderFields {
        let excluded = connectionFields(headers).union(["content-length", "content-encoding", "content-range"])
        var updated = stored
        // These told when the stored answer was made. It is as good as made anew.
        updated["Age"] = "0"
        updated["Date"] = HTTPDate(date).description
        updated.merge(HeaderFields(headers.filter { !excluded.contains($0.name.lowercased()) }))
        return updated
    }

    /// The names in `Vary`, in lower case and in order; `*` among them where it is.
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
