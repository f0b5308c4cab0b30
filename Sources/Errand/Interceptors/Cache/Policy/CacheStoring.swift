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
    static func mayStore(statusCode: Int, headers: HeaderFields, terms: CacheTerms) -> Bool {
        let directives = CacheControl(headers["Cache-Control"])
        guard !terms.isHead, (200...599).contains(statusCode), statusCode != 206, statusCode != 304,
            !directives.has("no-store"), !terms.directives.has("no-store"), !varyNames(headers).contains("*"),
            !redirectStatusCodes.contains(statusCode) || headers["Location"] == nil
        else { return false }
        return heuristicStatusCodes.contains(statusCode) || directives.has("max-age") || directives.has("public")
            || directives.has("private") || headers["Expires"] != nil
    }

    /// The fields that are kept: none that belong to the connection (section 3.1), no cookies, and none that
    /// `no-cache` names, which may not be used again without asking (section 5.2.2.4).
    static func storedFields(_ headers: HeaderFields) -> HeaderFields {
        let named = CacheControl(headers["Cache-Control"]).fieldNames("no-cache")
        let excluded = connectionFields(headers).union(named.map { $0.lowercased() })
            .union(["set-cookie", "set-cookie2"])
        return HeaderFields(headers.filter { !excluded.contains($0.name.lowercased()) })
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
        for name in Set(headers.map { $0.name.lowercased() }).subtracting(excluded) {
            updated[values: name] = headers[values: name]
        }
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
