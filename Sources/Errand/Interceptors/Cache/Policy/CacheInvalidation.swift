/// What an unsafe method makes out of date (RFC 9111, section 4.4).
enum CacheInvalidation {
    /// What is not known to be safe is not (RFC 9110, section 9.2.1).
    private static let safeMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE"]

    /// The URLs whose stored answers an answer makes out of date: the request's own, and what `Location` and
    /// `Content-Location` name at the same origin.
    static func outdated(by request: URLRequest, statusCode: Int, headers: HeaderFields) -> [URL] {
        guard let url = request.url, !safeMethods.contains(request.httpMethod ?? "GET"),
            (200...399).contains(statusCode)
        else { return [] }
        let named = ["Location", "Content-Location"]
            .compactMap { headers[values: $0].first }
            .compactMap { URL(string: $0, relativeTo: url)?.absoluteURL }
            .filter { isSameOrigin($0, url) }
        return [url] + named
    }

    private static func isSameOrigin(_ one: URL, _ other: URL) -> Bool {
        origin(one) == origin(other)
    }

    private static func origin(_ url: URL) -> [String?] {
        let scheme = url.scheme?.lowercased()
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        return [scheme, url.host?.lowercased(), String(port)]
    }
}
