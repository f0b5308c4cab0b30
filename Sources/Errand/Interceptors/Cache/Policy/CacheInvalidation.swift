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
        let outdated = hops.flatMap(outdated)
        // The response has another URL, but the transport does not report redirects: the first response was a redirect.
        guard response.redirects == nil, !safeMethods.contains(method), let url = request.url,
            let last = response.url, !CacheKey.isSame(url, last)
        else { return outdated }
        return [url] + outdated
    }

    private static func outdated(by hop: RedirectHistory.Hop) -> [URL] {
        guard let url = hop.url, !safeMethods.contains(hop.method), (200...399).contains(hop.statusCode) else {
            return []
        }
        let named = ["Location", "Content-Location"]
            .compactMap { hop.headers[values: $0].first }
            .compactMap { URL(lenient: $0, relativeTo: url) }
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
